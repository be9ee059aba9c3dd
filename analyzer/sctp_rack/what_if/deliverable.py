# SPDX-License-Identifier: BSD-2-Clause
"""Which received data a receiver could deliver, and so promise never to drop.

Delivered is a message that is whole, and of an ordered one each before it in its stream (RFC 9260
section 6.6): at once where its U bit is set, else by SSN; of I-DATA by MID, its fragments by FSN
(RFC 8260 section 2.1). Where the number of a message does not follow the one before it, as where
the capture begins in the middle or a stream was reset, the cumulative TSN has to pass it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sctp_rack.what_if.first_copies import FIRST, LAST, UNORDERED, Chunk

_SSN, _MID = 1 << 16, 1 << 32


@dataclass(slots=True)
class _Message:
    chunks: list[Chunk]
    #: The highest place of its chunks.
    last: int = 0
    missing: int = 0
    #: All of it was sent.
    whole: bool = False
    #: Its number is the next of its stream; true of what has no order.
    follows: bool = True
    #: The receiver is done with it: delivered, or given up.
    done: bool = False
    stream: "_Stream | None" = None


@dataclass(slots=True)
class _Stream:
    """The ordered messages of a stream, and how many of them are done with."""

    messages: list[_Message] = field(default_factory=list)
    done: int = 0


class Receiver:
    """What a receiver could have delivered, told what reached it."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        """All that is sent to it, each TSN once."""
        self._message: dict[int, _Message] = {}
        in_order = sorted(chunks, key=lambda chunk: chunk.place)
        messages = list(_messages(in_order))
        _put_in_streams(messages)
        for message in messages:
            message.missing = len(message.chunks)
            message.last = max(chunk.place for chunk in message.chunks)
            for chunk in message.chunks:
                self._message[chunk.place] = message
        #: Bytes of the largest of them.
        self.largest_message = max((_size(message) for message in messages), default=0)
        #: Those that the cumulative TSN has not passed, the next one last.
        self._ahead = sorted(messages, key=lambda one: -one.last)

    def gets(self, chunk: Chunk) -> Iterator[Chunk]:
        """A chunk reaches it; what it can deliver by that. Each is told of once."""
        message = self._message[chunk.place]
        message.missing -= 1
        if message.missing or not message.whole or message.done:
            return
        if message.stream is None:
            message.done = True
            yield from message.chunks
        else:
            yield from _deliver(message.stream)

    def passes(self, cum: int) -> Iterator[Chunk]:
        """It has all up to here, or is told to do without (RFC 3758); what that lets it deliver."""
        while self._ahead and self._ahead[-1].last <= cum:
            message = self._ahead.pop()
            message.done = True
            if message.stream is not None:
                yield from _deliver(message.stream)


def _size(message: _Message) -> int:
    return sum(chunk.bytes for chunk in message.chunks)


def _deliver(stream: _Stream) -> Iterator[Chunk]:
    while stream.done < len(stream.messages):
        message = stream.messages[stream.done]
        if not message.done:
            if message.missing or not message.whole or not message.follows:
                return
            message.done = True
            yield from message.chunks
        stream.done += 1


def _messages(in_order: Iterable[Chunk]) -> Iterator[_Message]:
    """In the order of their first TSNs; those of I-DATA may lie in each other."""
    data: list[Chunk] = []
    interleaved: dict[tuple[int, bool, int], list[Chunk]] = {}
    for chunk in in_order:
        if chunk.is_i_data:
            key = chunk.sid, bool(chunk.flags & UNORDERED), chunk.message
            if chunk.flags & FIRST and key in interleaved:
                yield _of_i_data(interleaved.pop(key))
            interleaved.setdefault(key, []).append(chunk)
            continue
        if data and not _goes_on(data[-1], chunk):
            yield _of_data(data)
            data = []
        data.append(chunk)
    if data:
        yield _of_data(data)
    for fragments in interleaved.values():
        yield _of_i_data(fragments)


def _goes_on(before: Chunk, chunk: Chunk) -> bool:
    """Fragments of DATA have TSNs in a row (RFC 9260 section 6.9)."""
    same = (before.sid, before.message, before.flags & UNORDERED) == (
        chunk.sid,
        chunk.message,
        chunk.flags & UNORDERED,
    )
    return (
        same
        and chunk.place == before.place + 1
        and not before.flags & LAST
        and not chunk.flags & FIRST
    )


def _of_data(chunks: list[Chunk]) -> _Message:
    whole = bool(chunks[0].flags & FIRST and chunks[-1].flags & LAST)
    return _Message(chunks, whole=whole)


def _of_i_data(chunks: list[Chunk]) -> _Message:
    ends = [chunk.flags for chunk in chunks]
    numbers = sorted(chunk.fsn or 0 for chunk in chunks)
    whole = (
        any(flags & FIRST for flags in ends)
        and any(flags & LAST for flags in ends)
        and numbers == list(range(len(numbers)))
    )
    return _Message(chunks, whole=whole)


def _put_in_streams(messages: Iterable[_Message]) -> None:
    streams: dict[tuple[int, bool], _Stream] = {}
    for message in sorted(messages, key=lambda one: one.chunks[0].place):
        first = message.chunks[0]
        if first.flags & UNORDERED:
            continue
        stream = streams.setdefault((first.sid, first.is_i_data), _Stream())
        numbers = _MID if first.is_i_data else _SSN
        before = stream.messages[-1].chunks[0].message if stream.messages else -1
        message.follows = first.message == (before + 1) % numbers
        message.stream = stream
        stream.messages.append(message)
