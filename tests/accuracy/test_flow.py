# SPDX-License-Identifier: BSD-2-Clause
"""The data of each host are counted by its own stack, and by where the tap is as seen from it."""

from typing import Any

import pytest

from bench.accuracy.answers import by_package
from bench.accuracy.count import count
from bench.accuracy.flow import by_direction, flows, main_direction
from bench.accuracy.measure import tallies_of_package, tally_of_package
from bench.accuracy.tally import total
from bench.accuracy.truths import TAPS, Run, runs_in
from tests.captures import BUNDLED

RUNS = {run.name: run for run in runs_in(BUNDLED)}
BOTH_WAYS = RUNS["usrsctp-both-ways"]


def between_unlike(run: Run) -> Run:
    """The same run as if another stack answered."""
    other = {"receiver_stack": "pion", "receiver_stack_version": "1.12.1"}
    return Run(run.folder, {**run.document, **other})


def test_each_tap_has_two_sides_where_both_hosts_send() -> None:
    seen = {tap: flows(between_unlike(BOTH_WAYS), tap) for tap in TAPS}

    assert [[one.tap for one in seen[tap]] for tap in TAPS] == [
        ["sender", "receiver"],
        ["middle", "middle"],
        ["receiver", "sender"],
    ]
    for main, back in seen.values():
        assert {main.direction, back.direction} == {"a2b", "b2a"}
        assert main.run.stack == "usrsctp 0.9.5.0 to pion"
        assert back.run.stack == "pion 1.12.1 to usrsctp"
        assert (main.run.receiver, back.run.receiver) == ("silent", "dup-reporting")


def test_where_one_host_sends_there_is_one() -> None:
    run = RUNS["usrsctp-request-response"]
    sent = {one["dir"] for one in run.document["transmissions"]}

    assert all(len(flows(run, tap)) == len(sent) for tap in TAPS)


@pytest.mark.parametrize("tap", TAPS)
def test_the_two_are_the_whole(tap: str) -> None:
    whole = count(BOTH_WAYS, tap, by_package(BOTH_WAYS, tap)[0])
    parts = total([tally for _, tally in tallies_of_package(BOTH_WAYS, tap)])

    assert len(tallies_of_package(BOTH_WAYS, tap)) == 2
    assert parts.rows == whole.rows
    assert parts.causes == whole.causes
    assert parts.verdicts == whole.verdicts
    assert parts.calibration == whole.calibration
    assert parts.causes == tally_of_package(BOTH_WAYS, tap).causes


@pytest.mark.parametrize(
    ("said", "expected"), [("a2b", "a2b"), ("b2a", "b2a"), (None, "main"), ("c2d", "main")]
)
def test_a_row_that_truth_does_not_know_goes_its_own_way(said: str | None, expected: str) -> None:
    known = by_package(BOTH_WAYS, "sender")[0]
    unknown: dict[str, Any] = {"frame": 1 << 40, "tsn": 1, **({"dir": said} if said else {})}
    rows = by_direction(BOTH_WAYS, "sender", [*known, unknown])
    main = main_direction(BOTH_WAYS)

    assert [way for way in rows if unknown in rows[way]] == [
        main if expected == "main" else expected
    ]
    assert sum(map(len, rows.values())) == len(known) + 1
