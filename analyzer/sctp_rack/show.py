# SPDX-License-Identifier: BSD-2-Clause
"""A summary as a person reads it in a terminal, and as programs read it."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TextIO

from rich.console import Console
from rich.text import Text

from sctp_rack.findings import CaptureFinding, find, flow_text
from sctp_rack.summary import Data, Flow, Sacks, Summary

_STYLE = {"error": "bold red", "warning": "yellow", "note": "cyan"}

#: Chunks that the lines on data and acknowledgements count already.
_COUNTED = {"DATA", "I-DATA", "SACK", "NR-SACK", "SHUTDOWN"}

#: Most flows without data or acknowledgements that are listed one by one.
_QUIET_FLOWS = 8


def write_json(summary: Summary, output: TextIO) -> None:
    """One line: the fields of `Summary`, and its findings."""
    findings = [asdict(finding) for finding in find(summary)]
    output.write(json.dumps({**asdict(summary), "findings": findings}, ensure_ascii=False) + "\n")


def write_text(summary: Summary, output: TextIO) -> None:
    """A few lines for each flow, then the findings; colours only on a terminal without NO_COLOR."""
    console = Console(file=output, highlight=False, soft_wrap=True)
    console.print(Text(summary.capture, style="bold"))
    console.print(Text(f"  {headline(summary)}"))
    console.print(Text(f"  {_extent(summary)}", style="dim"))
    talking = [flow for flow in summary.flows if flow.data or flow.sacks]
    quiet = [flow for flow in summary.flows if not (flow.data or flow.sacks)]
    for flow in talking:
        console.print()
        console.print(Text(flow_text(flow), style="bold"))
        for label, text in _lines(flow):
            console.print(Text(f"  {label:<14}", style="dim").append(text, style="not dim"))
    if quiet:
        console.print()
        console.print(Text("Flows without data or acknowledgements", style="bold"))
        for flow in quiet[:_QUIET_FLOWS]:
            console.print(Text(f"  {flow_text(flow)}: {_chunks(flow)}"))
        if len(quiet) > _QUIET_FLOWS:
            console.print(Text(f"  and {len(quiet) - _QUIET_FLOWS} more"))
    if findings := find(summary):
        console.print()
        console.print(Text("Findings", style="bold"))
        for finding in findings:
            console.print(_finding(finding))
    console.print()


def headline(summary: Summary) -> str:
    """The sentence that a summary opens with."""
    data = [flow.data for flow in summary.flows if flow.data]
    if not data:
        return f"No DATA in {summary.packets:,} SCTP packets."
    chunks, repeated = sum(d.chunks for d in data), sum(d.repeated for d in data)
    if not repeated:
        return f"{chunks:,} DATA chunks, none with a TSN that was seen before."
    share = 100 * repeated / chunks
    return (
        f"{repeated:,} of {chunks:,} DATA chunks ({share:.1f} %) carry a TSN that was seen before."
    )


def _extent(summary: Summary) -> str:
    parts = [
        summary.format or "?",
        f"{summary.frames:,} frames",
        f"{summary.packets:,} SCTP packets",
    ]
    if summary.first_time_ns is not None and summary.last_time_ns is not None:
        begin = datetime.fromtimestamp(summary.first_time_ns // 10**9, UTC)
        parts.append(f"{begin:%Y-%m-%d %H:%M:%S} UTC")
        parts.append(f"{(summary.last_time_ns - summary.first_time_ns) / 10**9:.3f} s")
    return ", ".join(parts)


def _lines(flow: Flow) -> Iterator[tuple[str, str]]:
    """Label and text of each line about a flow."""
    if flow.data:
        kinds = " and ".join(name for name in ("DATA", "I-DATA") if name in flow.chunks)
        yield "sent", f"{flow.data.chunks:,} {kinds}, {flow.data.bytes:,} bytes"
        yield "", _tsns(flow.data)
    if flow.sacks:
        names = [name for name in ("SACK", "NR-SACK", "SHUTDOWN") if name in flow.chunks]
        kinds = ", ".join(f"{flow.chunks[name]:,} {name}" for name in names)
        cum = _span("cumulative TSN", flow.sacks.first_cum_tsn, flow.sacks.highest_cum_tsn)
        yield "acknowledged", f"{kinds}; {cum}"
        if names != ["SHUTDOWN"]:
            yield "", _blocks(flow.sacks)
    if other := _chunks(flow):
        yield "also", other
    if flow.blind_bytes:
        yield "not captured", f"{flow.blind_bytes:,} bytes of these packets"


def _span(what: str, first: int, last: int) -> str:
    return f"{what} {first}" if first == last else f"{what} {first} to {last}"


def _tsns(data: Data) -> str:
    text = f"{_span('TSN', data.lowest_tsn, data.highest_tsn)}: {data.tsns:,} different"
    text += f", {data.repeated:,} seen again" if data.repeated else ", none seen again"
    if data.below:
        text += f", {data.below:,} too far below to tell"
    return text


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
    if sacks.zero_window:
        text += f"; {sacks.zero_window:,} with a closed window"
    return text


def _chunks(flow: Flow) -> str:
    return ", ".join(
        f"{count:,} {name}" for name, count in flow.chunks.items() if name not in _COUNTED
    )


def _finding(finding: CaptureFinding) -> Text:
    text = Text("  ")
    text.append(finding.severity, style=_STYLE[finding.severity])
    text.append(f"  {finding.text}")
    if finding.frames:
        frames = ", ".join(str(frame) for frame in finding.frames)
        text.append(f" First: frame {frames}.", style="dim")
    return text
