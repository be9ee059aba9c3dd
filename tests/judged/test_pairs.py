# SPDX-License-Identifier: BSD-2-Clause
"""The rate that is predicted for a larger receive buffer is reached with it."""

from pathlib import Path

import pytest

from bench.limits.pairs import pair_of, scenarios
from sample_pcaps.generate.scenario import Stack
from tests.samples.stacks import need


@pytest.mark.long
def test_most_predictions_for_twice_the_window_come_true(tmp_path: Path) -> None:
    some = list(scenarios(9))
    for scenario in some:
        need(scenario)
    pairs = [pair_of(scenario, tmp_path) for scenario in some]

    assert sum(pair.near for pair in pairs) >= 7
    assert all(pair.near for pair in pairs if pair.scenario.stack is not Stack.USRSCTP)
