# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.limits: runs what docs/limits.md has figures of, and writes them there."""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

from sctp_rack.names import Limit

from bench.limits.pairs import Pair, pair_of
from bench.limits.pairs import scenarios as pairs_of_runs
from bench.limits.sack_pairs import pair_of as sack_pair_of
from bench.limits.sack_pairs import scenarios as sack_pairs
from bench.limits.scenarios import SCENARIOS
from bench.limits.score import Score, scores_of
from bench.limits.send_buffer_pairs import pair_of as send_buffer_pair_of
from bench.limits.send_buffer_pairs import scenarios as send_buffer_pairs
from bench.limits.windows import Closeness, closeness_of, scenarios
from sample_pcaps.generate.scenario import Scenario

PAGE = Path(__file__).resolve().parents[2] / "docs" / "limits.md"
BEGIN, END = "<!-- figures: python -m bench.limits -->\n", "<!-- end of figures -->\n"
BEGIN_PAIRS = "<!-- pairs: python -m bench.limits -->\n"
BEGIN_SEND_BUFFERS = "<!-- send buffers: python -m bench.limits -->\n"
BEGIN_SACKS = "<!-- SACKs: python -m bench.limits -->\n"
BEGIN_WINDOWS = "<!-- windows: python -m bench.limits -->\n"


def main() -> int:
    """The table between the marks of the page is another one afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [(one, scores_of(one, Path(folder))[1]) for one in SCENARIOS]
        windows = [(one, closeness_of(one, Path(folder))) for one in scenarios()]
        pairs = [pair_of(one, Path(folder)) for one in pairs_of_runs()]
        sacks = [sack_pair_of(one, Path(folder)) for one in sack_pairs()]
        buffers = [send_buffer_pair_of(one, Path(folder)) for one in send_buffer_pairs()]
    _write(BEGIN, _lines(rows))
    _write(BEGIN_WINDOWS, _window_lines(windows))
    _write(BEGIN_PAIRS, _pair_lines(pairs))
    _write(BEGIN_SEND_BUFFERS, _pair_lines(buffers))
    _write(BEGIN_SACKS, _pair_lines(sacks))
    return 0


def _write(begin: str, lines: Iterator[str]) -> None:
    before, rest = PAGE.read_text().split(begin)
    PAGE.write_text(f"{before}{begin}{''.join(lines)}{END}{rest.split(END, 1)[1]}")


def _pair_lines(pairs: list[Pair]) -> Iterator[str]:
    yield "| sender | pairs | within 10 % |\n|---|---|---|\n"
    stacks = sorted({one.scenario.stack.value[0] for one in pairs})
    for name in (*stacks, "all"):
        some = [one for one in pairs if name in ("all", one.scenario.stack.value[0])]
        yield f"| {name} | {len(some)} | {sum(one.near for one in some)} |\n"


def _window_lines(rows: list[tuple[Scenario, Closeness]]) -> Iterator[str]:
    all_of = Closeness(
        *(sum(column) for column in zip(*(astuple(one) for _, one in rows), strict=True))
    )
    yield "| run | round trips | with an estimate | of them within one MTU |\n|---|---|---|---|\n"
    for name, one in (*((scenario.name, one) for scenario, one in rows), ("all", all_of)):
        yield f"| {name} | {one.all} | {one.told} | {one.close / max(1, one.told):.3f} |\n"


def _lines(rows: list[tuple[Scenario, list[Score]]]) -> Iterator[str]:
    taps = [score.tap for score in rows[0][1]]
    yield f"| run | what it is limited by | {' | '.join(taps)} |\n"
    yield f"|---|---|{'---|' * len(taps)}\n"
    for scenario, scores in rows:
        cells = " | ".join(_cell(score) for score in scores)
        yield f"| {scenario.name} | {_most(scores[0])} | {cells} |\n"


def _cell(score: Score) -> str:
    unknown = score.unknown
    return f"{score.right:.3f}{f' (unknown: {unknown:.3f})' if unknown >= 0.0005 else ''}"


def _most(score: Score) -> str:
    shares = {
        limit: sum(ns for (true, _), ns in score.times.items() if true is limit) for limit in Limit
    }
    whole = sum(shares.values())
    told = sorted((ns, limit) for limit, ns in shares.items() if ns >= 0.1 * whole)
    return ", ".join(f"`{limit}` {100 * ns / whole:.0f} %" for ns, limit in reversed(told))


if __name__ == "__main__":
    sys.exit(main())
