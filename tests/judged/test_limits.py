# SPDX-License-Identifier: BSD-2-Clause
"""What is said to limit runs of real stacks is what their senders knew to limit them."""

from pathlib import Path

import pytest
from sctp_rack.names import Limit

from bench.limits.scenarios import SCENARIOS
from bench.limits.score import scores_of
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.link import Path as Way
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import bulk
from tests.samples.stacks import need

#: In every run of the tests: one for each limit. The others are `long`.
_FEW = {
    "usrsctp-application-pauses",
    "pion-application-fast",
    "usrsctp-avoidance-slow-hosts",
    "usrsctp-held-long",
    "usrsctp-mixed",
    "usrsctp-peer-window",
    "usrsctp-to-usrsctp-delayed-sack",
    "usrsctp-recovery",
    "usrsctp-timeout",
    "usrsctp-path-failure",
    "usrsctp-send-buffer-3",
    "linux-peer-window",
    "linux-timeout",
    "linux-to-linux-delayed-sack",
}

#: Of the runs with a send buffer: the others take long, and are reported alone.
_HELD_TO = {
    "usrsctp-send-buffer-3",
    "pion-send-buffer-4",
    "dcsctp-send-buffer-3",
    "linux-send-buffer-3",
}

#: What leaves packet by packet, each a while after the feedback, is not all told yet.
_REPORTED_ALONE = {"linux-congestion-window-slow-hosts", "linux-recovery-slow-hosts"}

#: Of the time, at the sender; with one thing after the other, or slow hosts; and elsewhere.
AT_SENDER, MIXED, ELSEWHERE = 0.97, 0.93, 0.9

#: What is held up before the tap is another pause there than at the sender.
_HELD = 0.78


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(one, marks=() if one.name in _FEW else pytest.mark.long, id=one.name)
        for one in SCENARIOS
        if "burst-limit" not in one.name
        and ("send-buffer" not in one.name or one.name in _HELD_TO)
        and one.name not in _REPORTED_ALONE
    ],
)
def test_the_share_of_time_is_right(scenario: Scenario, tmp_path: Path) -> None:
    need(scenario)
    truth, (sender, *others) = scores_of(scenario, tmp_path)

    mixed = any(word in scenario.name for word in ("mixed", "slow-hosts", "dcsctp"))
    assert truth and sender.right >= (MIXED if mixed else AT_SENDER)
    for score in others:
        assert score.right >= (_HELD if "held" in scenario.name else ELSEWHERE), score


@pytest.mark.parametrize("name", ["dcsctp-burst-limit-1", "linux-burst-limit-1"])
def test_a_limit_on_bursts_is_told_at_each_tap(name: str, tmp_path: Path) -> None:
    scenario = next(one for one in SCENARIOS if one.name == name)
    need(scenario)

    _, (sender, *others) = scores_of(scenario, tmp_path)

    assert sender.right >= AT_SENDER
    assert min(score.right for score in others) >= ELSEWHERE
    for score in (sender, *others):
        told = {true for true, said in score.times if said is Limit.BURST_LIMIT}
        assert told <= {Limit.BURST_LIMIT}


@pytest.mark.long
def test_where_a_host_takes_its_time_a_limit_on_bursts_is_told_as_well(tmp_path: Path) -> None:
    scenario = next(one for one in SCENARIOS if one.name == "linux-burst-limit-5-slow-hosts")
    need(scenario)

    _, scores = scores_of(scenario, tmp_path)

    assert min(score.right for score in scores) >= AT_SENDER


@pytest.mark.parametrize(
    "stack",
    [
        Stack.USRSCTP,
        *(pytest.param(s, marks=pytest.mark.long) for s in (Stack.PION, Stack.DCSCTP, Stack.LINUX)),
    ],
)
def test_a_window_whose_data_waits_in_the_queue_of_a_link_is_the_limit(
    stack: Stack, tmp_path: Path
) -> None:
    """Feedback comes with each second packet, more often than each millisecond."""
    way = Way(delay_ns=MS // 2, bits_per_s=100_000_000)
    scenario = Scenario(
        f"{stack.value[0]}-queue",
        "a window larger than the path",
        stack,
        5,
        bulk(3000, 1440),
        forth=way,
        back=way,
        mtu=1480,
        rcvbuf=122_880,
    )
    need(scenario)

    _, (sender, *_) = scores_of(scenario, tmp_path)

    assert sender.right >= AT_SENDER
    assert sender.times[Limit.PEER_WINDOW, Limit.PEER_WINDOW] > 0
