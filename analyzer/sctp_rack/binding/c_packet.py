# SPDX-License-Identifier: BSD-2-Clause
"""A packet of another reader as the core takes it."""

from typing import Any

from sctp_rack._core import ffi
from sctp_rack.names import ENUMS
from sctp_rack.readers.packet import Frame, Packet

_ENCAPSULATIONS = {word: index for index, word in enumerate(ENUMS["encapsulation"])}


def c_packet(frame: Frame, packet: Packet) -> Any:
    """The packet for the core; its bytes are those of `packet`, which must live as long."""
    shape = ffi.new("struct sr_packet *")
    shape.frame = frame.number
    shape.time_ns = frame.time_ns
    shape.interface = frame.interface
    ffi.memmove(ffi.addressof(shape, "src"), packet.src, len(packet.src))
    ffi.memmove(ffi.addressof(shape, "dst"), packet.dst, len(packet.dst))
    shape.encapsulation = _ENCAPSULATIONS[packet.encapsulation]
    shape.id = packet.id
    shape.hop_limit = packet.hop_limit
    shape.bytes = ffi.from_buffer(packet.data)
    shape.captured = len(packet.data)
    shape.wire = packet.wire
    return shape
