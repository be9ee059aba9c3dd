# SPDX-License-Identifier: BSD-2-Clause
"""Why a chunk came again, by one definition for every stack: `fast` where it was sent in the event
of the feedback that brought the third missing report, `fast_deferred` where it was marked then and
sent at a later event."""

import pytest

from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.cause import Sender
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.wire import Data
from tests.samples.stacks import run_of

CHUNK = Data(tsn=7, user_bytes=100)


def marked_sender(word: str) -> Sender:
    """It sent TSN 7, and has just marked it."""
    sender = Sender()
    sender.send(0, [CHUNK], [1])
    sender.begin_event()
    sender.mark(5, word, 7)
    return sender


def test_what_is_sent_in_the_event_of_its_mark_is_fast() -> None:
    (cause,) = marked_sender("fast").send(5, [CHUNK], [2])

    assert cause.name == "fast"


@pytest.mark.parametrize("time_ns", [5, 6])
def test_what_is_sent_at_a_later_event_is_deferred_even_at_the_same_instant(time_ns: int) -> None:
    sender = marked_sender("fast")
    sender.begin_event()
    (cause,) = sender.send(time_ns, [CHUNK], [2])

    assert cause.name == "fast_deferred"


def test_of_two_kinds_of_marks_the_one_counts_that_the_stack_names() -> None:
    for how, name in (("fast", "fast"), ("marked", "rack")):
        sender = marked_sender("fast")
        sender.mark(5, "rack", 7)
        sender.resend(7, how)
        (cause,) = sender.send(5, [CHUNK], [2])

        assert cause.name == name


def test_without_a_word_of_the_stack_two_kinds_of_marks_leave_it_open() -> None:
    sender = marked_sender("fast")
    sender.mark(5, "t3", 7)
    (cause,) = sender.send(5, [CHUNK], [2])

    assert cause.name is None


def marks_before(run: Run) -> list[tuple[str, int]]:
    """Of each fast retransmission its cause, and how long before it its last mark was."""
    found = []
    for sent in run.sent:
        if sent.cause in ("fast", "fast_deferred"):
            marks = run.senders[sent.side].marks
            waited = [
                sent.time_ns - mark.time_ns
                for mark in marks
                if (mark.tsn, mark.what) == (sent.tsn, "fast") and mark.time_ns <= sent.time_ns
            ]
            found.append((sent.cause, min(waited)))
    return found


@pytest.mark.parametrize(
    "name", ["pion-reorder-low", "pion-reorder-low-no-rack", "usrsctp-nth-loss", "usrsctp-queue"]
)
def test_each_fast_retransmission_has_its_mark_at_once_or_before(name: str) -> None:
    """On hosts that take no time. pion is asked for what it missed, usrsctp says it."""
    run = run_of(SCENARIOS[name])
    before = marks_before(run)

    assert before
    for cause, waited_ns in before:
        assert waited_ns == 0 if cause == "fast" else waited_ns > 0
    assert not [sent for sent in run.sent if sent.copy > 1 and sent.cause is None]


@pytest.mark.parametrize("name", ["pion-reorder-low-no-rack", "usrsctp-queue"])
def test_stacks_that_wait_for_their_window_send_some_later(name: str) -> None:
    assert "fast_deferred" in {cause for cause, _ in marks_before(run_of(SCENARIOS[name]))}
