# SPDX-License-Identifier: BSD-2-Clause
"""A capture in which frames stand more than once: as they are, and seen at other places."""

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from sctp_rack.columns.layout import LAYOUTS

from tests.builder.files import NANOSECONDS, RESOLUTION, Pcapng
from tests.readers.rows import Rows

_FRAME_COLUMNS = (
    *("frame", "first_frame", "prev_frame", "last_frame", "repeats"),
    *("trigger_frame", "acked_frame", "resolved_frame", "dup_frame", "by_frame"),
    *("begin_frame", "end_frame"),
)


@dataclass(frozen=True)
class Frame:
    """A frame of a file, and which of the first file's frames it is."""

    number: int
    time_ns: int
    content: bytes
    again: bool = False
    interface: int = 0


@dataclass(frozen=True)
class Frames:
    """All of a file in the order of their times."""

    link_type: int
    frames: list[Frame]

    def again(self, change: Callable[[Frame], Frame | None]) -> "Frames":
        """With those once more that `change` makes something of."""
        changed = [one for one in map(change, self.frames) if one is not None]
        return self.with_all(replace(one, again=True) for one in changed)

    def with_all(self, more: Iterable[Frame]) -> "Frames":
        """With others put in by their times."""
        every = sorted([*self.frames, *more], key=lambda one: one.time_ns)
        return replace(self, frames=every)

    def write(self, path: Path, interfaces: int = 1) -> Path:
        """A pcapng file."""
        file = Pcapng()
        for _ in range(interfaces):
            file.interface(self.link_type, options=[(RESOLUTION, bytes([9]))])
        for one in self.frames:
            file.packet(one.content, one.interface, ticks=one.time_ns)
        path.write_bytes(bytes(file))
        return path

    def once(self, rows: Rows) -> Rows:
        """The rows of what is not there again, by the frames of the first file."""
        numbers = {at: one.number for at, one in enumerate(self.frames, 1)}
        again = {at for at, one in enumerate(self.frames, 1) if one.again}
        kept: Rows = {table: [] for table in LAYOUTS}
        for table, all_rows in rows.items():
            for row in all_rows:
                if row.get("frame") in again or row.get("name") in _DUPLICATES:
                    continue
                kept[table].append(
                    {
                        name: numbers.get(value, value) if name in _FRAME_COLUMNS else value
                        for name, value in row.items()
                    }
                )
        return kept


_DUPLICATES = ("network_duplicate", "capture_duplicate")


def frames_of(path: Path) -> Frames:
    """Of a pcap file of this machine's byte order."""
    content = path.read_bytes()
    magic, *_, link_type = struct.unpack_from("<IHHiIII", content)
    nanoseconds = 1 if magic == NANOSECONDS else 1000
    at, frames = 24, list[Frame]()
    while at < len(content):
        seconds, fraction, captured, _ = struct.unpack_from("<IIII", content, at)
        time_ns = seconds * 10**9 + fraction * nanoseconds
        frames.append(Frame(len(frames) + 1, time_ns, content[at + 16 : at + 16 + captured]))
        at += 16 + captured
    return Frames(link_type, frames)
