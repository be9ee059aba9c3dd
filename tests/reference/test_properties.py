# SPDX-License-Identifier: BSD-2-Clause
"""What holds for every history: one end for each copy, nothing acknowledged marked, no peeking."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sctp_rack.names import Profile, Trigger
from sctp_rack.reference.events import Feedback, ForwardTsn, Mark, Transmission
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import PROFILES, Parameters, pion, rfc8985, usrsctp
from sctp_rack.reference.snapshot import PathSnapshot
from sctp_rack.reference.tsn import HALF, MODULUS, Tsn
from sctp_rack.reference.vector import feed

from tests.reference.histories import COMMON, FIRST_TSNS, RARE, Command, Event, commands, played

PATHS = ("p", "q")
SENDERS: dict[str, Parameters] = {
    **{str(profile): make() for profile, make in PROFILES.items()},
    "rfc8985 robust": rfc8985(robust_rtt=True),
    "pion 1.8": pion(newly_acked_only=True),
    "usrsctp cmt": usrsctp(cmt=True),
}
HISTORIES = st.one_of(commands(("p",), COMMON + RARE), commands(PATHS, COMMON + RARE))

sender = pytest.mark.parametrize("parameters", SENDERS.values(), ids=SENDERS.keys())
quick = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


def _replay(
    parameters: Parameters, events: list[Event]
) -> Iterator[tuple[RecoveryModel, Event, list[Mark]]]:
    model = RecoveryModel(parameters)
    for event in events:
        feed(model, event)
        yield model, event, model.take_marks()


def _all_marks(parameters: Parameters, events: list[Event]) -> list[Mark]:
    return [mark for _, _, marks in _replay(parameters, events) for mark in marks]


@sender
@quick
@given(HISTORIES, FIRST_TSNS)
def test_every_transmission_ends_exactly_once(
    parameters: Parameters, history: list[Command], first: int
) -> None:
    events = played(history, first)
    model = RecoveryModel(parameters)
    for event in events:
        feed(model, event)
    model.finish()
    sent = [
        chunk.tsn for event in events if isinstance(event, Transmission) for chunk in event.chunks
    ]
    copies = [(tsn, sent[: i + 1].count(tsn)) for i, tsn in enumerate(sent)]
    ends = {(Tsn(seq % MODULUS), copy) for seq, copy in model.sender.board.ends}

    assert sorted(ends, key=str) == sorted(copies, key=str)


@sender
@quick
@given(HISTORIES, FIRST_TSNS)
def test_bytes_in_flight_are_the_sum_of_what_is_in_flight(
    parameters: Parameters, history: list[Command], first: int
) -> None:
    for model, _, _ in _replay(parameters, played(history, first)):
        board = model.sender.board
        flights = {
            path: sum(c.size_bytes for c in board if c.path == path and c.in_flight)
            for path in PATHS
        }

        assert flights == {path: model.snapshot(path).flight_bytes for path in PATHS}
        assert all(
            0 <= step.necessary_bytes <= step.bytes and 0 <= step.necessary_chunks <= step.chunks
            for step in model.queue.steps
        )


@sender
@quick
@given(HISTORIES, FIRST_TSNS)
def test_sending_order_is_the_order_of_time(
    parameters: Parameters, history: list[Command], first: int
) -> None:
    for model, _, _ in _replay(parameters, played(history, first)):
        for path in PATHS:
            flights = [c.in_flight for c in model.sender.board.in_sending_order(path)]
            sent = [flight.sent for flight in flights if flight]

            assert sent == sorted(sent)
        seqs = [chunk.seq for chunk in model.sender.board]
        assert seqs == sorted(seqs)


@sender
@quick
@given(HISTORIES, FIRST_TSNS)
def test_nothing_acknowledged_or_given_up_is_marked(
    parameters: Parameters, history: list[Command], first: int
) -> None:
    settled: set[Tsn] = set()
    point: Tsn | None = None
    for _, event, marks in _replay(parameters, played(history, first)):
        # Marks of timers come before the event, those of feedback after it.
        by_timers = [mark for mark in marks if mark.by_frame is None]
        assert not {mark.tsn for mark in by_timers} & settled
        if isinstance(event, Feedback):
            stale = point is not None and point.follows(event.cum_tsn)
            if not stale:
                settled, point = _settled(event, settled), event.cum_tsn
        elif isinstance(event, ForwardTsn):
            continue

        assert not {mark.tsn for mark in marks if mark.by_frame is not None} & settled


def _settled(feedback: Feedback, before: set[Tsn]) -> set[Tsn]:
    below = {tsn for tsn in before if not tsn.follows(feedback.cum_tsn)}
    below |= {feedback.cum_tsn.plus(-back) for back in range(200)}
    if feedback.kind == "shutdown":
        return below | {tsn for tsn in before if tsn.follows(feedback.cum_tsn)}
    return below | {first for first, _ in feedback.gaps + feedback.nr_gaps}


@sender
@quick
@given(HISTORIES, FIRST_TSNS)
def test_a_mark_never_comes_before_the_sending_of_what_revealed_it(
    parameters: Parameters, history: list[Command], first: int
) -> None:
    sent_at: dict[int, int] = {}
    last_frame: dict[Tsn, tuple[int, str]] = {}
    delivered: dict[str, int] = {}
    tsns_delivered = 0
    for _, event, marks in _replay(parameters, played(history, first)):
        if isinstance(event, Feedback):
            for tsn, (frame, path) in last_frame.items():
                gaps = event.gaps + event.nr_gaps
                if not tsn.follows(event.cum_tsn) or any(tsn == low for low, _ in gaps):
                    delivered[path] = max(delivered.get(path, 0), frame)
                    tsns_delivered += 1
        for mark in marks:
            assert sent_at[mark.frame] <= mark.time_ns <= event.time_ns
            if mark.by_frame is not None:
                assert mark.by_frame > mark.frame
            if mark.trigger in (Trigger.ACK, Trigger.TIMER):
                # pion knows no paths: there, what was delivered on another may reveal it.
                anywhere = mark.profile is Profile.PION
                revealing = max(delivered.values()) if anywhere else delivered.get(mark.path, 0)
                assert revealing > mark.frame
            if mark.trigger is Trigger.MISS3:
                assert tsns_delivered > 0
        if isinstance(event, Transmission):
            sent_at[event.frame] = event.time_ns
            for chunk in event.chunks:
                last_frame[chunk.tsn] = (event.frame, event.path)


@sender
@quick
@given(HISTORIES)
def test_a_copy_is_marked_once_and_marks_come_in_order_of_time(
    parameters: Parameters, history: list[Command]
) -> None:
    marks: list[Mark] = []
    taken_back: set[Tsn] = set()
    for model, _, made in _replay(parameters, played(history, MODULUS - 5)):
        marks += made
        taken_back = {tsn for _, tsn in model.reneged}
    # A copy whose acknowledgement was taken back is in flight again, and may be marked again.
    copies = [(mark.tsn, mark.copy) for mark in marks if mark.tsn not in taken_back]

    assert [mark.time_ns for mark in marks] == sorted(mark.time_ns for mark in marks)
    assert len(set(copies)) == len(copies)


def _shift(mark: Mark, by: int) -> Mark:
    return replace(mark, tsn=mark.tsn.plus(by))


def _snapshots(parameters: Parameters, events: list[Event], by: int) -> list[PathSnapshot]:
    snapshots = [m.snapshot(path) for m, _, _ in _replay(parameters, events) for path in PATHS]
    return [replace(s, rack_tsn=s.rack_tsn.plus(by) if s.rack_tsn else None) for s in snapshots]


@pytest.mark.parametrize(
    "parameters", [p for name, p in SENDERS.items() if name != "pion"], ids=lambda p: p.profile
)
@quick
@given(HISTORIES, FIRST_TSNS)
def test_shifting_all_tsns_changes_nothing_but_tsns(
    parameters: Parameters, history: list[Command], first: int
) -> None:
    here, there = played(history, 1000), played(history, first)
    shifted = [_shift(mark, first - 1000) for mark in _all_marks(parameters, here)]

    assert shifted == _all_marks(parameters, there)
    assert _snapshots(parameters, here, first - 1000) == _snapshots(parameters, there, 0)


@quick
@given(HISTORIES, st.sampled_from([(1000, HALF - 1000), (HALF, MODULUS - 1000)]))
def test_shifting_tsns_within_one_half_changes_nothing_for_pion(
    history: list[Command], firsts: tuple[int, int]
) -> None:
    # Its watermark of reordering starts at TSN 0, so the two halves of the space differ
    # (test_pion.py: the two cases of the initial TSN).
    here, there = firsts
    shifted = [_shift(m, there - here) for m in _all_marks(pion(), played(history, here))]

    assert shifted == _all_marks(pion(), played(history, there))


@sender
@quick
@given(HISTORIES)
def test_letting_time_pass_more_often_changes_nothing(
    parameters: Parameters, history: list[Command]
) -> None:
    events = played(history, 7)
    asked = RecoveryModel(parameters)
    marks: list[Mark] = []
    for event in events:
        while (due_ns := asked.next_timer_ns()) is not None and due_ns < event.time_ns:
            asked.time_passed(due_ns)
        feed(asked, event)
        marks += asked.take_marks()

    assert marks == _all_marks(parameters, events)


@sender
@quick
@given(HISTORIES, FIRST_TSNS)
def test_a_path_has_a_timer_if_and_only_if_something_is_in_flight_on_it(
    parameters: Parameters, history: list[Command], first: int
) -> None:
    for model, _, _ in _replay(parameters, played(history, first)):
        for path in PATHS:
            snapshot, board = model.snapshot(path), model.sender.board
            runs = any(ns is not None for ns in (snapshot.t3_ns, snapshot.pto_ns, snapshot.reo_ns))
            flying = [c.seq for c in board.in_sending_order(path)]

            # usrsctp keeps T3-rtx running when a window probe is acknowledged.
            kept = model.sender.path(path).t3_kept
            assert not runs or board.outstanding(path) or kept
            # A zero window probe is repeated by a rule of its own.
            assert runs or not flying or set(flying) <= set(model.sender.window_probe)
