# SPDX-License-Identifier: BSD-2-Clause
"""How a link changes packets: every n-th that is not part of the handshake."""

import struct
from dataclasses import dataclass
from enum import Enum

from .wire import COMMON_HEADER, SACK, is_handshake, with_checksum


class Damage(Enum):
    """What is wrong afterwards; but for the first the checksum is right."""

    CHECKSUM = "checksum"
    CHUNK_LENGTH = "bad chunk length"
    PADDING = "nonzero padding"
    GAP_REPORTS = "no gap reports"  #: duplicates stay


@dataclass(frozen=True)
class Fault:
    """A damage, and how often."""

    damage: Damage
    every: int


class Damager:
    """Damages the packets of one direction in the order in which they pass."""

    def __init__(self, fault: Fault | None) -> None:
        self._fault = fault
        self._seen = 0

    def pass_on(self, packet: bytes) -> bytes:
        """The packet as it leaves."""
        if self._fault is None or is_handshake(packet):
            return packet
        self._seen += 1
        if self._seen % self._fault.every:
            return packet
        return _damaged(packet, self._fault.damage)


def _damaged(packet: bytes, damage: Damage) -> bytes:
    if damage is Damage.CHECKSUM:
        return packet[:-1] + bytes([packet[-1] ^ 0xFF])
    if damage is Damage.GAP_REPORTS:
        return _without_gap_reports(packet)
    (length,) = struct.unpack_from("!H", packet, COMMON_HEADER + 2)
    changed = bytearray(packet)
    if damage is Damage.CHUNK_LENGTH:
        struct.pack_into("!H", changed, COMMON_HEADER + 2, 3)  # less than the chunk's own header
    elif length % 4:
        changed[COMMON_HEADER + length] = 0xFF
    else:
        return packet
    return with_checksum(bytes(changed))


def _without_gap_reports(packet: bytes) -> bytes:
    """A SACK comes first (RFC 9260 section 6.10: control chunks before DATA)."""
    kind, flags, length = struct.unpack_from("!BBH", packet, COMMON_HEADER)
    if kind != SACK:
        return packet
    gaps_at = COMMON_HEADER + 16
    blocks, duplicates = struct.unpack_from("!HH", packet, gaps_at - 4)
    sack = (
        struct.pack("!BBH", kind, flags, length - 4 * blocks)
        + packet[COMMON_HEADER + 4 : gaps_at - 4]
    )
    rest = struct.pack("!HH", 0, duplicates) + packet[gaps_at + 4 * blocks :]
    return with_checksum(packet[:COMMON_HEADER] + sack + rest) if blocks else packet
