# SPDX-License-Identifier: BSD-2-Clause
"""Frames of a changed capture, and files that hold them."""

import struct
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.builder.files import NANOSECONDS, RESOLUTION, Pcapng, pcap
from tests.metamorphic.packets import RAW, Packet, in_ip
from tests.metamorphic.rows import Changed

Packets = Sequence[Packet]
#: Time in nanoseconds, frame, and the frame of the capture before that it is (`Changed.frame_of`).
Frame = tuple[int, bytes, int]
#: Writes a changed capture into a folder.
Make = Callable[[Packets, Path], Changed]

US, MS, SECOND = 1_000, 1_000_000, 1_000_000_000


def pcapng_of(frames: Iterable[Frame], link: int = RAW, order: str = "<") -> bytes:
    """One section, one interface, nanoseconds."""
    file = Pcapng(order)
    file.interface(link, options=[(RESOLUTION, b"\x09")])
    for time_ns, frame, _ in frames:
        file.packet(frame, ticks=time_ns)
    return bytes(file)


def pcap_of(frames: Iterable[Frame], link: int = RAW, order: str = "<") -> bytes:
    """With nanoseconds."""
    content = bytearray(pcap([], link, order=order, magic=NANOSECONDS))
    for time_ns, frame, _ in frames:
        head = (*divmod(time_ns, SECOND), len(frame), len(frame))
        content += struct.pack(order + "IIII", *head) + frame
    return bytes(content)


def written(
    folder: Path, frames: Sequence[Frame], content: bytes | None = None, **told: object
) -> Changed:
    """A capture of these frames; `content` is its file where that is not a plain pcapng."""
    path = folder / "changed.pcapng"
    path.write_bytes(pcapng_of(frames) if content is None else content)
    return Changed(path, [of for _, _, of in frames], **told)  # type: ignore[arg-type]


def plain(packets: Packets) -> list[Frame]:
    """Packets right in IP, one in each frame."""
    return [(one.time_ns, in_ip(one), n) for n, one in enumerate(packets, 1)]


def each(change: Callable[[Packet], Packet]) -> Make:
    """A change of each packet by itself."""
    return lambda packets, folder: written(folder, plain([change(one) for one in packets]))
