# SPDX-License-Identifier: BSD-2-Clause
"""The replay of Linux marks at a timeout what the kernel marked, within what its timer may be late.

`calc_index` of kernel/time/timer.c rounds a timeout up to a step of its level, and `LVL_START` has
a level begin at 63 steps of the one below, of which its own have eight.
"""

import pytest

from bench.accuracy.answers import by_package
from bench.accuracy.truths import Record, Run, runs_in
from tests.captures import BUNDLED

RUNS = [run for run in runs_in(BUNDLED) if run.document["stack"] == "linux"]
STEP, LEAST = 8, 63
#: What two clocks and their rounding are apart.
CLOSE_NS = 1_000_000


def timeouts(run: Run) -> list[Record]:
    marks = [mark for mark in run.document["stack_marks"] if mark.get("trigger") == "rto"]
    return [mark for mark in marks if mark["dir"] == "a2b"]


def waited_ns(run: Run, at_ns: int) -> int:
    """Since the copy was sent that had waited longest of those that were marked then."""
    marked = {mark["tsn"] for mark in timeouts(run) if mark["t_ns"] == at_ns}
    last: dict[int, int] = {
        sent["tsn"]: sent["t_ns"]
        for sent in run.document["transmissions"]
        if sent["dir"] == "a2b" and sent["tsn"] in marked and sent["t_ns"] < at_ns
    }
    return max(at_ns - sent_ns for sent_ns in last.values())


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_each_timeout_was_marked_within_what_the_kernel_rounds_up(run: Run) -> None:
    offset = run.document["clock_offset_ns"].get("sender", 0)
    _, rows, _ = by_package(run, "sender")
    said = [
        (row["tsn"], row["time_ns"])
        for row in rows
        if row["dir"] == "a2b" and (row["profile"], row["trigger"]) == ("linux", "rto")
    ]

    for mark in timeouts(run):
        waited = waited_ns(run, mark["t_ns"])
        most = waited * STEP // (LEAST + STEP)  # it waited for the timeout, and for that
        late = [mark["t_ns"] + offset - at_ns for tsn, at_ns in said if tsn == mark["tsn"]]
        assert any(-CLOSE_NS <= one <= most + CLOSE_NS for one in late), (mark, late, most)
    assert len(said) == len(timeouts(run)) > 0
