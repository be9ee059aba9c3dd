# SPDX-License-Identifier: BSD-2-Clause
"""Which bytes of a pcapng file are one block, and which frame it is to Wireshark."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

SECTION, INTERFACE, OBSOLETE, SIMPLE, ENHANCED = 0x0A0D0D0A, 1, 2, 3, 6
#: Custom blocks, journal entries and Sysdig events hold no packet, and Wireshark numbers them too.
_OTHER_FRAMES = (0x00000BAD, 0x40000BAD, 9, 0x204, 0x216, 0x221)
FRAMES = frozenset((OBSOLETE, SIMPLE, ENHANCED, *_OTHER_FRAMES))

#: Blocks that have comments here.
COMMENTED = (ENHANCED, OBSOLETE)

#: Of a section header, in its byte order.
MAGIC = 0x1A2B3C4D
_BYTE_ORDERS = {MAGIC.to_bytes(4, "little"): "<", MAGIC.to_bytes(4, "big"): ">"}
_LEAST = 12
#: Wireshark's limit: 128 MiB for a packet, the rest for header and options.
LARGEST = 134348832
#: Bytes of a block without a packet that are read at once.
PIECE = 65536


@dataclass(frozen=True)
class Block:
    """One block, or what is left from where blocks cannot be told apart any more.

    `order` is `<` or `>`, `frame` the number that Wireshark gives it; `kind` is None for what is no
    block. `content` has all its bytes, or its first ones: the rest is still to be read.
    """

    order: str
    kind: int | None
    frame: int | None
    content: bytes
    rest: int = 0

    @property
    def body(self) -> bytes:
        """Between header and trailer."""
        return self.content[8:-4]


def blocks(stream: BinaryIO) -> Iterator[Block]:
    """Blocks until the end; whoever takes one with a `rest` must read it before the next.

    Packet blocks are whole. What follows a broken block is one with `kind` None, in pieces.
    """
    order, frame = "<", 0
    while head := stream.read(8):
        if len(head) == 8 and head[:4] == b"\x0a\x0d\x0d\x0a":
            head += stream.read(4)
            order = _BYTE_ORDERS.get(head[8:], "")
        if len(head) < 8 or not order:
            break
        kind, length = struct.unpack_from(order + "II", head)
        if length < _LEAST or length % 4 or length > LARGEST:
            break
        there = length if kind in COMMENTED else min(length, PIECE)
        content = head + stream.read(there - len(head))
        whole = len(content) == length
        if len(content) < there or (whole and content[-4:] != head[4:8]):
            head = content
            break
        number = None
        if kind in FRAMES:
            frame += 1
            number = frame
        yield Block(order, kind, number, content, length - there)
    while head:
        yield Block(order, None, None, head)
        head = stream.read(PIECE)
