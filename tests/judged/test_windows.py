# SPDX-License-Identifier: BSD-2-Clause
"""The congestion window of the table `windows` is that of the stack."""

from pathlib import Path

import pytest

from bench.limits.windows import closeness_of, scenarios
from sample_pcaps.generate.scenario import Scenario
from tests.samples.stacks import need

_RUNS = {one.name: one for one in scenarios()}

#: One of each stack in every run of the tests.
_FEW = (
    "usrsctp-avoidance-full-packets",
    "pion-congestion-window-full-packets",
    "dcsctp-recovery-full-packets",
)

#: Of round trips with an estimate, those within one MTU of the stack's own.
_CLOSE = 0.95


@pytest.mark.parametrize("scenario", [_RUNS[name] for name in _FEW], ids=_FEW)
def test_the_congestion_window_is_that_of_the_stack(scenario: Scenario, tmp_path: Path) -> None:
    need(scenario)
    found = closeness_of(scenario, tmp_path)

    assert found.told == found.all > 0
    assert found.close >= _CLOSE * found.told


@pytest.mark.long
def test_the_congestion_window_is_that_of_the_stack_in_most_runs(tmp_path: Path) -> None:
    for scenario in _RUNS.values():
        need(scenario)
    found = [closeness_of(scenario, tmp_path) for scenario in _RUNS.values()]

    assert sum(one.close for one in found) >= _CLOSE * sum(one.told for one in found)
