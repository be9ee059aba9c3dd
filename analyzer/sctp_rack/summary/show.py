# SPDX-License-Identifier: BSD-2-Clause
"""A summary as a person reads it in a terminal, and as programs read it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import PurePath
from shlex import quote
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from sctp_rack.findings.alike import gathered
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import crowd_of, others_of, some_of
from sctp_rack.names import Kind, SackAnomaly
from sctp_rack.summary.crowd import Crowd
from sctp_rack.summary.direction_lines import delivery_line, recovery_lines
from sctp_rack.summary.opening import Headline
from sctp_rack.summary.summary import (
    ACKNOWLEDGE,
    CARRY_DATA,
    Association,
    Data,
    Sacks,
    Side,
    Summary,
    Time,
)
from sctp_rack.summary.sums import Sums
from sctp_rack.summary.worst import Worst
from sctp_rack.wording.counted import many
from sctp_rack.wording.ends import ended_text, ends_text, started_text
from sctp_rack.wording.harmless import harmless

#: A colour means a verdict everywhere: how severe a finding is has a weight.
_STYLE = {"error": "bold underline", "warning": "bold", "note": "dim"}

#: How kinds read that are neither originals nor retransmissions.
KINDS = {
    Kind.REORDERED: "late",
    Kind.NETWORK_DUPLICATE: "repeated by the network",
    Kind.CAPTURE_DUPLICATE: "repeated by the capture",
    Kind.CONFLICTING: "with other user data under a TSN that was seen",
}

#: Most associations without data that are listed.
_QUIET = 8

#: Columns that a wrapped line has at least behind its indent.
_NARROWEST = 30

#: Most findings that are listed.
_FINDINGS = 50


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def say(self, text: Text, indent: int = 4) -> None:
        """A line; on a terminal it wraps, and what goes on is indented."""
        if not self.is_terminal:
            self.print(text)
            return
        head, rest = text.divide([indent]) if len(text) > indent else (text, Text())
        parts = rest.wrap(self, max(self.width - indent, _NARROWEST)) or [rest]
        for at, part in enumerate(parts):
            part.rstrip()
            self.print((head if at == 0 else Text(" " * indent)) + part)


#: What the objects are that `--json` writes: names of files in schema/ without `.json`. A new key
#: leaves its number as it is; one that goes, or says something else, makes another number.
SCHEMAS = {
    command: f"{command}-1" for command in ("analyze", "explain", "compare", "limits", "whatif")
}


def write_json(summary: Summary, findings: list[CaptureFinding], output: TextIO) -> None:
    """One line: the fields of `Summary`, and its findings.

    Lists are written one by one: the text of ten thousand associations takes a hundred megabytes.
    """
    opening = "{"
    parts = {"schema": SCHEMAS["analyze"], **fields_of(summary), "findings": findings}
    if summary.of_time is None:
        del parts["of_time"]
    for name, value in parts.items():
        output.write(f"{opening}{_json(name)}: ")
        if isinstance(value, Sequence) and not isinstance(value, str):
            for at, one in enumerate(value):
                output.write(f"{', ' if at else '['}{_json(one)}")
            output.write("]" if value else "[]")
        else:
            output.write(_json(value))
        opening = ", "
    output.write("}\n")


def write_error_json(capture: str, error: str, output: TextIO) -> None:
    """One line on a capture of which nothing could be read."""
    output.write(f"{_json({'schema': SCHEMAS['analyze'], 'capture': capture, 'error': error})}\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=fields_of)


def fields_of(one: Any) -> dict[str, Any]:
    """Of a dataclass, one level deep: the capture as nested dictionaries takes far more room."""
    return {field.name: getattr(one, field.name) for field in fields(one)}


def write_text(
    summary: Summary,
    findings: list[CaptureFinding],
    output: TextIO,
    overview: "Overview | None" = None,
) -> None:
    """A few lines for each association, then the findings; colours only on a terminal.

    The overview is made here where it is not given.
    """
    console = _Console(file=output, highlight=False, soft_wrap=True)
    if overview is None:
        overview = Overview(summary)
        for one in others_of(summary.associations):
            overview.add(one)
    opens, talking, quiet = overview.opens, overview.talking, overview.quiet
    console.print(Text(harmless(summary.capture), style="bold"))
    console.say(Text(f"  {opens.text}"), 2)
    console.say(Text(f"  {extent(summary)}", style="dim"), 2)
    if time := time_told(summary):
        console.say(Text(f"  {time}"), 2)
    worst, count = talking.worst.shown, talking.worst.count
    left_out = count - len(worst)
    if left_out:
        _block(console, f"All {count:,} associations with data", talking.sums.lines())
        console.print()
        console.print(Text(f"The {len(worst)} with most sent again and lost", style="bold"))
    for association in worst:
        _block(
            console,
            f"Association {ends_text(association)}",
            _lines(association, timed=summary.of_time is not None),
        )
    if left_out:
        console.print()
        where = f"sctp-rack export {quote(PurePath(summary.capture).name)} --table associations"
        console.print(
            Text(
                f"and {left_out:,} more with data; `{harmless(where)}`, or --json, has all; "
                "--assoc N tells of one"
            )
        )
    if quiet.count:
        console.print()
        then = "" if summary.of_time is None else " at that time"
        console.print(Text(f"Associations without data{then}", style="bold"))
        for association in quiet.shown:
            chunks = filter(None, (_chunks(side) for side in _sides(association)))
            told = "; ".join([life(association), *chunks])
            console.say(Text(f"  {ends_text(association)}: {told}"))
        if quiet.count > _QUIET:
            console.print(Text(f"  and {quiet.count - _QUIET:,} more; --json has all of them"))
    if summary.of_time is None:
        _findings(console, "Findings", findings)
    else:
        own = [finding for finding in findings if finding.dir is not None]
        _findings(console, "Findings on that time", own)
        whole = [finding for finding in findings if finding.dir is None]
        _findings(console, "Findings on the whole capture", whole)
    console.print()


def _findings(console: _Console, title: str, findings: Sequence[CaptureFinding]) -> None:
    if not findings:
        return
    console.print()
    console.print(Text(title, style="bold"))
    shown = gathered(findings)
    for finding in shown[:_FINDINGS]:
        console.say(_finding(finding))
    if len(shown) > _FINDINGS:
        console.print(Text(f"  and {len(shown) - _FINDINGS:,} more; --json has all of them"))


class _Talking:
    """Associations with data: their sums, and the worst."""

    def __init__(self, crowd: Crowd, some: list[Association]) -> None:
        self.sums, self.worst = Sums(crowd), Worst(some, crowd.talking)

    def add(self, association: Association) -> None:
        """One more."""
        self.sums.add(association)
        self.worst.add(association)


class _Quiet:
    """Associations without data: how many, and the first."""

    def __init__(self, count: int, first: list[Association]) -> None:
        self.count = count
        self._first = first

    def add(self, association: Association) -> None:
        """One more."""
        self.count += 1
        self._first.append(association)
        if len(self._first) > 4 * _QUIET:
            self._first = self.shown

    @property
    def shown(self) -> list[Association]:
        """The first, in their order."""
        return sorted(self._first, key=lambda one: one.assoc)[:_QUIET]


class Overview:
    """What a text tells of a crowd, and of all other associations, which are added."""

    def __init__(self, summary: Summary) -> None:
        crowd = crowd_of(summary.associations)
        self.opens = Headline(summary)
        self.talking = _Talking(crowd, some_of(summary.associations, crowd.of_talking))
        self.quiet = _Quiet(crowd.quiet, some_of(summary.associations, crowd.of_quiet))

    def add(self, association: Association) -> None:
        """One more."""
        self.opens.add(association)
        (self.talking if _talks(association) else self.quiet).add(association)


def _block(console: _Console, title: str, lines: Iterator[tuple[str, str]]) -> None:
    console.print()
    console.print(Text(title, style="bold"))
    for label, text in lines:
        said = Text(f"  {label:<16}", style="dim").append(text, style="not dim")
        console.say(said, max(18, len(label) + 2))


def _sides(association: Association) -> tuple[Side, Side]:
    return association.a, association.b


def extent(summary: Summary) -> str:
    """Format, frames, packets, begin and duration."""
    parts = [
        summary.format or "?",
        many(summary.frames, "frame"),
        many(summary.packets, "SCTP packet"),
    ]
    if summary.first_time_ns is not None and summary.last_time_ns is not None:
        begin = datetime.fromtimestamp(summary.first_time_ns // 10**9, UTC)
        parts.append(f"{begin:%Y-%m-%d %H:%M:%S} UTC")
        parts.append(f"{(summary.last_time_ns - summary.first_time_ns) / 10**9:.3f} s")
    return ", ".join(parts)


def time_told(summary: Summary) -> str:
    """Which time is told of, where one was asked for."""
    time = summary.of_time
    if time is None or summary.first_time_ns is None:
        return ""
    clock = " to ".join(_clock(end) for end in (time.begin_ns, time.end_ns) if end is not None)
    told = f"{seconds_told(time, summary.first_time_ns)} ({clock} UTC)"
    return f"{told} alone; all of the capture was read and judged."


def time_of_each(time: Time, first_ns: int = 0) -> str:
    """Which time of several captures is told of, each from its own first frame."""
    return f"{seconds_told(time, first_ns)} of each alone; all of it was read and judged."


def seconds_told(time: Time, first_ns: int) -> str:
    """A time in seconds since the first frame."""
    ends = time.begin_ns, time.end_ns
    begin, end = ("" if one is None else f"{(one - first_ns) / 1e9:.3f}" for one in ends)
    if not end:
        return f"From second {begin} on"
    return f"Seconds {begin} to {end}" if begin else f"Up to second {end}"


def _clock(time_ns: int) -> str:
    whole, part = divmod(time_ns // 10**6, 1000)
    return f"{datetime.fromtimestamp(whole, UTC):%H:%M:%S}.{part:03d}"


def _talks(association: Association) -> bool:
    return any(side.data or side.sacks for side in _sides(association))


def _lines(association: Association, *, timed: bool = False) -> Iterator[tuple[str, str]]:
    """Label and text of each line about an association, or, `timed`, what it did in a time."""
    features = f"; {', '.join(association.features)}" if association.features else ""
    yield "in all" if timed else "", f"{life(association)}{features}"
    for name, side, other in (
        ("a", association.a, association.b),
        ("b", association.b, association.a),
    ):
        if side.data:
            kinds = [kind for kind in CARRY_DATA if kind in side.chunks]
            counted = " and ".join(f"{side.chunks[kind]:,} {kind}" for kind in kinds)
            yield f"{name} sent", f"{counted}, {side.data.bytes:,} bytes"
            yield "", tsns(side.data)
        if other.sacks:
            yield from _acknowledged("b" if name == "a" else "a", other, other.sacks, side.data)
        if side.delivery:
            yield f"{name} delivered", delivery_line(side.delivery, side.recovery)
        if side.recovery and side.data:
            yield from recovery_lines(name, side.data, side.recovery, timed=timed)
    for name, side in (("a", association.a), ("b", association.b)):
        if other_chunks := _chunks(side):
            yield f"{name} also sent", other_chunks
        if side.blind_bytes and not timed:
            yield "", f"{side.blind_bytes:,} bytes of its packets were not captured"


def _acknowledged(
    name: str, side: Side, sacks: Sacks, data: Data | None
) -> Iterator[tuple[str, str]]:
    kinds = [kind for kind in ACKNOWLEDGE if kind in side.chunks]
    counted = ", ".join(f"{side.chunks[kind]:,} {kind}" for kind in kinds)
    cum = _span("cumulative TSN", sacks.first_cum_tsn, sacks.highest_cum_tsn)
    yield f"{name} acknowledged", f"{counted}; {cum}"
    if data:
        yield "", f"{data.acked:,} of the {data.tsns:,} TSNs"
    if kinds != ["SHUTDOWN"]:
        yield "", _blocks(sacks)


def life(association: Association) -> str:
    """Its frames, how it begins and how it ends in the capture."""
    frames = _span("frame", association.first_frame, association.last_frame)
    return f"{frames}, {started_text(association.how_started)}, {ended_text(association.how_ended)}"


def _span(what: str, first: int, last: int) -> str:
    return f"{what} {first}" if first == last else f"{what} {first} to {last}"


def tsns(data: Data) -> str:
    """The TSNs of a side, and how many chunks are not the first of theirs."""
    text = f"{_span('TSN', data.lowest_tsn, data.highest_tsn)}: {data.tsns:,} different"
    if data.resets:
        text += f", numbered anew {many(data.resets, 'time')}"
    again = data.kinds.get(Kind.RETRANSMISSION)
    others = [many(again, "retransmission")] if again else []
    others += [
        f"{data.kinds[kind]:,} {words}" for kind, words in KINDS.items() if kind in data.kinds
    ]
    return f"{text}; {', '.join(others)}" if others else f"{text}; no retransmission"


def _blocks(sacks: Sacks) -> str:
    if sacks.with_gaps:
        text = (
            f"{sacks.with_gaps:,} with gaps: {sacks.gaps:,} gap and {sacks.nr_gaps:,} NR-gap blocks"
        )
        text += f", at most {sacks.most_blocks:,} in one"
    else:
        text = "no gap blocks"
    text += (
        f"; {sacks.dups:,} duplicate TSNs reported" if sacks.dups else "; no duplicates reported"
    )
    if cut := sacks.malformed.get(SackAnomaly.SNAPPED):
        text += f"; the lists of {cut:,} are cut"
    if sacks.zero_window:
        text += f"; {sacks.zero_window:,} with a closed window"
    return text


def _chunks(side: Side) -> str:
    counted = {*(CARRY_DATA if side.data else ()), *(ACKNOWLEDGE if side.sacks else ())}
    return ", ".join(
        f"{count:,} {name}" for name, count in side.chunks.items() if name not in counted
    )


def _finding(finding: CaptureFinding) -> Text:
    text = Text("  ")
    text.append(finding.severity, style=_STYLE[finding.severity])
    text.append(f"  {harmless(finding.text)}")
    if finding.frames:
        frames = ", ".join(str(frame) for frame in finding.frames)
        text.append(f" First: frame {frames}.", style="dim")
    return text
