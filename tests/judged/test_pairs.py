# SPDX-License-Identifier: BSD-2-Clause
"""The rate that is predicted with a larger receive buffer, or more SACKs, is reached with them."""

from pathlib import Path

import pytest

from bench.limits.pairs import pair_of, scenarios
from bench.limits.sack_pairs import pair_of as sack_pair_of
from bench.limits.sack_pairs import scenarios as sack_pairs
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


@pytest.mark.parametrize("at", [0, 3])
def test_the_rate_predicted_for_a_sack_for_each_packet_comes_true(at: int, tmp_path: Path) -> None:
    """A send buffer of one packet, and two small messages by a clock (Nagle)."""
    scenario = list(sack_pairs(at + 1))[at]
    need(scenario)

    assert sack_pair_of(scenario, tmp_path).near
