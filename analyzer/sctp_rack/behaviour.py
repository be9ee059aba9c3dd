# SPDX-License-Identifier: BSD-2-Clause
"""What senders, receivers and the capture itself do that a person should know, by direction."""

from collections.abc import Iterator

from sctp_rack.counted import many
from sctp_rack.ends import ends_text
from sctp_rack.finding import CaptureFinding
from sctp_rack.looks import Look, each
from sctp_rack.names import Ended, Finding, Severity
from sctp_rack.summary import Association, Flow, Side, Summary

_MS = 1_000_000

#: RFC 9260 section 6.2: an acknowledgement must not wait longer.
_LONGEST_DELAY_NS = 500 * _MS

#: RFC 9260 section 16: RTO.Max.
_LONGEST_RTO_NS = 60_000 * _MS

#: Fewer acknowledgements say nothing about a habit.
_HABIT = 20

#: A sender that may send says nothing for so many timeouts.
_SILENT_TIMEOUTS = 3


def behaviour(summary: Summary) -> Look:
    """Findings of each direction with data, in the order of the associations."""
    return each(lambda association: _behaviour(summary, association))


def _behaviour(summary: Summary, association: Association) -> Iterator[CaptureFinding]:
    where = f"Association {ends_text(association)}"
    for name, peer, side, other in (
        ("a", "b", association.a, association.b),
        ("b", "a", association.b, association.a),
    ):
        yield from _captured_again(f"{where}, {name}", side)
        if side.flow and not summary.filtered:
            yield from _capture(f"{where}, data of {name}", side, side.flow)
            yield from _receiver(f"{where}, receiver {peer}", other, side.flow)
            if is_stuck(summary, association, side.flow):
                yield _stuck(f"{where}, sender {name}", summary, side.flow)


def _captured_again(where: str, side: Side) -> Iterator[CaptureFinding]:
    if side.captured_again:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.CAPTURE_DUPLICATES,
            _frames(side.repeated_first),
            f"{where}: {many(side.captured_again, 'packet')} captured twice, as at a bridge or on "
            "several interfaces; each counts once.",
        )


def _capture(where: str, side: Side, flow: Flow) -> Iterator[CaptureFinding]:
    if flow.unseen_tsns and not side.blind_bytes:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.CAPTURE_LOSS,
            _frames(flow.unseen_frame),
            f"{where}: {many(flow.unseen_tsns, 'TSN')} acknowledged and never captured, so the "
            "capture missed packets, or they took another path; what it calls lost may be its own "
            "loss: capture again with a larger buffer (`dumpcap -B`), on every path.",
        )
    if flow.inverted:
        often = flow.inverted > flow.acked_tsns // 100
        yield CaptureFinding(
            Severity.WARNING if often else Severity.NOTE,
            Finding.INVERTED_ORDER,
            _frames(flow.inverted_frame),
            f"{where}: {many(flow.inverted, 'chunk')} captured up to 2 ms behind the feedback that "
            "acknowledges them, as where one network card fills several queues; shorter times "
            "than that mean nothing here.",
        )
    if flow.clock_steps:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.TIME_JUMPS_FORWARD,
            _frames(flow.clock_step_frame),
            f"{where}: {_span(flow.clock_step_ns)} pass without a frame while data is outstanding, "
            "and then it is acknowledged without having been sent again, though the "
            f"retransmission timer ({_span(flow.rto_ns)}) should have expired: the capture's clock "
            "stepped forward, or sender and capture stood still; times across it mean nothing.",
        )


def _classes(flow: Flow) -> str:
    proven = flow.withdrawn_proven_tsns
    if proven in (0, flow.withdrawn_tsns):
        return f"class {5 if proven else 4}"
    return f"{proven:,} class 5, {flow.withdrawn_tsns - proven:,} class 4"


