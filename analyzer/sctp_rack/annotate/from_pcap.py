# SPDX-License-Identifier: BSD-2-Clause
"""A pcap file as pcapng: the same packets, times, link type and snap length, in its byte order.

Only the fields of Kuznetzov's longer record header (interface index, protocol, packet type) have no
place there, nor have the time zone and accuracy of the file header, which are always 0.
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO

from sctp_rack.annotate.blocks import ENHANCED, INTERFACE, SECTION, Block
from sctp_rack.errors import CaptureError

_NANOSECONDS, _KUZNETZOV = 0xA1B23C4D, 0xA1B2CD34
_MAGICS = (0xA1B2C3D4, _NANOSECONDS, _KUZNETZOV)
_FILE_HEADER = 24
#: Wireshark's limit of a packet, bytes.
_LARGEST_RECORD = 262144

# draft-ietf-opsawg-pcap section 4: the link type's field also tells of a frame check sequence.
_LINK_TYPE = 0x03FFFFFF
_FCS_IS_KNOWN = 0x04000000
_FCS_SHIFT = 28
_FCS_UNIT = 16  # bits

# Options of an interface (draft-ietf-opsawg-pcapng section 4.2).
_END, _RESOLUTION, _FCS_LENGTH = 0, 9, 13


def is_pcap(head: bytes) -> bool:
    """By the first four bytes of a file."""
    return any(int.from_bytes(head[:4], way) in _MAGICS for way in ("little", "big"))


def blocks_of_pcap(name: str, stream: BinaryIO) -> Iterator[Block]:
    """A section, an interface, and an Enhanced Packet Block for each record.

    They end where a record is cut or claims too much. Raises `CaptureError` for a link type that
    pcapng has no number for.
    """
    header = stream.read(_FILE_HEADER)
    order = "<" if int.from_bytes(header[:4], "little") in _MAGICS else ">"
    if len(header) < _FILE_HEADER:
        return
    magic, _, _, _, _, snaplen, link = struct.unpack(order + "IHHiIII", header)
    link_type = link & _LINK_TYPE
    if link_type > 0xFFFF:
        raise CaptureError(f"{name}: link type {link_type} has no number in pcapng")
    nano = magic == _NANOSECONDS
    yield _block(order, SECTION, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
    options = _option(order, _RESOLUTION, 9 if nano else 6)
    if link & _FCS_IS_KNOWN:
        options += _option(order, _FCS_LENGTH, (link >> _FCS_SHIFT) * _FCS_UNIT)
    body = struct.pack(order + "HHI", link_type, 0, snaplen) + options
    yield _block(order, INTERFACE, body + struct.pack(order + "HH", _END, 0))
    yield from _packets(stream, order, 10**9 if nano else 10**6, 8 if magic == _KUZNETZOV else 0)


def _packets(stream: BinaryIO, order: str, units: int, more_header: int) -> Iterator[Block]:
    frame = 0
    while len(header := stream.read(16 + more_header)) == 16 + more_header:
        seconds, fraction, captured, wire = struct.unpack_from(order + "IIII", header)
        if captured > _LARGEST_RECORD:
            return
        packet = stream.read(captured)
        if len(packet) < captured:
            return
        frame += 1
        ticks = divmod(seconds * units + fraction, 1 << 32)
        fixed = struct.pack(order + "IIIII", 0, *ticks, captured, wire)
        yield _block(order, ENHANCED, fixed + packet + bytes(-captured % 4), frame)


def _block(order: str, kind: int, body: bytes, frame: int | None = None) -> Block:
    length = struct.pack(order + "I", len(body) + 12)
    return Block(order, kind, frame, struct.pack(order + "I", kind) + length + body + length)


def _option(order: str, code: int, value: int) -> bytes:
    """Of one byte."""
    return struct.pack(order + "HHB3x", code, 1, value)
