# SPDX-License-Identifier: BSD-2-Clause
"""What sctp-rack and plain Wireshark say of each capture, in the form of answers that is scored."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from bench.accuracy.answers import by_package, by_wireshark
from bench.accuracy.count import Row
from bench.accuracy.measure import JOBS
from bench.accuracy.truths import TAPS, Run, files_in, run_of

#: Columns of an answer, as docs/benchmark-set.md has them.
COLUMNS = (
    *("kind", "verdict", "verdict_class", "cause", "cause_class"),
    *("probe", "probe_class", "outcome", "outcome_class"),
)

Rows = Callable[[Run, str], Iterable[Row]]


def _by_sctp_rack(run: Run, tap: str) -> Iterable[Row]:
    return by_package(run, tap)[0]


TOOLS: dict[str, Rows] = {"sctp-rack": _by_sctp_rack, "wireshark": by_wireshark}


def lines_of(tool: str, folder: Path) -> list[str]:
    """Of every capture of a folder, by name."""
    with get_context("spawn").Pool(JOBS) as pool:
        each = pool.imap(partial(_lines, tool), files_in(folder), chunksize=2)
        return [line for lines in each for line in lines]


def _lines(tool: str, truth: Path) -> list[str]:
    run = run_of(truth)
    return [line for tap in TAPS for line in answers(run.capture(tap).name, TOOLS[tool](run, tap))]


def answers(capture: str, rows: Iterable[Row]) -> Iterable[str]:
    """A line for each row; null ones are left out."""
    frame, chunk = 0, 0
    for row in rows:
        chunk = chunk + 1 if row["frame"] == frame else 0
        frame = row["frame"]
        where = {"capture": capture, "frame": frame, "tsn": row["tsn"], "chunk": chunk}
        said = {name: row[name] for name in COLUMNS if row.get(name) is not None}
        yield json.dumps(where | said, separators=(",", ":"))
