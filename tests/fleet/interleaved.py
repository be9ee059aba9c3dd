# SPDX-License-Identifier: BSD-2-Clause
"""Captures of some samples at the same time, as one of a busy host: many associations in one."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.captures import BUNDLED

#: Of a pcap file in this machine's byte order: its header, and those of packets.
_HEADER, _RECORD = 24, struct.Struct("4I")
_NS = 10**9
_BEGIN_NS = 1_700_000_000 * _NS

#: Of raw IP, with times in nanoseconds.
NAMES = (
    "usrsctp-both-ways.sender",
    "pion-delay-spike.sender",
    "linux-bulk-loss.sender",
    "linux-outage.sender",
    "pion-tail-loss.sender",
    "dcsctp-nth-loss.sender",
    "usrsctp-delay-spike.receiver",
)


def interleaved(path: Path, names: Sequence[str] = NAMES, without: int = 0) -> Path:
    """They begin at the same time; of each the first `without` packets are missing."""
    header, packets = b"", list[tuple[int, bytes]]()
    for name in names:
        header = (BUNDLED / f"{name}.pcap").read_bytes()[:_HEADER]
        some = list(packets_of(name))
        begin_ns = some[0][0]
        packets += [(time_ns - begin_ns, packet) for time_ns, packet in some[without:]]
    with path.open("wb") as file:
        file.write(header)
        for time_ns, packet in sorted(packets, key=lambda one: one[0]):
            seconds, rest = divmod(_BEGIN_NS + time_ns, _NS)
            file.write(_RECORD.pack(seconds, rest, len(packet), len(packet)) + packet)
    return path


def packets_of(name: str) -> Iterator[tuple[int, bytes]]:
    """Times and IP packets of a sample."""
    content = (BUNDLED / f"{name}.pcap").read_bytes()
    at = _HEADER
    while at < len(content):
        seconds, rest, captured, _ = _RECORD.unpack_from(content, at)
        at += _RECORD.size
        yield seconds * _NS + rest, content[at : at + captured]
        at += captured
