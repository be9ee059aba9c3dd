# SPDX-License-Identifier: BSD-2-Clause
"""The blocks of a pcapng file without our comments: what was there before them."""

import struct

MARK = b"sctp-rack: "
SECTION, OBSOLETE, ENHANCED = 0x0A0D0D0A, 2, 6
SECTION_LENGTH = slice(16, 24)


def stripped(content: bytes) -> list[bytes]:
    """Each block; the length of a section and an end of options are left out.

    From a broken block on all is one piece.
    """
    found, at, order = [], 0, "<"
    while len(content) - at >= 12:
        kind = int.from_bytes(content[at : at + 4], "little" if order == "<" else "big")
        if content[at : at + 4] == b"\n\r\r\n":
            kind = SECTION
            order = "<" if content[at + 8 : at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
        (length,) = struct.unpack_from(order + "I", content, at + 4)
        block = content[at : at + length]
        if length < 12 or length % 4 or len(block) < length or block[-4:] != block[4:8]:
            break
        at += length
        if kind == SECTION:
            block = block[: SECTION_LENGTH.start] + block[SECTION_LENGTH.stop :]
        found.append(_without_ours(order, block) if kind in (OBSOLETE, ENHANCED) else block)
    return [*found, content[at:]]


def _without_ours(order: str, block: bytes) -> bytes:
    if len(block) < 32:
        return block
    (captured,) = struct.unpack_from(order + "I", block, 20)
    at = 28 + (captured + 3) // 4 * 4
    kept = [block[:4], block[8:at]]
    rest = block[at:-4]
    while len(rest) >= 4:
        code, length = struct.unpack_from(order + "HH", rest)
        whole = 4 + (length + 3) // 4 * 4
        if code == 0 or whole > len(rest):
            break
        if not (code == 1 and rest[4:].startswith(MARK)):
            kept.append(rest[:whole])
        rest = rest[whole:]
    if rest != bytes(4):
        kept.append(rest)
    return b"".join(kept)
