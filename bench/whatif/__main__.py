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

PAGE = Path(__file__).resolve().parents[2] / "docs" / "what-if.md"
BEGIN, END = "<!-- figures: python -m bench.whatif -->\n", "<!-- end of figures -->\n"

#: Each kind of pair with each of them.
SEEDS = range(1, 5)


def main() -> int:
    """The table between the marks of the page is another one afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        found = [measured(pair, Path(folder)) for pair in pairs(SEEDS)]
    text = PAGE.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}{''.join(_lines(found))}{END}{after}")
    return 0


def _lines(found: Sequence[Measured]) -> Iterator[str]:
    yield "| data | NR-SACKs tell of | send buffer | RtxQ_Util with SACKs | said with NR-SACKs |"
    yield " was | average queue with SACKs | said with NR-SACKs | was | largest error |\n"
    yield f"|{'---|' * 10}\n"
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
    return (
        f"| {kind.data} | {promised} | {room} | {utilisation} | {average} | {100 * error:.1f} % |\n"
    )


if __name__ == "__main__":
    sys.exit(main())
