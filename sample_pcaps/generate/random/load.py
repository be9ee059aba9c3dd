# SPDX-License-Identifier: BSD-2-Clause
"""What the applications of a random run do."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from ..link import MS
from ..workload import Answer, Dialogue, Message, Pause, bulk, bursts, media
from . import mix
from .mix import Kind


@dataclass(frozen=True)
class Load:
    """Of a scenario what its applications do."""

    messages: tuple[Message, ...] = ()
    answer: Answer | None = None
    dialogue: Dialogue | None = None
    pauses: tuple[Pause, ...] = ()
    burst: int = 0  #: messages in each burst of the main flow
    lasts_ns: int = 0  #: until applications have nothing new to say


@dataclass(frozen=True)
class Frame:
    """What a load must fit in."""

    main: str
    mtu: int
    round_trip_ns: int
    most_ns: int  #: it may last


def draw_load(kind: Kind, frame: Frame, random: Random) -> Load:
    """A load of a kind; reliability, order and streams are the same for all its messages."""
    load = _LOADS[kind](frame, random)
    plain = replace(
        load, messages=tuple(one for one in load.messages if one.at_ns <= frame.most_ns)
    )
    lasts_ns = max([load.lasts_ns, *(one.at_ns for one in plain.messages)])
    return replace(plain, lasts_ns=lasts_ns)


def with_options(load: Load, random: Random, *, i_bit: bool) -> Load:
    """The load with the streams, order, reliability and I bits of its messages drawn."""
    streams, unordered = mix.STREAMS.draw(random), mix.UNORDERED.draw(random)
    rtx_limit = lifetime_ms = -1
    match mix.RELIABILITY.draw(random):
        case "limited retransmissions":
            rtx_limit = mix.RTX_LIMIT.draw(random)
        case "lifetime":
            lifetime_ms = int(mix.LIFETIME.draw(random))
    share = mix.I_BIT.draw(random) or 0.0
    return replace(
        load,
        messages=tuple(
            replace(
                message,
                stream=number % streams,
                unordered=unordered or message.unordered,
                rtx_limit=rtx_limit,
                lifetime_ms=lifetime_ms,
                immediate=i_bit and random.random() < share,
            )
            for number, message in enumerate(load.messages)
        ),
    )


def _other(side: str) -> str:
    return "b" if side == "a" else "a"


def _size_and_count(frame: Frame, random: Random, share: float = 1.0) -> tuple[int, int]:
    """Bytes of each message, and how many fill the packets."""
    size = int(mix.MESSAGE_BYTES.draw(random))
    packets = mix.PACKETS.draw(random) * share
    return size, max(3, int(packets / max(1.0, size / (frame.mtu - 30))))


def _back(frame: Frame, random: Random, interval_ns: int) -> tuple[Message, ...]:
    share = mix.BOTH_WAYS.draw(random)
    if share is None:
        return ()
    size, count = _size_and_count(frame, random, share)
    return bulk(count, size, side=_other(frame.main), interval_ns=interval_ns)


def _bulk(frame: Frame, random: Random) -> Load:
    size, count = _size_and_count(frame, random)
    return Load(bulk(count, size, side=frame.main) + _back(frame, random, 0))


def _paced(frame: Frame, random: Random) -> Load:
    size, count = _size_and_count(frame, random)
    interval_ns = int(mix.INTERVAL.draw(random) * MS)
    there = bulk(count, size, side=frame.main, interval_ns=interval_ns)
    return Load(there + _back(frame, random, int(mix.INTERVAL.draw(random) * MS)))


def _bursts(frame: Frame, random: Random) -> Load:
    size, count = _size_and_count(frame, random)
    each = mix.BURST_MESSAGES.draw(random)
    every_ns = int(mix.BURST_EVERY.draw(random) * MS)
    rounds = max(2, min(count // each, frame.most_ns // every_ns))
    chunks = each * -(-size // (frame.mtu - 28))
    return Load(bursts(rounds, each, size, side=frame.main, every_ns=every_ns), burst=chunks)


def _video(frame: Frame, random: Random) -> Load:
    frames = mix.VIDEO_FRAMES.draw(random)
    size = int(mix.VIDEO_FRAME_BYTES.draw(random))
    payload, streams = frame.mtu - 60, 4
    there = media(
        frames, [3 * size, *[size] * 9], payload=payload, streams=streams, side=frame.main
    )
    return Load(there)


def _slow_reader(frame: Frame, random: Random) -> Load:
    paced = mix.READER_IS_SENT.draw(random) == "one after each interval"
    load = _paced(frame, random) if paced else _bulk(frame, random)
    load = replace(load, messages=tuple(m for m in load.messages if m.side == frame.main))
    pauses: list[Pause] = []
    now_ns = 0
    for _ in range(mix.READER_STOPS.draw(random)):
        now_ns += int(mix.READER_READS.draw(random) * MS)
        until_ns = now_ns + int(mix.READER_STANDS.draw(random) * MS)
        if until_ns > frame.most_ns:
            break
        pauses.append(Pause(_other(frame.main), now_ns, until_ns))
        now_ns = until_ns
    return replace(load, pauses=tuple(pauses), lasts_ns=now_ns)


def _answers(frame: Frame, random: Random) -> Load:
    """The answers are the main flow."""
    size, count = _size_and_count(frame, random)
    each = mix.ANSWER_MESSAGES.draw(random)
    every_ns = int(mix.BURST_EVERY.draw(random) * MS)
    asks = max(2, min(count // each, frame.most_ns // every_ns))
    requests = bulk(
        asks, int(mix.SIGNAL_BYTES.draw(random)), side=_other(frame.main), interval_ns=every_ns
    )
    return Load(requests, Answer(frame.main, each, size), burst=each * -(-size // (frame.mtu - 28)))


def _dialogue(frame: Frame, random: Random) -> Load:
    serves_ns = int(mix.SERVE.draw(random) * MS)
    thinks_ns: list[int] = []
    now_ns = 0
    for _ in range(mix.EXCHANGES.draw(random)):
        think_ns = int(mix.THINK.draw(random) * MS)
        now_ns += think_ns + serves_ns + frame.round_trip_ns
        if now_ns > frame.most_ns and thinks_ns:
            break
        thinks_ns.append(min(think_ns, frame.most_ns))
    request, response = (int(mix.SIGNAL_BYTES.draw(random)) for _ in range(2))
    return Load(dialogue=Dialogue(tuple(thinks_ns), serves_ns, request, response), lasts_ns=now_ns)


def _reports(frame: Frame, random: Random) -> Load:
    """Of one side, or of both, each with periods of its own."""
    sides = [frame.main, *([_other(frame.main)] if mix.BOTH_WAYS.draw(random) else [])]
    messages: list[Message] = []
    for side in sides:
        now_ns, size = 0, int(mix.SIGNAL_BYTES.draw(random))
        for _ in range(mix.PERIODS.draw(random)):
            period_ns = min(int(mix.PERIOD.draw(random) * MS), frame.most_ns // 4)
            for _ in range(mix.EACH_PERIOD.draw(random)):
                now_ns += period_ns
                messages.append(Message(side, now_ns, size))
    return Load(tuple(messages))


def _near_timers(frame: Frame, random: Random) -> Load:
    """Small bursts; a timer runs since data was sent, or since its feedback came."""
    messages: list[Message] = []
    now_ns, size = 0, int(mix.SIGNAL_BYTES.draw(random))
    for _ in range(mix.EXCHANGES.draw(random)):
        messages += [Message(frame.main, now_ns, size)] * mix.SIGNAL_BURST.draw(random)
        since_ns = mix.SINCE.draw(random) * frame.round_trip_ns
        pause_ms = max(1.0, mix.TIMER.draw(random) + mix.NEAR_TIMER.draw(random))
        now_ns += since_ns + int(pause_ms * MS)
    return Load(tuple(messages))


_LOADS: dict[Kind, Callable[[Frame, Random], Load]] = {
    Kind.BULK: _bulk,
    Kind.PACED: _paced,
    Kind.BURSTS: _bursts,
    Kind.VIDEO: _video,
    Kind.SLOW_READER: _slow_reader,
    Kind.ANSWERS: _answers,
    Kind.DIALOGUE: _dialogue,
    Kind.REPORTS: _reports,
    Kind.NEAR_TIMERS: _near_timers,
}
