# SPDX-License-Identifier: BSD-2-Clause
"""Hosts that change their buffers while they run, and hosts that do not."""

import struct
from dataclasses import replace

import pytest

from bench.buffers.cases import CHUNK, FIXED, GREEDY, LARGEST, Case
from bench.buffers.fixed_run import FixedRun
from bench.buffers.tuned_run import TunedRun
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import SECOND, Stack
from sample_pcaps.generate.wire import acknowledgement_of, chunks
from tests.samples.stacks import need

#: Until then many more than 512 chunks may be under way at 100 ms.
_LONG_ENOUGH_NS = 15 * SECOND // 10

_CHARGED = 272  #: by usrsctp, of a window, for each chunk


def windows_of(run: Run) -> list[int]:
    """That the receiver told."""
    told = (acknowledgement_of(one.sctp) for one in run.carried if one.side == "b")
    return [one.a_rwnd for one in told if one]


def window_of_init_ack(run: Run) -> int:
    """Which tells the first ssthresh of usrsctp."""
    init_ack = next(one for one in run.carried if one.side == "b")
    ((_, _, value), *_) = chunks(init_ack.sctp)
    return int(struct.unpack_from("!I", value, 4)[0])


def outstanding(run: Run) -> int:
    """The most user data that is under way at a time."""
    now, most = 0, 0
    by_time = sorted(
        (at, size)
        for one in run.sent
        if one.side == "a"
        for at, size in (
            (one.time_ns, one.user_bytes),
            ((one.arrive_ns or 1 << 62) + run.scenario.back.delay_ns, -one.user_bytes),
        )
    )
    for _, size in by_time:
        now += size
        most = max(most, now)
    return most


def tuned(kind: str) -> TunedRun:
    case = Case(Stack.USRSCTP, 100, kind)
    assert case.tuning
    need(case.scenario)
    run = TunedRun(replace(case.scenario, cut_off_ns=_LONG_ENOUGH_NS), GREEDY, case.tuning)
    run.run()
    return run


def test_buffers_grow_and_the_window_that_is_told_with_them() -> None:
    run = tuned("tuned")

    for which, first in (("send", 16_384), ("receive", 349_500)):
        grown = [one.bytes for one in run.sizes if one.which == which]
        assert grown[0] == first and grown == sorted(grown) and grown[-1] > 2 * first
    receive = [one.bytes for one in run.sizes if one.which == "receive"]
    windows = windows_of(run)
    assert windows[0] == pytest.approx(receive[0], rel=0.01)
    assert max(windows) == pytest.approx(receive[-1], rel=0.01)
    assert window_of_init_ack(run) == LARGEST // 2
    assert outstanding(run) > 900 * CHUNK


def test_a_send_buffer_has_room_for_512_chunks() -> None:
    """And for messages that were in no chunk yet when there were as many."""
    assert 512 * CHUNK <= outstanding(tuned("tuned, 512 chunks")) < 600 * CHUNK


def test_with_the_window_of_the_peer_as_ssthresh_slow_start_ends_there() -> None:
    run = tuned("tuned, ssthresh as it is")

    assert window_of_init_ack(run) == 349_500
    assert 349_500 - 3 * CHUNK < outstanding(run) < 349_500 + 3 * CHUNK


@pytest.mark.parametrize("stack", [Stack.USRSCTP, Stack.PION, Stack.DCSCTP])
def test_fixed_buffers_hold_a_window_back(stack: Stack) -> None:
    scenario = replace(Case(stack, 100, "fixed").scenario, cut_off_ns=_LONG_ENOUGH_NS)
    need(scenario)
    run = FixedRun(scenario, replace(GREEDY, count=1000))
    run.run()

    taken = CHUNK + (_CHARGED if stack is Stack.USRSCTP else 0)
    assert FIXED * 0.85 < outstanding(run) / CHUNK * taken <= FIXED
