# SPDX-License-Identifier: BSD-2-Clause
"""A summary as a person reads it in a terminal, and as programs read it."""

import json
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from sctp_rack.alike import gathered
from sctp_rack.counted import many
from sctp_rack.ends import ends_text
from sctp_rack.finding import CaptureFinding
from sctp_rack.names import Kind, SackAnomaly
from sctp_rack.opening import headline
from sctp_rack.plain import plain
from sctp_rack.recovery_lines import recovery_lines
from sctp_rack.summary import Association, Data, Sacks, Side, Summary

_STYLE = {"error": "bold red", "warning": "yellow", "note": "cyan"}

#: Chunks that the lines on data and acknowledgements count already.
_DATA = ("DATA", "I-DATA")
_SACKS = ("SACK", "NR-SACK", "SHUTDOWN")

#: How kinds other than originals read.
_KINDS = {
    Kind.RETRANSMISSION: "retransmissions",
    Kind.REORDERED: "late",
    Kind.NETWORK_DUPLICATE: "repeated by the network",
    Kind.CAPTURE_DUPLICATE: "repeated by the capture",
    Kind.CONFLICTING: "with other user data under a TSN that was seen",
}

#: Most associations with data, and without, that are listed one by one.
_TALKING = 100
_QUIET = 8

#: Most findings that are listed.
_FINDINGS = 50


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def write_json(summary: Summary, findings: list[CaptureFinding], output: TextIO) -> None:
    """One line: the fields of `Summary`, and its findings."""
    capture = {**_fields(summary), "findings": findings}
    output.write(json.dumps(capture, ensure_ascii=False, default=_fields) + "\n")


def _fields(one: Any) -> dict[str, Any]:
    """Of a dataclass, one level deep: the capture as nested dictionaries takes far more room."""
    return {field.name: getattr(one, field.name) for field in fields(one)}


def write_text(summary: Summary, findings: list[CaptureFinding], output: TextIO) -> None:
    """A few lines for each association, then the findings; colours only on a terminal."""
    console = _Console(file=output, highlight=False, soft_wrap=True)
    console.print(Text(plain(summary.capture), style="bold"))
    console.print(Text(f"  {headline(summary)}"))
    console.print(Text(f"  {extent(summary)}", style="dim"))
    talking = [one for one in summary.associations if _talks(one)]
    quiet = [one for one in summary.associations if not _talks(one)]
    for association in talking[:_TALKING]:
        console.print()
        console.print(Text(f"Association {ends_text(association)}", style="bold"))
        for label, text in _lines(association):
            console.print(Text(f"  {label:<16}", style="dim").append(text, style="not dim"))
    if len(talking) > _TALKING:
        console.print()
        console.print(
            Text(f"and {len(talking) - _TALKING:,} more with data; --json has all of them")
        )
    if quiet:
        console.print()
        console.print(Text("Associations without data", style="bold"))
        for association in quiet[:_QUIET]:
            chunks = "; ".join(filter(None, (_chunks(side) for side in _sides(association))))
            console.print(Text(f"  {ends_text(association)}: {life(association)}; {chunks}"))
        if len(quiet) > _QUIET:
            console.print(Text(f"  and {len(quiet) - _QUIET:,} more"))
    if findings:
        console.print()
        console.print(Text("Findings", style="bold"))
        shown = gathered(findings)
        for finding in shown[:_FINDINGS]:
            console.print(_finding(finding))
        if len(shown) > _FINDINGS:
            console.print(Text(f"  and {len(shown) - _FINDINGS:,} more; --json has all of them"))
    console.print()


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


def _talks(association: Association) -> bool:
    return any(side.data or side.sacks for side in _sides(association))


def _lines(association: Association) -> Iterator[tuple[str, str]]:
    """Label and text of each line about an association."""
    features = f"; {', '.join(association.features)}" if association.features else ""
    yield "", f"{life(association)}{features}"
    for name, side, other in (
        ("a", association.a, association.b),
        ("b", association.b, association.a),
    ):
        if side.data:
            kinds = [kind for kind in _DATA if kind in side.chunks]
            counted = " and ".join(f"{side.chunks[kind]:,} {kind}" for kind in kinds)
            yield f"{name} sent", f"{counted}, {side.data.bytes:,} bytes"
            yield "", tsns(side.data)
        if other.sacks:
            yield from _acknowledged("b" if name == "a" else "a", other, other.sacks, side.data)
        if side.recovery and side.data:
            yield from recovery_lines(name, side.data, side.recovery)
    for name, side in (("a", association.a), ("b", association.b)):
        if other_chunks := _chunks(side):
            yield f"{name} also sent", other_chunks
        if side.blind_bytes:
            yield "", f"{side.blind_bytes:,} bytes of its packets were not captured"


def _acknowledged(
    name: str, side: Side, sacks: Sacks, data: Data | None
) -> Iterator[tuple[str, str]]:
    kinds = [kind for kind in _SACKS if kind in side.chunks]
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
    started = {"handshake_cut": "handshake cut", "middle": "no handshake"}
    ended = {"open": "not ended", "shutting_down": "shutdown not completed"}
    how = (
        started.get(association.how_started, association.how_started),
        ended.get(association.how_ended, association.how_ended),
    )
    return f"{frames}, {how[0]}, {how[1]}"


def _span(what: str, first: int, last: int) -> str:
    return f"{what} {first}" if first == last else f"{what} {first} to {last}"


def tsns(data: Data) -> str:
    """The TSNs of a side, and how many chunks are not the first of theirs."""
    text = f"{_span('TSN', data.lowest_tsn, data.highest_tsn)}: {data.tsns:,} different"
    if data.resets:
        text += f", numbered anew {many(data.resets, 'time')}"
    others = [
        f"{data.kinds[kind]:,} {words}" for kind, words in _KINDS.items() if kind in data.kinds
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
    counted = {*(_DATA if side.data else ()), *(_SACKS if side.sacks else ())}
    return ", ".join(
        f"{count:,} {name}" for name, count in side.chunks.items() if name not in counted
    )


def _finding(finding: CaptureFinding) -> Text:
    text = Text("  ")
    text.append(finding.severity, style=_STYLE[finding.severity])
    text.append(f"  {finding.text}")
    if finding.frames:
        frames = ", ".join(str(frame) for frame in finding.frames)
        text.append(f" First: frame {frames}.", style="dim")
    return text
