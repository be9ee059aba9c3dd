# SPDX-License-Identifier: BSD-2-Clause
"""How the story of a TSN reads in a terminal, in a notebook, and as JSON."""

import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TextIO

from sctp_rack import html
from sctp_rack.durations import duration
from sctp_rack.evidence import of_cause, of_verdict
from sctp_rack.explain import Judged, Story
from sctp_rack.names import Dir, Vantage, Verdict
from sctp_rack.recovery_lines import VANTAGE, VERDICT, how_sure

_WIDTH = 100


def write_story_json(story: Story, output: TextIO) -> None:
    """One line: the fields of `Story`."""
    output.write(json.dumps(asdict(story), ensure_ascii=False) + "\n")


def write_story(story: Story, output: TextIO) -> None:
    """A line for each event, then a paragraph for each retransmission."""
    for line in story_lines(story):
        output.write(f"{line}\n")


def _title(story: Story) -> str:
    way = "a to b" if story.dir == Dir.A2B else "b to a"
    return f"TSN {story.tsn}, {way} in association {story.ends}"


def story_html(story: Story) -> str:
    """The same as HTML."""
    begin = story.events[0].time_ns if story.events else 0
    rows = [
        [f"{(event.time_ns - begin) / 1e6:,.3f} ms", f"{event.frame or ''}", event.text]
        for event in story.events
    ]
    parts = [html.title(_title(story)), html.line(_where(story))]
    parts.append(html.table(["after", "frame", "what happened"], rows))
    for one in story.retransmissions:
        parts.append(html.title(_verdict(one), ", ".join(one.evidence)))
        said = (*one.because, *one.cause_because, *one.ruled_out, *one.rack_tlp)
        parts += [html.line(text) for text in said]
    return html.block(*parts)


def story_lines(story: Story) -> Iterator[str]:
    """The text, line by line, without colours."""
    yield _title(story)
    yield f"  {_where(story)}"
    yield ""
    begin = story.events[0].time_ns if story.events else 0
    for event in story.events:
        frame = f"frame {event.frame}" if event.frame is not None else ""
        label = f"{(event.time_ns - begin) / 1e6:12,.3f} ms  {frame:<12}"
        yield from _wrapped(label, event.text)
    for one in story.retransmissions:
        yield ""
        yield from _judged(one)
    if not story.retransmissions:
        yield ""
        yield "It was not sent again."


def _where(story: Story) -> str:
    known = VANTAGE.get(Vantage(story.vantage)) if story.vantage else None
    text = (
        f"The tap is {known} ({how_sure(story.vantage_class)})"
        if known
        else "Where the tap is cannot be told"
    )
    if story.min_rtt_ns:
        text += f"; a round trip from it takes at least {duration(story.min_rtt_ns)}"
    return text + "."


def _verdict(one: Judged) -> str:
    verdict = VERDICT[Verdict(one.verdict or Verdict.UNDETERMINED)]
    classes = f" (class {one.verdict_class})" if one.verdict_class else ""
    return f"Copy {one.copy}, frame {one.frame}: {verdict}{classes}"


def _judged(one: Judged) -> Iterator[str]:
    yield _verdict(one)
    codes = of_verdict(one.evidence)
    for at, text in enumerate(one.because):
        yield from _wrapped("  because     " if at == 0 else "", text + _codes(codes[at : at + 1]))
    cause = f"{one.cause or 'unknown'} (class {one.cause_class})" if one.cause_class else one.cause
    told = " ".join([f"{cause}.", *one.cause_because]) + _codes(of_cause(one.evidence))
    for at, text in enumerate([told, *one.ruled_out]):
        yield from _wrapped("  cause       " if at == 0 else "", text)
    for at, text in enumerate(one.rack_tlp):
        yield from _wrapped("  RACK-TLP    " if at == 0 else "", text)


def _codes(evidence: Sequence[str]) -> str:
    return f" [{', '.join(evidence)}]" if evidence else ""


def _wrapped(label: str, text: str) -> Iterator[str]:
    indent = " " * (29 if label.startswith("    ") or " ms " in label else 14)
    yield from textwrap.wrap(text, _WIDTH, initial_indent=label or indent, subsequent_indent=indent)
