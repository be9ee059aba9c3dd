# SPDX-License-Identifier: BSD-2-Clause
"""The congestion window of the table `windows` is that of the stack."""

from pathlib import Path

import pytest
import sctp_rack

from bench.limits.scenarios import ONE_EACH
from bench.limits.windows import closeness_of, scenarios
from sample_pcaps.generate.scenario import Scenario, Stack
from tests.captures import BUNDLED
from tests.samples.stacks import need

_RUNS = {one.name: one for one in scenarios()}

#: One of each stack in every run of the tests.
_FEW = (
    "usrsctp-avoidance-full-packets",
    "pion-congestion-window-full-packets",
    "dcsctp-recovery-full-packets",
    "linux-recovery-full-packets",
    "linux-peer-closes-full-packets",
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
@pytest.mark.parametrize("stack", ONE_EACH)
def test_the_congestion_window_is_that_of_the_stack_in_most_runs(
    stack: Stack, tmp_path: Path
) -> None:
    runs = [one for one in _RUNS.values() if one.stack is stack]
    for scenario in runs:
        need(scenario)
    found = [closeness_of(scenario, tmp_path) for scenario in runs]

    assert sum(one.close for one in found) >= _CLOSE * sum(one.told for one in found) > 0


def test_of_a_sender_that_gives_data_up_the_window_is_not_told_from_then_on() -> None:
    capture = sctp_rack.read(BUNDLED / "usrsctp-i-data-pr-sctp.sender.pcap", tables=["windows"])
    told = [row["cwnd_least"] is not None for row in capture.table("windows")]
    assert told[0] and not told[-1]
    assert told == sorted(told, reverse=True)