def _receiver(where: str, receiver: Side, flow: Flow) -> Iterator[CaptureFinding]:
    habit = sum(flow.sacks_of_packets)
    rare = sum(flow.sacks_of_packets[2:])
    if habit >= _HABIT and rare > habit // 2:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.RARE_ACKNOWLEDGEMENTS,
            [],
            f"{where}: {rare:,} of {many(habit, 'acknowledgement')} for more than two packets, "
            "where RFC 9260 asks for every second: they are merged by a network card, lost, or "
            "saved by the receiver.",
        )
    if flow.delay_longest_ns is not None and flow.delay_base_ns is not None:
        delay_ns = flow.delay_longest_ns - flow.delay_base_ns
        if delay_ns > _LONGEST_DELAY_NS:
            yield CaptureFinding(
                Severity.NOTE,
                Finding.LATE_ACKNOWLEDGEMENTS,
                [],
                f"{where}: data in order was acknowledged up to {_span(delay_ns)} later than at "
                "best, more than the 500 ms that an acknowledgement may wait: the receiver waits "
                "too long, or queues on the way grow.",
            )
    if flow.truncated_sacks:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.CAPPED_SACKS,
            _frames(flow.truncated_frame),
            f"{where}: {many(flow.truncated_sacks, 'acknowledgement')} full at "
            f"{many(flow.truncated_blocks, 'block')}: TSNs above are not missing because they are "
            "not listed.",
        )
    if flow.stale_sacks:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.OVERTAKEN_SACKS,
            _frames(flow.stale_frame),
            f"{where}: {many(flow.stale_sacks, 'acknowledgement')} overtaken by a later one: the "
            "way back reorders packets.",
        )
    if flow.zero_windows:
        total = receiver.sacks.zero_window if receiver.sacks else 0
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ZERO_WINDOW,
            _frames(flow.zero_window_frame, flow.zero_window_end_frame),
            f"{where}: window closed {many(flow.zero_windows, 'time')}, for at least "
            f"{_span(flow.zero_window_longest_ns)} the longest "
            f"({many(total, 'acknowledgement')} with a window of 0): its application reads too "
            "slowly, or its buffer is too small.",
        )
    if flow.withdrawn_tsns:
        #: Several acknowledgements in a row may have come late: what follows tells.
        shown = flow.withdrawn_resent > 0 or flow.withdrawn_proven_tsns > 0
        yield CaptureFinding(
            Severity.WARNING if shown else Severity.NOTE,
            Finding.RENEGING,
            _frames(flow.withdrawn_frame),
            f"{where}: {many(flow.withdrawn_tsns, 'TSN')} ({_classes(flow)}) taken back after a "
            "gap block had acknowledged them: it drops received data, as when it runs out of "
            "memory; NR-SACK, or a larger receive buffer, avoids that."
            + ("" if shown else " Nothing of it is sent again: these SACKs may only be late."),
        )
    if flow.withdrawn_beyond:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ENDLESS_RENEGING,
            [],
            f"{where}: {many(flow.withdrawn_beyond, 'acknowledgement')} beyond what a receiver can "
            "take back, which must be sent again before it can be taken back again: what more they "
            "leave out counts as received. No receiver known does so; the capture may be made up.",
        )
    if flow.marks_left_out:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.MARK_LIMIT,
            [],
            f"{where}: data is taken back so often that {many(flow.marks_left_out, 'mark')} of "
            "`rack_marks` are left out: no receiver known does so; the capture may be made up.",
        )


def is_stuck(summary: Summary, association: Association, flow: Flow) -> bool:
    """RFC 9260 section 6.3.3: while data is outstanding a timer runs, and each expiry sends."""
    over = association.how_ended not in (Ended.OPEN, Ended.SHUTTING_DOWN)
    if over or not flow.necessary_bytes or not flow.acked_tsns:
        return False
    if summary.last_time_ns is None or flow.last_data_ns is None:
        return False
    backed_off_ns = flow.rto_ns << min(flow.sent_again_since_feedback, 6)
    silence_ns = summary.last_time_ns - flow.last_data_ns
    return silence_ns > _SILENT_TIMEOUTS * min(backed_off_ns, _LONGEST_RTO_NS)


def _stuck(where: str, summary: Summary, flow: Flow) -> CaptureFinding:
    silence_ns = (summary.last_time_ns or 0) - (flow.last_data_ns or 0)
    return CaptureFinding(
        Severity.WARNING,
        Finding.STUCK_SENDER,
        _frames(flow.last_data_frame),
        f"{where}: nothing sent for the last {_span(silence_ns)} although "
        f"{flow.necessary_bytes:,} bytes are unacknowledged, after "
        f"{many(flow.sent_again_since_feedback, 'retransmission')} without an answer: its "
        f"retransmission timer ({_span(flow.rto_ns)}) should have sent again, unless it gave the "
        "association up.",
    )


def _frames(*frames: int | None) -> list[int]:
    return [frame for frame in frames if frame]


def _span(time_ns: int) -> str:
    return f"{time_ns / 1e9:.1f} s" if time_ns >= 1000 * _MS else f"{time_ns / 1e6:.0f} ms"
