# SPDX-License-Identifier: BSD-2-Clause
"""A capture written again: its SCTP packets right in IP, and with other TSNs."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

from sctp_rack.readers.tshark import TsharkSource

from tests.builder import layers, sctp
from tests.builder.files import RESOLUTION, Pcapng

RAW, NANOSECONDS, MODULUS = 101, 9, 1 << 32

INIT, INIT_ACK, SHUTDOWN, ECNE, CWR = 1, 2, 7, 12, 13
FORWARD_TSN, I_FORWARD_TSN = 192, 194

#: Where the TSNs of fixed fields lie in a chunk.
_FIELD = {
    **dict.fromkeys((sctp.DATA, sctp.I_DATA, sctp.SACK, sctp.NR_SACK, SHUTDOWN, ECNE, CWR), 4),
    **dict.fromkeys((FORWARD_TSN, I_FORWARD_TSN), 4),
    **dict.fromkeys((INIT, INIT_ACK), 16),
}


@dataclass(frozen=True)
class Seen:
    """An SCTP packet of a capture, and the IP header that carried it."""

    time_ns: int
    src: str
    dst: str
    id: int
    data: bytes


def packets_of(path: Path) -> list[Seen]:
    """Every SCTP packet that tshark finds in the capture, in order: one in each frame."""
    found = []
    for frame in TsharkSource(str(path)).frames():
        (packet,) = frame.packets
        ends = (_address(packet.src), _address(packet.dst))
        found.append(Seen(frame.time_ns, *ends, packet.id, packet.data))
    return found


def _address(told: bytes) -> str:
    return str(IPv4Address(told[:4]) if told[16] == 4 else IPv6Address(told[:16]))


def _in_ip(packet: Seen) -> bytes:
    if ":" in packet.src:
        return layers.ipv6(layers.SCTP, packet.data, src=packet.src, dst=packet.dst)
    return layers.ipv4(layers.SCTP, packet.data, ident=packet.id, src=packet.src, dst=packet.dst)


def write(packets: list[Seen], path: Path) -> Path:
    """A file with one frame for each packet, right in IP, to the nanosecond."""
    file = Pcapng()
    file.interface(RAW, options=[(RESOLUTION, bytes([NANOSECONDS]))])
    for packet in packets:
        file.packet(_in_ip(packet), ticks=packet.time_ns)
    path.write_bytes(bytes(file))
    return path


def moved(packet: Seen, by: int) -> Seen:
    """All its TSNs are higher by `by`; a right checksum stays right."""
    return replace(packet, data=with_moved_tsns(packet.data, by))


def with_moved_tsns(packet: bytes, by: int) -> bytes:
    """The SCTP packet with TSNs that are higher by `by`."""
    chunks = b"".join(_moved(chunk, by) for chunk in chunks_of(packet))
    return resealed(packet, packet[:12] + chunks)


def resealed(before: bytes, after: bytes) -> bytes:
    """The SCTP packet `after`; its checksum is right if that of `before` was."""
    was_right = struct.unpack(">I", before[8:12])[0] == _right(before)
    field = struct.pack(">I", _right(after)) if was_right else before[8:12]
    return after[:8] + field + after[12:]


def _right(packet: bytes) -> int:
    return sctp.crc32c(packet[:8] + bytes(4) + packet[12:])


def chunks_of(packet: bytes) -> Iterator[bytes]:
    """With their padding; what is left over comes last."""
    at = 12
    while at + 4 <= len(packet):
        length = max(4, struct.unpack_from(">H", packet, at + 2)[0] + 3 & ~3)
        yield packet[at : at + length]
        at += length
    yield packet[at:]


def _moved(chunk: bytes, by: int) -> bytes:
    changed = bytearray(chunk)
    kind = chunk[0] if chunk else -1
    fields = [_FIELD[kind]] if kind in _FIELD else []
    if kind in (sctp.SACK, sctp.NR_SACK):
        counts = struct.unpack_from(">HH" if kind == sctp.SACK else ">HHH", chunk, 12)
        at = (16 if kind == sctp.SACK else 20) + 4 * sum(counts[:-1])
        fields += range(at, at + 4 * counts[-1], 4)
    for field in fields:
        (tsn,) = struct.unpack_from(">I", chunk, field)
        struct.pack_into(">I", changed, field, (tsn + by) % MODULUS)
    return bytes(changed)
