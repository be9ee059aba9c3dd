# SPDX-License-Identifier: BSD-2-Clause
"""The C model and the reference agree on every mark and every state, over random histories."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sctp_rack.reference.events import Feedback
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import (
    PROFILES,
    Parameters,
    ReceiverTraits,
    pion,
    rfc8985,
    rfc9260,
    usrsctp,
)
from sctp_rack.reference.tsn import tsn_at
from sctp_rack.reference.variants import varied
from sctp_rack.reference.vector import feed

from tests.model.core_model import CoreModel
from tests.reference.histories import (
    BULK,
    FIRSTS,
    KINDS,
    RECEIVERS,
    Command,
    Does,
    Event,
    History,
    at_random,
    commands,
)

SENDERS: list[Parameters] = [
    *(make() for make in PROFILES.values()),
    rfc8985(robust_rtt=True),
    usrsctp(cmt=True),
    pion(newly_acked_only=True),
    varied(rfc8985(), {"reo_wnd_step": "3/2", "dup_thresh": "1", "persist": "1", "rto_min": "9"}),
    varied(rfc8985(), {"sacked_in": "chunks", "pto_factor": "1/2", "max_ack_delay": "0"}),
    varied(rfc9260(), {"misses": "1", "rto_min": "20", "rto_initial": "30"}),
    varied(usrsctp(), {"misses": "1"}),
]
BATCH = 500


def _agree(
    senders: list[Parameters], receiver: ReceiverTraits, commands: list[Command], first: int
) -> list[Event]:
    """Play the commands and compare after each event; return the events."""
    senders = [replace(parameters, receiver=receiver) for parameters in senders]
    core = CoreModel(senders)
    references = [RecoveryModel(parameters) for parameters in senders]
    marks = [0] * len(senders)
    history = History(first, next_timer_ns=lambda: core.next_timer_ns(0))
    for event in _live(history, commands):
        core.feed(event)
        for number, reference in enumerate(references):
            feed(reference, event)
            where = f"{number} {senders[number].profile} after {event}"
            made = reference.take_marks()
            assert core.marks[number][marks[number] :] == made, where
            marks[number] += len(made)
            for path in reference.sender.paths:
                assert core.snapshot(number, path) == reference.snapshot(path), where
            assert core.next_timer_ns(number) == reference.next_timer_ns(), where
            if isinstance(event, Feedback):
                for chunk in reference.sender.board:
                    tsn = tsn_at(chunk.seq)
                    assert core.state_of(number, tsn) == chunk.state.name, where
                    assert core.misses(number, tsn) == reference.misses(tsn), where
    core.finish()
    for number, reference in enumerate(references):
        reference.finish()
        assert core.expectations[number] == reference.expectations
        assert core.probes(number) == reference.probes
        assert core.reneged[number] == reference.reneged
        assert core.broken_promises[number] == reference.broken_promises
        assert core.withdrawn[number] == reference.withdrawn
        assert core.queue_steps[number] == reference.queue.steps
    return history.events


def _live(history: History, commands: list[Command]) -> Iterator[Event]:
    for command in commands:
        before = len(history.events)
        history.apply(command)
        yield from history.events[before:]


def _some_senders(seed: int) -> list[Parameters]:
    """Return three, other ones for each seed, so that each meets each."""
    step = 1 + seed // len(SENDERS) % 4
    return [SENDERS[(seed + step * number) % len(SENDERS)] for number in range(3)]


def _without_one(history: list[Command]) -> Iterator[list[Command]]:
    for place in reversed(range(len(history))):
        yield history[:place] + history[place + 1 :]


def _shrunk(history: list[Command], fails: Callable[[list[Command]], bool]) -> list[Command]:
    """Return the history without any command that it can do without and still fails."""
    while shorter := next(filter(fails, _without_one(history)), None):
        history = shorter
    return history


def _agree_on_seed(seed: int, kinds: tuple[Does, ...], longest: int = 80) -> None:
    senders, receiver = _some_senders(seed), RECEIVERS[seed % len(RECEIVERS)]
    history, first = at_random(seed, kinds, longest), FIRSTS[seed % len(FIRSTS)]

    def fails(shorter: list[Command]) -> bool:
        try:
            _agree(senders, receiver, shorter, first)
        except AssertionError:
            return True
        return False

    if fails(history):
        shrunk = _shrunk(history, fails)
        print(f"seed {seed}, first TSN {first}, {receiver}:", *shrunk, sep="\n")
        _agree(senders, receiver, shrunk, first)
        raise AssertionError("a shorter history fails, but not twice")


def _agree_on_batch(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        _agree_on_seed(seed, KINDS[seed // 7 % len(KINDS)])


def test_both_agree_on_random_histories() -> None:
    _agree_on_batch(0)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(1, 7))
def test_both_agree_on_many_more_random_histories(batch: int) -> None:
    _agree_on_batch(batch)


@pytest.mark.parametrize("seed", range(4))
def test_both_agree_where_much_is_outstanding(seed: int) -> None:
    _agree_on_seed(seed, BULK, longest=1500)


@settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    database=None,
)
@given(
    st.one_of(*(commands(paths, kinds) for paths in (("p",), ("p", "q")) for kinds in KINDS)),
    st.sampled_from(FIRSTS),
    st.sampled_from(RECEIVERS),
    st.integers(0, 35),
)
def test_both_agree_on_small_histories(
    history: list[Command], first: int, receiver: ReceiverTraits, which: int
) -> None:
    _agree(_some_senders(which), receiver, history, first)
