# SPDX-License-Identifier: BSD-2-Clause
"""How before and after read: figures, the change in per cent, and what that lies between."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sctp_rack.fleet.ab import Line
from sctp_rack.wording.rates import signed_percent


class LineText(NamedTuple):
    """A line as it reads; empty where there is nothing."""

    figure: str
    a: str
    b: str
    change: str
    between: str


HEAD = LineText("", "before", "after", "change", "between (95 %)")


def line_texts(lines: Sequence[Line]) -> Iterator[LineText]:
    for one in lines:
        share = one.figure.startswith("share ")
        sure = one.low is not None and one.high is not None
        yield LineText(
            one.figure,
            _value(one.a, share),
            _value(one.b, share),
            "" if one.change is None else signed_percent(one.change),
            f"{signed_percent(one.low or 0)} to {signed_percent(one.high or 0)}" if sure else "",
        )


def text(lines: Sequence[Line]) -> str:
    """As a table."""
    told = [HEAD, *line_texts(lines)]
    widths = [max(len(one[at]) for one in told) for at in range(len(HEAD))]
    rows = (
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(one, widths, strict=True))
        ).rstrip()
        for one in told
    )
    return "".join(f"{row}\n" for row in rows)


def _value(value: float | None, share: bool) -> str:
    if value is None:
        return "–"
    if share:
        return f"{100 * value:.1f} %"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4g}"
