# SPDX-License-Identifier: BSD-2-Clause
"""One packet block with our comment in its options, and without (draft-ietf-opsawg-pcapng, 3.5).

Enhanced Packet Blocks and the obsolete Packet Blocks have options, in the same place.
"""

import struct

#: Of a packet's body before its bytes, in both kinds of blocks.
FIXED = 20
CAPTURED_AT = 12
COMMENT = 1
_END = 0
#: Block type, length, and length again.
_AROUND = 12


def with_comment(order: str, kind: int, body: bytes, comment: str | None, mark: bytes) -> bytes:
    """The whole block with `comment` as the last of its comments, or without one.

    `body` is between header and trailer, `order` is `<` or `>`. Comments that begin with `mark` are
    left out; all other options stay as they are. Options that run beyond the block stay too, behind
    the new one.
    """
    begin = options_at(order, body)
    options, end = _options(order, body, begin)
    kept = [option for option in options if not _is_ours(order, option, mark)]
    if comment is not None:
        text = comment.encode()
        option = struct.pack(order + "HH", COMMENT, len(text)) + text + bytes(-len(text) % 4)
        kept.append(option)
        end = end or bytes(4)  # the end of options, which may be left out where there are none
    elif not kept and not any(end):
        end = b""
    new = body[:begin] + b"".join(kept) + end
    length = struct.pack(order + "I", len(new) + _AROUND)
    return struct.pack(order + "I", kind) + length + new + length


def options_at(order: str, body: bytes) -> int:
    """Where the options of a packet's body begin: behind its bytes and their padding.

    At most the end of the body.
    """
    if len(body) < FIXED:
        return len(body)
    captured = int(struct.unpack_from(order + "I", body, CAPTURED_AT)[0])
    return min(FIXED + captured + -captured % 4, len(body))


def _options(order: str, body: bytes, begin: int) -> tuple[list[bytes], bytes]:
    """The options one by one, and what is behind them from their end on."""
    options, at = [], begin
    while len(body) - at >= 4:
        code, length = struct.unpack_from(order + "HH", body, at)
        after = at + 4 + length + -length % 4
        if code == _END or after > len(body):
            break
        options.append(body[at:after])
        at = after
    return options, body[at:]


def _is_ours(order: str, option: bytes, mark: bytes) -> bool:
    (code,) = struct.unpack_from(order + "H", option)
    return bool(code == COMMENT and option[4:].startswith(mark))
