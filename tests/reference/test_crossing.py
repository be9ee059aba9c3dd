# SPDX-License-Identifier: BSD-2-Clause
"""Feedback that the tap saw before the sender had it."""

from sctp_rack.reference.crossing import in_the_senders_order
from sctp_rack.reference.events import DataChunk, Event, Feedback, Transmission
from sctp_rack.reference.tsn import Tsn

MS = 1_000_000


def _send(frame: int, at: int, tsn: int) -> Transmission:
    return Transmission(frame, at * MS, "p", (DataChunk(Tsn(tsn), 100),))


def _sack(frame: int, at: int, cum: int, *gaps: int) -> Feedback:
    blocks = tuple((Tsn(tsn), Tsn(tsn)) for tsn in gaps)
    return Feedback(frame, at * MS, Tsn(cum), gaps=blocks)


def _order(events: list[Event]) -> list[tuple[int, int]]:
    ordered = in_the_senders_order(events)
    return [
        (event.frame, event.time_ns // MS)
        for event in ordered
        if isinstance(event, Transmission | Feedback)
    ]


def test_feedback_goes_behind_the_resend_of_what_it_acknowledges() -> None:
    events: list[Event] = [_send(1, 0, 10), _sack(2, 50, 10), _send(3, 53, 10)]

    assert _order(events) == [(1, 0), (3, 53), (2, 53)]


def test_later_feedback_stays_behind() -> None:
    events: list[Event] = [
        *(_send(1, 0, 10), _send(2, 1, 11)),
        *(_sack(3, 50, 10), _sack(4, 51, 11), _send(5, 53, 10), _sack(6, 54, 11)),
    ]

    assert _order(events) == [(1, 0), (2, 1), (5, 53), (3, 53), (4, 53), (6, 54)]


def test_feedback_waits_for_the_last_of_its_resends() -> None:
    events: list[Event] = [
        *(_send(1, 0, 10), _send(2, 1, 11), _send(3, 2, 12)),
        *(_sack(4, 50, 9, 11, 12), _send(5, 53, 11), _send(6, 54, 12)),
    ]

    assert _order(events) == [(1, 0), (2, 1), (3, 2), (5, 53), (6, 54), (4, 54)]


def test_a_resend_much_later_has_another_reason() -> None:
    events: list[Event] = [_send(1, 0, 10), _sack(2, 50, 10), _send(3, 71, 10)]

    assert _order(events) == [(1, 0), (2, 50), (3, 71)]


def test_a_resend_of_what_is_missing_moves_nothing() -> None:
    events: list[Event] = [_send(1, 0, 10), _send(2, 1, 11), _sack(3, 50, 9, 11), _send(4, 51, 10)]

    assert _order(events) == [(1, 0), (2, 1), (3, 50), (4, 51)]


def test_tsns_may_wrap() -> None:
    last = (1 << 32) - 1
    events: list[Event] = [_send(1, 0, last), _send(2, 1, 0), _sack(3, 50, 0), _send(4, 52, 0)]

    assert _order(events) == [(1, 0), (2, 1), (4, 52), (3, 52)]
