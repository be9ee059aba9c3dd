# SPDX-License-Identifier: BSD-2-Clause
"""The core and the reference agree on which feedback comes too early, and what it waits for."""

import pytest
from sctp_rack._core import ffi, lib
from sctp_rack.reference.crossing import releases
from sctp_rack.reference.events import Event, Feedback, Transmission, TsnReset

from tests.model.core_model import FeedbackInC
from tests.reference.histories import FIRSTS, Does, History, at_random

KINDS = (
    (Does.SEND, Does.AGAIN, Does.ARRIVE, Does.SACK),
    (*(Does.SEND,) * 3, *(Does.AGAIN,) * 3, *(Does.ARRIVE,) * 3, Does.SACK, Does.NR_SACK),
    tuple(does for does in Does if does is not Does.AT_TIMER),
)


def _told(events: list[Event]) -> dict[int, int]:
    """Return what the core says, with the numbers of the reference."""
    crossing = ffi.gc(lib.sr_crossing_new(), lib.sr_crossing_free)
    for number, event in enumerate(events, 1):
        if isinstance(event, Feedback):
            feedback = FeedbackInC(event)
            assert lib.sr_crossing_feedback(crossing, number, feedback.c)
        elif isinstance(event, Transmission):
            for data in event.chunks:
                tsn = (data.tsn.value,)
                assert lib.sr_crossing_sent(crossing, number, event.time_ns, tsn)
        elif isinstance(event, TsnReset):
            lib.sr_crossing_tsn_reset(crossing, (event.next_tsn.value,))
    asked = {
        number: lib.sr_crossing_release(crossing, number + 1)
        for number, event in enumerate(events)
        if isinstance(event, Feedback)
    }
    return {number: sent - 1 for number, sent in asked.items() if sent}


@pytest.mark.parametrize("batch", range(4))
def test_both_agree_on_random_histories(batch: int) -> None:
    found = 0
    for seed in range(batch * 250, batch * 250 + 250):
        history = History(FIRSTS[seed % len(FIRSTS)])
        for command in at_random(seed, KINDS[seed % len(KINDS)], 150):
            history.apply(command)
        expected = releases(history.events)
        found += len(expected)

        assert _told(history.events) == expected, seed
    assert found > 100
