# SPDX-License-Identifier: BSD-2-Clause
"""The C model and the reference agree on every mark and every state, over random histories."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sctp_rack.names import Answer
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import (
    PROFILES,
    Parameters,
    ReceiverTraits,
    pion,
    rfc8985,
    usrsctp,
)
from sctp_rack.reference.tsn import tsn_at
from sctp_rack.reference.vector import feed

from tests.model.core_model import CoreModel
from tests.reference.histories import COMMON, FIRST_TSNS, RARE, Command, Event, commands, played

SENDERS: list[Parameters] = [
    *(make() for make in PROFILES.values()),
    rfc8985(robust_rtt=True),
    usrsctp(cmt=True),
]
OTHERS: list[Parameters] = [pion(newly_acked_only=True)]
RECEIVERS = st.sampled_from(
    [ReceiverTraits(), ReceiverTraits(reports_duplicates=Answer.YES), ReceiverTraits(2)]
)
HISTORIES = st.one_of(
    commands(("p",), COMMON), commands(("p",), COMMON + RARE), commands(("p", "q"), COMMON + RARE)
)


def _agree(senders: list[Parameters], receiver: ReceiverTraits, events: list[Event]) -> None:
    senders = [replace(parameters, receiver=receiver) for parameters in senders]
    core = CoreModel(senders)
    references = [RecoveryModel(parameters) for parameters in senders]
    marks = [0] * len(senders)
    for event in events:
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
            for chunk in reference.sender.board:
                tsn = tsn_at(chunk.seq)
                assert core.state_of(number, tsn) == chunk.state.name, where
                assert core.misses(number, tsn) == reference.misses(tsn), where
    core.finish()
    for number, reference in enumerate(references):
        reference.finish()
        assert core.expectations[number] == reference.expectations
        assert core.probes(number) == reference.probes
        assert core.reneged == reference.reneged
        assert core.broken_promises == reference.broken_promises
        assert core.queue_steps == reference.queue.steps


def _agree_on(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try so many histories."""
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        database=None,
    )


@_agree_on(1000)
@given(HISTORIES, FIRST_TSNS, RECEIVERS)
def test_the_c_model_and_the_reference_agree(
    history: list[Command], first: int, receiver: ReceiverTraits
) -> None:
    _agree(SENDERS, receiver, played(history, first))
