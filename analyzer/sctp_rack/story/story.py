# SPDX-License-Identifier: BSD-2-Clause
"""What is told of one TSN, and how it reads in a terminal and in a notebook."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sctp_rack.names import Vantage, Verdict
from sctp_rack.story.evidence import of_cause, of_verdict
from sctp_rack.story.sentences import say
from sctp_rack.summary.direction_lines import VANTAGE, VERDICT, how_sure
from sctp_rack.wording import html
from sctp_rack.wording.shortened import shortened
from sctp_rack.wording.terminal_width import wrapped

#: Of lines; those of a narrower terminal are as wide as that.
WIDTH = 100

#: Events, and retransmissions with what speaks for their verdict, that are told at the beginning
#: and at the end.
EVENTS = 24, 8
JUDGED = 6, 2


@dataclass(frozen=True)
class Event:
    """Something that happened to the TSN; times in nanoseconds since the Unix epoch, at the tap."""

    time_ns: int
    #: `sent`, `missed`, `marked`, `acknowledged`, `duplicate`.
    what: str
    frame: int | None
    text: str


@dataclass(frozen=True)
class Judged:
    """A retransmission, its verdict and its cause, and what speaks for each."""

    frame: int
    copy: int
    cause: str | None
    cause_class: int | None
    verdict: str | None
    verdict_class: int | None
    evidence: list[str]
    #: The evidence for the verdict and for the cause spelled out, the causes that cannot be, what
    #: RACK-TLP would have done.
    because: list[str]
    cause_because: list[str]
    ruled_out: list[str]
    rack_tlp: list[str]


@dataclass(frozen=True)
class Story:
    """What `sctp-rack explain` tells."""

    assoc: int
    dir: str
    tsn: int
    ends: str
    #: Where the tap is on the path of the first copy, and the shortest round trip from it.
    vantage: str | None
    vantage_class: int | None
    min_rtt_ns: int | None
    events: list[Event]
    retransmissions: list[Judged]

    def __str__(self) -> str:
        return "\n".join(story_lines(self))

    def _repr_html_(self) -> str:
        """Its events as a table, then each retransmission and what speaks for its verdict."""
        return story_html(self)


def _title(story: Story) -> str:
    return say("title", tsn=story.tsn, way=say(f"way.{story.dir}"), ends=story.ends)


def story_html(story: Story) -> str:
    """The same as HTML."""
    events = shortened(story.events, *EVENTS)
    rows = [_cells(story, event) for event in events.first]
    if events.left_out:
        rows.append(["⋮", "", more(events.left_out, "event")])
    rows += [_cells(story, event) for event in events.last]
    parts = [html.title(_title(story)), html.line(_where(story))]
    parts.append(html.table(["after", "frame", "what happened"], rows))
    judged = shortened(story.retransmissions, *JUDGED)
    parts += [part for one in judged.first for part in _judged_html(one)]
    if judged.left_out:
        parts.append(html.line(more(judged.left_out, "retransmission")))
    parts += [part for one in judged.last for part in _judged_html(one)]
    return html.block(*parts)


def more(count: int, noun: str) -> str:
    """What stands for those that are left out."""
    said = say("more", count=count, noun=noun if count == 1 else f"{noun}s")
    return f"{said}; --json has all of them"


def _cells(story: Story, event: Event) -> list[str]:
    return [f"{_after(story, event):,.3f} ms", f"{event.frame or ''}", event.text]


def _after(story: Story, event: Event) -> float:
    """Since the first event, milliseconds."""
    return (event.time_ns - story.events[0].time_ns) / 1e6


def _judged_html(one: Judged) -> list[str]:
    said = (*one.because, *one.cause_because, *one.ruled_out, *one.rack_tlp)
    title = html.title(_verdict(one), ", ".join(one.evidence))
    return [title, *(html.line(text) for text in said)]


def story_lines(story: Story, width: int = WIDTH) -> Iterator[str]:
    """The text, line by line, without colours."""
    yield from wrapped(_title(story), width, 2)
    yield from wrapped(f"  {_where(story)}", width, 2)
    yield ""
    events = shortened(story.events, *EVENTS)
    lines = [_event(story, event) for event in events.first]
    if events.left_out:
        lines.append(("⋮", "", more(events.left_out, "event")))
    lines += [_event(story, event) for event in events.last]
    after, frame = (max((len(line[at]) for line in lines), default=0) for at in (0, 1))
    for line in lines:
        label = f"{line[0]:>{max(after, 15)}}  {line[1]:<{max(frame + 1, 12)}}"
        yield from _wrapped(label, line[2], width)
    judged = shortened(story.retransmissions, *JUDGED)
    for one in judged.first:
        yield ""
        yield from _judged(one, width)
    if judged.left_out:
        yield ""
        yield more(judged.left_out, "retransmission")
    for one in judged.last:
        yield ""
        yield from _judged(one, width)
    if not story.retransmissions:
        yield ""
        yield say("never")


def _event(story: Story, event: Event) -> tuple[str, str, str]:
    """When, where and what."""
    frame = f"frame {event.frame}" if event.frame is not None else ""
    return f"{_after(story, event):,.3f} ms", frame, event.text


def _where(story: Story) -> str:
    known = VANTAGE.get(Vantage(story.vantage)) if story.vantage else None
    least = say("tap.least", rtt=story.min_rtt_ns) if story.min_rtt_ns else ""
    if not known:
        return say("tap.unknown", least=least)
    return say("tap", where=known, sure=how_sure(story.vantage_class), least=least)


def _verdict(one: Judged) -> str:
    return say(
        "copy",
        copy=one.copy,
        frame=one.frame,
        verdict=VERDICT[Verdict(one.verdict or Verdict.UNDETERMINED)],
        sure=say("copy.class", level=one.verdict_class) if one.verdict_class else "",
    )


def _judged(one: Judged, width: int) -> Iterator[str]:
    yield _verdict(one)
    codes = of_verdict(one.evidence)
    for at, text in enumerate(one.because):
        yield from _wrapped(
            _label("verdict") if at == 0 else "", text + _codes(codes[at : at + 1]), width
        )
    cause = one.cause or "unknown"
    if one.cause_class:
        cause += say("copy.class", level=one.cause_class)
    told = " ".join([f"{cause}.", *one.cause_because]) + _codes(of_cause(one.evidence))
    for at, text in enumerate([told, *one.ruled_out]):
        yield from _wrapped(_label("cause") if at == 0 else "", text, width)
    for at, text in enumerate(one.rack_tlp):
        yield from _wrapped(_label("rack_tlp") if at == 0 else "", text, width)


def _label(part: str) -> str:
    return f"  {say(f'label.{part}'):<12}"


def _codes(evidence: Sequence[str]) -> str:
    return f" [{', '.join(evidence)}]" if evidence else ""


def _wrapped(label: str, text: str, width: int) -> Iterator[str]:
    indent = " " * max(len(label), 14)
    yield from textwrap.wrap(text, width, initial_indent=label or indent, subsequent_indent=indent)
