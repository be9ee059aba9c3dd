# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.whatif: runs what docs/what-if.md has figures of, and writes them there."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import mean

from bench.whatif.measured import Measured, measured
from bench.whatif.pairs import pairs
from bench.whatif.rules import TODAY, OtherRule, Rule, other_rules

PAGE = Path(__file__).resolve().parents[2] / "docs" / "what-if.md"
BEGIN, END = "<!-- figures: python -m bench.whatif -->\n", "<!-- end of figures -->\n"
BEGIN_RULES = "<!-- rules: python -m bench.whatif -->\n"

#: Each kind of pair with each of them.
SEEDS = range(1, 5)
RULE_SEEDS = range(104, 106)


def main() -> int:
    """The table between the marks of the page is another one afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        found = [measured(pair, Path(folder)) for pair in pairs(SEEDS)]
        rules = list(other_rules(RULE_SEEDS, Path(folder)))
    _write(BEGIN, _lines(found))
    _write(BEGIN_RULES, _rule_lines(rules))
    return 0


def _write(begin: str, lines: Iterator[str]) -> None:
    before, rest = PAGE.read_text().split(begin)
    PAGE.write_text(f"{before}{begin}{''.join(lines)}{END}{rest.split(END, 1)[1]}")


def _rule_lines(found: Sequence[OtherRule]) -> Iterator[str]:
    yield "| data | other rule | waited | said with it | was | largest error |"
    yield " within what was said | SACKs | said with it | was |\n"
    yield f"|{'---|' * 10}\n"
    for (data, rule), some in groupby(found, key=lambda one: (one.data, one.rule)):
        yield _rule_line(data, rule, list(some))


def _rule_line(data: str, rule: Rule, some: Sequence[OtherRule]) -> str:
    every, delay_ms = rule
    named = f"a SACK for {every or TODAY[0]}, {TODAY[1] if delay_ms is None else delay_ms} ms"
    said = [one.first.said for one in some]
    times = " | ".join(
        f"{mean(values) / 1e9:.2f} s"
        for values in (
            [one.waited_ns for one in some],
            [one.would_wait_ns for one in said],
            [one.was_ns for one in some],
        )
    )
    sacks = " | ".join(
        f"{mean(values):.0f}"
        for values in (
            [one.sacks for one in said],
            [one.would_send_sacks for one in said],
            [one.other.said.sacks for one in some],
        )
    )
    error = f"{100 * max(one.error for one in some):.1f} %"
    within = f"{sum(one.within for one in some)} of {len(some)}"
    return f"| {data} | {named} | {times} | {error} | {within} | {sacks} |\n"


def _lines(found: Sequence[Measured]) -> Iterator[str]:
    yield "| data | NR-SACKs tell of | send buffer | RtxQ_Util with SACKs | said with NR-SACKs |"
    yield " was | average queue with SACKs | said with NR-SACKs | was | largest error |"
    yield " within the bounds | within those of the same losses |\n"
    yield f"|{'---|' * 12}\n"
    for _, some in groupby(found, key=lambda one: one.pair.kind):
        yield _line(list(some))


def _line(some: Sequence[Measured]) -> str:
    kind = some[0].pair.kind
    room = f"{kind.sndbuf:,}" if kind.sndbuf else "unlimited"
    utilisation = " | ".join(
        f"{mean(value or 0 for value in values):.3f}"
        for values in (
            [one.captured.rtxq_util for one in some],
            [one.said.rtxq_util for one in some],
            [one.was.rtxq_util for one in some],
        )
    )
    average = " | ".join(
        f"{mean(values):,.0f}"
        for values in (
            [one.captured.average_bytes for one in some],
            [one.said.average_bytes for one in some],
            [one.was.average_bytes for one in some],
        )
    )
    error = max(abs(one.said.average_bytes / one.was.average_bytes - 1) for one in some)
    promised = "what is delivered" if kind.delivered_alone else "all"
    # With room for all the error tells; bounds are for a buffer that was full.
    within = same = "–"
    if kind.sndbuf:
        within = f"{sum(one.within for one in some)} of {len(some)}"
        same = f"{sum(one.within_for_the_same_losses for one in some)} of {len(some)}"
    return (
        f"| {kind.data} | {promised} | {room} | {utilisation} | {average} | {100 * error:.1f} % |"
        f" {within} | {same} |\n"
    )


if __name__ == "__main__":
    sys.exit(main())
