# SPDX-License-Identifier: BSD-2-Clause
"""What senders, receivers and the capture itself do that a person should know, by direction."""

from collections.abc import Iterator

from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import Look, each
from sctp_rack.findings.say import say
from sctp_rack.names import Ended, Finding, Severity
from sctp_rack.summary.summary import Association, Flow, Side, Summary
from sctp_rack.wording.ends import ends_text

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
            say(Finding.CAPTURE_DUPLICATES, where=where, packets=side.captured_again),
        )


def _capture(where: str, side: Side, flow: Flow) -> Iterator[CaptureFinding]:
    if flow.unseen_tsns and not side.blind_bytes:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.CAPTURE_LOSS,
            _frames(flow.unseen_frame),
            say(Finding.CAPTURE_LOSS, where=where, tsns=flow.unseen_tsns),
        )
    if flow.inverted:
        often = flow.inverted > flow.acked_tsns // 100
        yield CaptureFinding(
            Severity.WARNING if often else Severity.NOTE,
            Finding.INVERTED_ORDER,
            _frames(flow.inverted_frame),
            say(Finding.INVERTED_ORDER, where=where, chunks=flow.inverted),
        )
    if flow.clock_steps:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.TIME_JUMPS_FORWARD,
            _frames(flow.clock_step_frame),
            say(Finding.TIME_JUMPS_FORWARD, where=where, step=flow.clock_step_ns, rto=flow.rto_ns),
        )


def _classes(flow: Flow) -> str:
    proven = flow.withdrawn_proven_tsns
    if proven in (0, flow.withdrawn_tsns):
        return f"class {5 if proven else 4}"
    return say("reneging.classes", proven=proven, others=flow.withdrawn_tsns - proven)


def _receiver(where: str, receiver: Side, flow: Flow) -> Iterator[CaptureFinding]:
    habit = sum(flow.sacks_of_packets)
    rare = sum(flow.sacks_of_packets[2:])
    if habit >= _HABIT and rare > habit // 2:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.RARE_ACKNOWLEDGEMENTS,
            [],
            say(Finding.RARE_ACKNOWLEDGEMENTS, where=where, rare=rare, all=habit),
        )
    if flow.delay_longest_ns is not None and flow.delay_base_ns is not None:
        delay_ns = flow.delay_longest_ns - flow.delay_base_ns
        if delay_ns > _LONGEST_DELAY_NS:
            yield CaptureFinding(
                Severity.NOTE,
                Finding.LATE_ACKNOWLEDGEMENTS,
                [],
                say(Finding.LATE_ACKNOWLEDGEMENTS, where=where, delay=delay_ns),
            )
    if flow.truncated_sacks:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.CAPPED_SACKS,
            _frames(flow.truncated_frame),
            say(
                Finding.CAPPED_SACKS,
                where=where,
                sacks=flow.truncated_sacks,
                blocks=flow.truncated_blocks,
            ),
        )
    if flow.stale_sacks:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.OVERTAKEN_SACKS,
            _frames(flow.stale_frame),
            say(Finding.OVERTAKEN_SACKS, where=where, sacks=flow.stale_sacks),
        )
    if flow.zero_windows:
        total = receiver.sacks.zero_window if receiver.sacks else 0
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ZERO_WINDOW,
            _frames(flow.zero_window_frame, flow.zero_window_end_frame),
            say(
                Finding.ZERO_WINDOW,
                where=where,
                times=flow.zero_windows,
                longest=flow.zero_window_longest_ns,
                sacks=total,
            ),
        )
    if flow.withdrawn_tsns:
        #: Several acknowledgements in a row may have come late: what follows tells.
        shown = flow.withdrawn_resent > 0 or flow.withdrawn_proven_tsns > 0
        yield CaptureFinding(
            Severity.WARNING if shown else Severity.NOTE,
            Finding.RENEGING,
            _frames(flow.withdrawn_frame),
            say(
                Finding.RENEGING,
                where=where,
                tsns=flow.withdrawn_tsns,
                classes=_classes(flow),
                maybe="" if shown else say("reneging.maybe"),
            ),
        )
    if flow.withdrawn_beyond:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ENDLESS_RENEGING,
            [],
            say(Finding.ENDLESS_RENEGING, where=where, sacks=flow.withdrawn_beyond),
        )
    if flow.marks_left_out:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.MARK_LIMIT,
            [],
            say(Finding.MARK_LIMIT, where=where, marks=flow.marks_left_out),
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
        say(
            Finding.STUCK_SENDER,
            where=where,
            silence=silence_ns,
            bytes=flow.necessary_bytes,
            again=flow.sent_again_since_feedback,
            rto=flow.rto_ns,
        ),
    )


def _frames(*frames: int | None) -> list[int]:
    return [frame for frame in frames if frame]
