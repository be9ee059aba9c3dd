# SPDX-License-Identifier: BSD-2-Clause
"""What applications send and when: bulk, bursts, paced media; answers to requests; pauses."""

from collections.abc import Iterable
from dataclasses import dataclass

from .link import MS


@dataclass(frozen=True)
class Message:
    """A message that host `side` sends `at_ns` after its association is up."""

    side: str
    at_ns: int
    size: int
    stream: int = 0
    unordered: bool = False
    rtx_limit: int = -1  #: PR-SCTP, RFC 7496; -1: none
    lifetime_ms: int = -1  #: PR-SCTP, RFC 3758; -1: none
    immediate: bool = False  #: with the I bit, RFC 7053; usrsctp

    def command(self) -> str:
        """As a host is told."""
        unordered = int(self.unordered)
        numbers = (self.stream, self.size, unordered, self.rtx_limit, self.lifetime_ms)
        return f"send {' '.join(map(str, numbers))}{' 1' if self.immediate else ''}"


@dataclass(frozen=True)
class Answer:
    """Host `side` answers each message that it receives with `count` messages."""

    side: str
    count: int
    size: int


@dataclass(frozen=True)
class Dialogue:
    """a asks, b answers, a asks again when it has thought about the answer."""

    thinks_ns: tuple[int, ...]  #: before each request
    serves_ns: int  #: what b takes for an answer
    request: int  #: bytes
    response: int


@dataclass(frozen=True)
class Pause:
    """The application at `side` does not read, from and to so long after its association is up."""

    side: str
    from_ns: int
    to_ns: int


def bulk(
    count: int,
    size: int,
    *,
    side: str = "a",
    interval_ns: int = 0,
    streams: int = 1,
    unordered: bool = False,
    rtx_limit: int = -1,
    lifetime_ms: int = -1,
) -> tuple[Message, ...]:
    """All at once, or one after each interval; over the streams in turn."""
    return tuple(
        Message(side, n * interval_ns, size, n % streams, unordered, rtx_limit, lifetime_ms)
        for n in range(count)
    )


def bursts(
    rounds: int, count: int, size: int, *, side: str = "a", every_ns: int
) -> tuple[Message, ...]:
    """So many messages at once, then nothing for a while, again and again."""
    return tuple(
        Message(side, turn * every_ns, size) for turn in range(rounds) for _ in range(count)
    )


def reports(periods_ns: Iterable[tuple[int, int]], size: int) -> tuple[Message, ...]:
    """One message each period: (period, how many), one after the other."""
    messages: list[Message] = []
    now_ns = 0
    for period_ns, count in periods_ns:
        for _ in range(count):
            now_ns += period_ns
            messages.append(Message("a", now_ns, size))
    return tuple(messages)


def media(
    frames: int, sizes: Iterable[int], *, payload: int, streams: int, side: str = "a"
) -> tuple[Message, ...]:
    """Video at 25 frames a second: each frame at once, cut into messages of at most `payload`."""
    pattern = list(sizes)
    messages: list[Message] = []
    for frame in range(frames):
        left = pattern[frame % len(pattern)]
        while left > 0:
            size = min(left, payload)
            stream = len(messages) % streams
            messages.append(Message(side, frame * 40 * MS, size, stream, unordered=True))
            left -= size
    return tuple(messages)
