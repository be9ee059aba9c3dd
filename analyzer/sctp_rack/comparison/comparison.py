# SPDX-License-Identifier: BSD-2-Clause
"""What is said of captures that are compared, and how it reads in a terminal and in a notebook."""

from collections.abc import Iterator
from dataclasses import dataclass

from sctp_rack.comparison.measures import Measures
from sctp_rack.wording import html
from sctp_rack.wording.harmless import harmless
from sctp_rack.wording.terminal_width import wrapped

Value = float | int | None


@dataclass(frozen=True)
class Line:
    """One figure of every capture."""

    group: str
    label: str
    values: list[Value]
    #: As they read; an en dash where there is none.
    texts: list[str]
    #: What the others have over the first; as many as `values`, the first is empty.
    changes: list[str]
    #: Of each, whether the change is for the better; None where it is neither.
    better: list[bool | None]
    #: Of each, how much it changed (`most.changed`); the first is 0.
    changed: list[float]


@dataclass(frozen=True)
class Change:
    """One of the figures that changed most."""

    #: Which capture it is of; 0 is the one that it is measured by.
    capture: int
    #: Of the table: what the label is about.
    group: str
    label: str
    before: str
    after: str
    change: str
    better: bool | None


@dataclass(frozen=True, repr=False)
class Comparison:
    """Captures by name, their figures, and the lines of the table."""

    names: list[str]
    measures: list[Measures]
    lines: list[Line]
    #: One sentence for each capture but the first, which it is measured by.
    verdicts: list[str]
    #: What makes the figures hard to compare.
    cautions: list[str]
    #: What changed most, among what may change for the better or the worse.
    most: list[Change]
    #: Which time of each is told of; empty: all.
    time: str = ""

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.names)}>"

    def __str__(self) -> str:
        return "\n".join(comparison_lines(self))

    def _repr_html_(self) -> str:
        """The sentences and the table."""
        head = ["", self.names[0]] + [cell for name in self.names[1:] for cell in (name, "")]
        return html.block(
            *([html.line(self.time)] if self.time else []),
            *(
                html.title(name, verdict)
                for name, verdict in zip(self.names[1:], self.verdicts, strict=True)
            ),
            html.table(head, self._cells()),
            *(html.marked("note", caution) for caution in self.cautions),
        )

    def _cells(self) -> Iterator[list[str]]:
        group = ""
        for line in self.lines:
            if line.group != group:
                group = line.group
                yield [group]
            changed = zip(line.texts[1:], line.changes[1:], strict=True)
            yield [f"\u2003{line.label}", line.texts[0], *(cell for two in changed for cell in two)]


def letters(count: int) -> list[str]:
    """A short name for each capture: A to Z, then numbers."""
    return [chr(ord("A") + at) if at < 26 else str(at + 1) for at in range(count)]


def comparison_lines(comparison: Comparison, width: int | None = None) -> Iterator[str]:
    """The text, line by line, without colours; sentences wrap at a width."""
    short = letters(len(comparison.names))
    for letter, name in zip(short, comparison.names, strict=True):
        yield f"{letter}  {harmless(name)}"
    if comparison.time:
        yield from wrapped(comparison.time, width, 2)
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
