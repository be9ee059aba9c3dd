# SPDX-License-Identifier: BSD-2-Clause
"""A pcap file as pcapng: the same packets, times, link type and snap length, in its byte order.

Only the fields of Kuznetzov's longer record header (interface index, protocol, packet type) have no
place there, nor have the time zone and accuracy of the file header, which are always 0.
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO

from sctp_rack.annotate.blocks import ENHANCED, INTERFACE, MAGIC, SECTION, Block
from sctp_rack.errors import CaptureError

NANOSECONDS, KUZNETZOV = 0xA1B23C4D, 0xA1B2CD34
MAGICS = (0xA1B2C3D4, NANOSECONDS, KUZNETZOV)
_FILE_HEADER = 24
NO_NUMBER = "link type {link_type} has no number in pcapng"
#: Wireshark's limit of a packet, bytes.
LARGEST_RECORD = 262144

# draft-ietf-opsawg-pcap section 4: the link type's field also tells of a frame check sequence.
LINK_TYPE = 0x03FFFFFF
FCS_IS_KNOWN = 0x04000000
FCS_SHIFT = 28
FCS_UNIT = 16  # bits

# Options of an interface (draft-ietf-opsawg-pcapng section 4.2).
_END, RESOLUTION, FCS_LENGTH = 0, 9, 13


def is_pcap(head: bytes) -> bool:
    """By the first four bytes of a file."""
    return any(int.from_bytes(head[:4], way) in MAGICS for way in ("little", "big"))


def blocks_of_pcap(name: str, stream: BinaryIO) -> Iterator[Block]:
    """A section, an interface, and an Enhanced Packet Block for each record.

    They end where a record is cut or claims too much. Raises `CaptureError` for a link type that
    pcapng has no number for.
    """
    header = stream.read(_FILE_HEADER)
    order = "<" if int.from_bytes(header[:4], "little") in MAGICS else ">"
    if len(header) < _FILE_HEADER:
        return
    magic, _, _, _, _, snaplen, link = struct.unpack(order + "IHHiIII", header)
    link_type = link & LINK_TYPE
    if link_type > 0xFFFF:
        raise CaptureError(f"{name}: {NO_NUMBER.format(link_type=link_type)}")
    nano = magic == NANOSECONDS
    yield _block(order, SECTION, struct.pack(order + "IHHq", MAGIC, 1, 0, -1))
    options = _option(order, RESOLUTION, 9 if nano else 6)
    if link & FCS_IS_KNOWN:
        options += _option(order, FCS_LENGTH, (link >> FCS_SHIFT) * FCS_UNIT)
    body = struct.pack(order + "HHI", link_type, 0, snaplen) + options
    yield _block(order, INTERFACE, body + struct.pack(order + "HH", _END, 0))
    yield from _packets(stream, order, 10**9 if nano else 10**6, 8 if magic == KUZNETZOV else 0)


def _packets(stream: BinaryIO, order: str, units: int, more_header: int) -> Iterator[Block]:
    frame = 0
    while len(header := stream.read(16 + more_header)) == 16 + more_header:
        seconds, fraction, captured, wire = struct.unpack_from(order + "IIII", header)
        if captured > LARGEST_RECORD:
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
