# SPDX-License-Identifier: BSD-2-Clause
"""Capture files with times in nanoseconds: pcap and pcapng, little-endian."""

import struct
from collections.abc import Iterable
from pathlib import Path

Frame = tuple[int, bytes]  #: time in nanoseconds since 1970, bytes

LONGEST = 262144  #: the longest frame that fits (libpcap's MAXIMUM_SNAPLEN)

_BILLION = 1_000_000_000


def write_pcap(path: Path, link_type: int, frames: Iterable[Frame], snaplen: int = LONGEST) -> None:
    """The format of libpcap; of each frame at most `snaplen` bytes."""
    out = bytearray(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, snaplen, link_type))
    for time_ns, frame in frames:
        kept = frame[:snaplen]
        out += struct.pack("<IIII", *divmod(time_ns, _BILLION), len(kept), len(frame)) + kept
    path.write_bytes(out)


def write_pcapng(
    path: Path, link_type: int, frames: Iterable[Frame], snaplen: int = LONGEST
) -> None:
    """One section, one interface; of each frame at most `snaplen` bytes."""
    limit = 0 if snaplen == LONGEST else snaplen
    nanoseconds = struct.pack("<HHB3xHH", 9, 1, 9, 0, 0)
    out = _block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    out += _block(1, struct.pack("<HHI", link_type, 0, limit) + nanoseconds)
    for time_ns, frame in frames:
        kept = frame[:snaplen]
        head = struct.pack("<IIIII", 0, *divmod(time_ns, 1 << 32), len(kept), len(frame))
        out += _block(6, head + kept + bytes(-len(kept) % 4))
    path.write_bytes(out)


def _block(kind: int, body: bytes) -> bytes:
    length = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + length + body + length
