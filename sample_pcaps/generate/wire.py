# SPDX-License-Identifier: BSD-2-Clause
"""Which DATA chunks and which acknowledgement an SCTP packet holds, as far as truth needs it."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

COMMON_HEADER = 12
DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, NR_SACK, I_DATA = 0, 1, 2, 3, 4, 5, 16, 64
FORWARD_TSN, I_FORWARD_TSN = 192, 194
_USER_DATA_AT = {DATA: 16, I_DATA: 20}


def _crc32c_of_byte(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


_CRC32C = tuple(_crc32c_of_byte(byte) for byte in range(256))


@dataclass(frozen=True)
class Data:
    """A DATA or I-DATA chunk."""

    tsn: int
    user_bytes: int


@dataclass(frozen=True)
class Acknowledgement:
    """A SACK or NR-SACK; gaps and NR-gaps together, as offsets from the cumulative TSN."""

    cum_tsn: int
    a_rwnd: int
    blocks: tuple[tuple[int, int], ...]

    def covers(self, tsn: int) -> bool:
        """Whether `tsn` is acknowledged, cumulatively or in a block."""
        offset = (tsn - self.cum_tsn) % 2**32
        return offset == 0 or offset >= 2**31 or any(s <= offset <= e for s, e in self.blocks)

    @property
    def highest(self) -> int:
        """The highest TSN that is acknowledged."""
        return (self.cum_tsn + max((end for _, end in self.blocks), default=0)) % 2**32


def chunks(packet: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(type, flags, value) of each chunk; what cannot be a chunk ends it."""
    at = COMMON_HEADER
    while at + 4 <= len(packet):
        kind, flags, length = struct.unpack_from("!BBH", packet, at)
        if length < 4 or at + length > len(packet):
            return
        yield kind, flags, packet[at + 4 : at + length]
        at += length + -length % 4


def data_of(packet: bytes) -> list[Data]:
    """The DATA and I-DATA chunks of a packet, in order."""
    return [
        Data(struct.unpack_from("!I", value)[0], len(value) + 4 - _USER_DATA_AT[kind])
        for kind, _, value in chunks(packet)
        if kind in _USER_DATA_AT
    ]


def headers_of_data(packet: bytes) -> list[tuple[int, int]]:
    """The TSN of each DATA and I-DATA chunk, and where in the packet its header ends."""
    found, at = [], COMMON_HEADER
    for kind, _, value in chunks(packet):
        if kind in _USER_DATA_AT:
            found.append((struct.unpack_from("!I", value)[0], at + _USER_DATA_AT[kind]))
        at += 4 + len(value) + -len(value) % 4
    return found


def acknowledgement_of(packet: bytes) -> Acknowledgement | None:
    """The SACK or NR-SACK of a packet."""
    for kind, _, value in chunks(packet):
        if kind == SACK:
            cum_tsn, a_rwnd, gaps = struct.unpack_from("!IIH", value)
            return Acknowledgement(cum_tsn, a_rwnd, _blocks(value[12:], gaps))
        if kind == NR_SACK:
            cum_tsn, a_rwnd, gaps, nr_gaps = struct.unpack_from("!IIHH", value)
            return Acknowledgement(cum_tsn, a_rwnd, _blocks(value[16:], gaps + nr_gaps))
    return None


def given_up_by(packet: bytes) -> int | None:
    """The TSN up to which a FORWARD-TSN or I-FORWARD-TSN gives up what is open."""
    for kind, _, value in chunks(packet):
        if kind in (FORWARD_TSN, I_FORWARD_TSN):
            return int(struct.unpack_from("!I", value)[0])
    return None


def _blocks(value: bytes, count: int) -> tuple[tuple[int, int], ...]:
    return tuple(struct.iter_unpack("!HH", value[: 4 * count]))


def is_handshake(packet: bytes) -> bool:
    """Whether it is an INIT or INIT ACK."""
    return packet[COMMON_HEADER] in (INIT, INIT_ACK)


def with_checksum(packet: bytes) -> bytes:
    """The packet with the CRC32c that belongs to it (RFC 9260, appendix A)."""
    zeroed = packet[:8] + bytes(4) + packet[COMMON_HEADER:]
    crc = 0xFFFFFFFF
    for byte in zeroed:
        crc = crc >> 8 ^ _CRC32C[(crc ^ byte) & 0xFF]
    return packet[:8] + struct.pack("<I", crc ^ 0xFFFFFFFF) + packet[COMMON_HEADER:]
