# SPDX-License-Identifier: BSD-2-Clause
"""docs/reliability.md is what its generator writes, but for the numbers that were measured."""

from pathlib import Path

import pytest

from bench.reliability.__main__ import DOCUMENT
from bench.reliability.fuzzing import last_run
from bench.reliability.limits import LIMITS, Limit
from bench.reliability.measured import Measured
from bench.reliability.page import Tried, form, page
from tests.commands import matrix
from tests.hostile.commands import ANALYZE, COMMANDS
from tests.hostile.growth import Growth
from tests.hostile.measure import Cost
from tests.hostile.shape import combination
from tests.hostile.shapes import FRAMES, SHAPES


def _growths(status: int = 0) -> list[Growth]:
    costs = Cost(0.3, 40, status, ""), Cost(0.9, 50, status, "")
    return [
        Growth(command, shape, (command.largest >> 4, command.largest), costs, 0.2, 50, 0.1)
        for shape in SHAPES
        for command in COMMANDS
    ]


def test_the_page_has_the_sections_shapes_promises_and_limits_of_its_generator() -> None:
    made = page(Tried(Measured(_growths(), []), [], []))
    assert form(DOCUMENT.read_text(encoding="utf-8")) == form(made)


def test_the_page_begins_with_the_answer_and_names_what_broke_a_promise() -> None:
    combined = Growth(
        ANALYZE, combination(1, FRAMES), (1, 16), (Cost(0, 1, 0, ""),) * 2, 0.0, 1, 1.0
    )
    good = page(Tried(Measured(_growths(), [combined]), [], [])).split("\n\n")[2]
    assert "no crash, no hang" in good
    bad = page(Tried(Measured(_growths(status=-11)[:1], []), [], []))
    assert "2 crashes, no hang; 1 measurement of 1 over" in bad
    assert "- analyze, `" in bad and "status -11" in bad


def test_calls_of_one_condition_are_one_line() -> None:
    rows = [
        matrix.Tried("analyze", "no such file", 3, "sctp-rack: x: No such file", ""),
        matrix.Tried("report", "no such file", 3, "", ""),
        matrix.Tried("plot", "disk full", 3, "no | room", ""),
        matrix.Tried("export", "disk full", 0, "", "says nothing"),
    ]
    text = page(Tried(Measured([], []), rows, []))
    assert "| no such file | 3 | `sctp-rack: x: No such file` |" in text
    assert "4 bad calls, 1 wrong end" in text
    assert "- export, disk full: says nothing (status 0)" in text
    assert "| disk full | 0: export; 3: plot | `no \\| room` |" in text


def test_fuzzing_is_told_from_its_logs(tmp_path: Path) -> None:
    log = "#9 NEW cov: 12 ft: 20\nTest unit written to x\nDone 2000 runs in 21 second(s)\n"
    (tmp_path / "fuzz_link.log").write_text(log)
    text = page(Tried(Measured([], []), [], last_run(tmp_path)))
    assert "| `fuzz_link` | 2,000 | 21 | 12 | 1 |" in text


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.constant)
def test_a_limit_stands_where_the_page_says(limit: Limit) -> None:
    assert limit.value > 0
