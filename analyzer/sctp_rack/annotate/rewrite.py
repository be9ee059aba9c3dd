# SPDX-License-Identifier: BSD-2-Clause
"""A capture written again as pcapng with comments: all else stays, byte for byte."""

import io
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from sctp_rack.annotate.blocks import COMMENTED, LARGEST, SECTION, Block, blocks
from sctp_rack.annotate.from_pcap import blocks_of_pcap, is_pcap
from sctp_rack.annotate.packet_comment import FIXED, options_at, with_comment
from sctp_rack.annotate.remark import MARK
from sctp_rack.binding.source import Readable, input_errors
from sctp_rack.errors import CaptureError, UsageError

_PIECE = 1 << 20  # bytes
_OURS = MARK.encode()
_PCAPNG = SECTION.to_bytes(4, "big")
#: A section header's length of the section, and the value for one that does not say.
SECTION_LENGTH_AT = 16
_UNKNOWN = b"\xff" * 8
WITHOUT_ROOM = "{frames:many frame} without room for a comment, as in Simple Packet Blocks"
GONE = "frame {frame} is not there any more: the file has changed meanwhile"
NO_PACKETS = "only pcap and pcapng files can be annotated; editcap makes one of another capture"


@dataclass
class Written:
    """How many frames have got a comment, and how many have no room for theirs."""

    comments: int = 0
    without_room: int = 0


def rewrite(
    name: str, source: Readable, comments: Iterable[tuple[int, str]], output: BinaryIO
) -> Written:
    """Writes `source`, called `name`, with `comments`: frame and text, by frame.

    Comments of an earlier time are replaced. A section whose header tells its length says
    afterwards that it is unknown. Raises `UsageError` where it is neither pcap nor pcapng, and
    `CaptureError` where it does not have a frame that has a comment.
    """
    stream = io.BufferedReader(cast(io.RawIOBase, _UntilBroken(source)), _PIECE)
    written = Written()
    with stream:
        head = stream.peek(4)[:4]
        if is_pcap(head):
            found = blocks_of_pcap(name, stream)
        elif head == _PCAPNG:
            found = blocks(stream)
        else:
            raise UsageError(f"{name}: {NO_PACKETS}")
        waiting = itertools.chain(comments, [(0, "")])
        _write(found, stream, waiting, output, written)
    return written


def check_is_capture(name: str, source: Readable) -> None:
    """Raises `UsageError` where `source`, called `name`, is neither pcap nor pcapng; closes it."""
    with io.BufferedReader(cast(io.RawIOBase, _UntilBroken(source)), 4) as stream:
        head = stream.read(4)
    if head and not is_pcap(head) and head != _PCAPNG:
        raise UsageError(f"{name}: {NO_PACKETS}")


def _write(
    found: Iterator[Block],
    stream: BinaryIO,
    waiting: Iterator[tuple[int, str]],
    output: BinaryIO,
    written: Written,
) -> None:
    frame, text = next(waiting)
    for block in found:
        comment = None
        if block.frame is not None and block.frame == frame:
            comment = text
            frame, text = next(waiting)
        if block.kind == SECTION:
            output.write(_of_unknown_length(block.content))
        elif comment is None and not _may_have_ours(block):
            output.write(block.content)
        else:
            output.write(_commented(block, comment, written))
        _copy(stream, output, block.rest)
    if frame:
        raise CaptureError(GONE.format(frame=frame))


def _commented(block: Block, comment: str | None, written: Written) -> bytes:
    if block.kind not in COMMENTED:
        written.without_room += 1
        return block.content
    new = with_comment(block.order, block.kind, block.body, comment, _OURS)
    if comment is not None and len(new) > LARGEST:
        written.without_room += 1
        return block.content
    written.comments += comment is not None
    return new


def _may_have_ours(block: Block) -> bool:
    """It has options, and somewhere behind their beginning what our comments begin with."""
    if block.kind not in COMMENTED or len(block.content) <= FIXED + 12 + 8:
        return False
    return block.content.find(_OURS, 8 + options_at(block.order, block.body)) >= 0


def _of_unknown_length(header: bytes) -> bytes:
    end = SECTION_LENGTH_AT + len(_UNKNOWN)
    return header[:SECTION_LENGTH_AT] + _UNKNOWN + header[end:] if len(header) >= end else header


def _copy(stream: BinaryIO, output: BinaryIO, count: int) -> None:
    while count and (piece := stream.read(min(count, _PIECE))):
        output.write(piece)
        count -= len(piece)


class _UntilBroken(io.RawIOBase):
    """The bytes of a source up to where it breaks off: its analysis has told of that."""

    def __init__(self, source: Readable) -> None:
        super().__init__()
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        try:
            return self._source.readinto1(buffer)
        except input_errors():
            return 0

    def close(self) -> None:
        self._source.close()
        super().close()
