# SPDX-License-Identifier: BSD-2-Clause
"""How a comparison reads in a terminal, and as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, TextIO

from sctp_rack.comparison.compare import Comparison, Line
from sctp_rack.comparison.measures import Measures
from sctp_rack.harmless import harmless
from sctp_rack.show import SCHEMAS
from sctp_rack.terminal_width import columns, wrapped

#: Derived figures, which programs want as well.
DERIVED = ("goodput_bps", "lost_share", "recovery_share", "spurious_share", "bytes_per_useful")


def write_comparison_json(comparison: Comparison, output: TextIO) -> None:
    """One line: the figures of each capture, and what is said of them."""
    captures = [
        {"capture": name, **fields(one)}
        for name, one in zip(comparison.names, comparison.measures, strict=True)
    ]
    said = {"verdicts": comparison.verdicts, "cautions": comparison.cautions}
    told = {"schema": SCHEMAS["compare"], "captures": captures, **said}
    output.write(json.dumps(told, ensure_ascii=False) + "\n")


def fields(measures: Measures) -> dict[str, Any]:
    """The figures by name, with those that follow from others."""
    return {**asdict(measures), **{name: getattr(measures, name) for name in DERIVED}}


def write_comparison(comparison: Comparison, output: TextIO) -> None:
    """Who is who, a sentence for each, the table, what to beware of."""
    for line in comparison_lines(comparison, columns(output)):
        output.write(f"{line}\n")


def letters(count: int) -> list[str]:
    """A short name for each capture: A to Z, then numbers."""
    return [chr(ord("A") + at) if at < 26 else str(at + 1) for at in range(count)]


def comparison_lines(comparison: Comparison, width: int | None = None) -> Iterator[str]:
    """The text, line by line, without colours; sentences wrap at a width."""
    short = letters(len(comparison.names))
    for letter, name in zip(short, comparison.names, strict=True):
        yield f"{letter}  {harmless(name)}"
    yield ""
    for letter, verdict in zip(short[1:], comparison.verdicts, strict=True):
        yield from wrapped(f"{letter}  {verdict}", width, 3)
    yield ""
    yield from _table(short, comparison.lines)
    if comparison.cautions:
        yield ""
        yield "Beware"
        for caution in comparison.cautions:
            yield from wrapped(f"  {caution}", width, 4)


def _table(short: list[str], lines: list[Line]) -> Iterator[str]:
    labels = max(len(line.label) for line in lines) + 4
    yield (
        " " * labels
        + "".join(
            f"{letter:>12}{'':>13}" if at else f"{letter:>12}" for at, letter in enumerate(short)
        ).rstrip()
    )
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            yield group
        cells = line.texts[0].rjust(12) + "".join(
            f"{text:>12}{change:>13}"
            for text, change in zip(line.texts[1:], line.changes[1:], strict=True)
        )
        yield f"  {line.label:<{labels - 2}}{cells}".rstrip()
