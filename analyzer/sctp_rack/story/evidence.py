# SPDX-License-Identifier: BSD-2-Clause
"""What the evidence of a verdict or of a cause means, in a sentence with the numbers of this copy.

The codes are those of the enum `evidence`: S for verdicts, K for causes. Where a verdict has none,
it follows from the acknowledgements alone, and that is said.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sctp_rack.columns.table import Row
from sctp_rack.names import Evidence, Verdict
from sctp_rack.story.acknowledgements import TsnFeedback
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration


@dataclass(frozen=True)
class Case:
    """One retransmission and what is known around it."""

    row: Row
    #: The copy of its TSN before it, and the last one; None where there is none, or none later.
    before: Row | None
    last: Row | None
    #: Of its TSN.
    copies: int
    #: What acknowledgements say of it.
    feedback: TsnFeedback
    #: Shortest round trip from the tap; None without a sample.
    min_rtt_ns: int | None

    @property
    def acked_after_ns(self) -> int | None:
        """From this copy to the acknowledgement of the TSN; negative where that came first."""
        acked: int | None = self.row["acked_time_ns"]
        return None if acked is None else acked - self.row["time_ns"]

    @property
    def since_ns(self) -> int:
        """When the copy before was sent: acknowledgements since then may speak of it."""
        since: int = (self.before or self.row)["time_ns"]
        return since


def of_verdict(codes: Sequence[str] | None) -> list[Evidence]:
    """Those of the codes that a verdict rests on."""
    return [Evidence(code) for code in codes or () if code.startswith("S")]


def of_cause(codes: Sequence[str] | None) -> list[Evidence]:
    """Those of the codes that a cause rests on."""
    return [Evidence(code) for code in codes or () if code.startswith("K")]


def cause_sentences(case: Case) -> list[str]:
    """What the cause rests on, one sentence for each piece; none where the occasion alone tells."""
    return [_SAY[code](case) for code in of_cause(case.row["evidence"])]


def sentences(case: Case) -> list[str]:
    """Why the verdict on the retransmission is what it is, one sentence for each piece."""
    said = [_SAY[code](case) for code in of_verdict(case.row["evidence"])]
    if Evidence.K15 in of_cause(case.row["evidence"]) and case.row["verdict"] == Verdict.NEEDED:
        said.append("A PACKET-DROP chunk says that the copy before was dropped.")
    if case.row["verdict"] == Verdict.NEEDED:
        said += _never_arrived(case)
    if not said:
        said.append(_UNDECIDED[case.row["acked_frame"] is not None])
    return said


_UNDECIDED = {
    True: "Nothing in the acknowledgements tells which of the copies arrived first.",
    False: "The capture ends, or the TSN was given up, before it was acknowledged.",
}


def _never_arrived(case: Case) -> list[str]:
    """For a needed one: what says that the copy before it had not arrived."""
    before = case.before
    count, last = case.feedback.left_out(case.since_ns, case.row["acked_time_ns"])
    if before is None or last is None:
        return []
    waited = last.time_ns - before["time_ns"]
    if waited < (case.min_rtt_ns or 0):
        return []
    return [
        f"{many(count, 'acknowledgement')} up to frame {last.frame}, "
        f"{duration(waited)} after "
        f"copy {before['copy']}, still left the TSN out although later data had arrived: copy "
        f"{before['copy']} had not."
    ]


def _rtt(case: Case) -> str:
    if not case.min_rtt_ns:
        return "a round trip"
    return f"the {duration(case.min_rtt_ns)} that a round trip from the tap takes at least"


def _ack(case: Case) -> str:
    ago = case.acked_after_ns
    frame = f"frame {case.row['acked_frame']}"
    if ago is None:
        return "It was never acknowledged"
    if ago < 0:
        return f"It was acknowledged in {frame}, {duration(-ago)} before this copy passed the tap"
    return f"It was acknowledged in {frame}, {duration(ago)} after this copy passed the tap"


def _reports(case: Case) -> str:
    reporting = case.feedback.duplicates
    frames = ", ".join(str(one.frame) for one in reporting[:4])
    more = ", …" if len(reporting) > 4 else ""
    where = f" (frame {frames}{more})" if frames else ""
    return f"{many(case.feedback.reports, 'duplicate report')}{where}"


def _s1(case: Case) -> str:
    if case.row["verdict"] == Verdict.SPURIOUS:
        return "The tap is at the receiver and an earlier copy passed it: it had arrived."
    return "The tap is at the receiver, and the copy before was not accepted there."


def _s2(case: Case) -> str:
    return (
        f"{_ack(case)}: the receiver had answered an earlier copy before this one could reach it."
    )


def _s3(case: Case) -> str:
    return (
        f"The receiver sent {_reports(case)} of the TSN, which was sent {case.copies:,} times: "
        "both copies arrived."
    )


def _s4(case: Case) -> str:
    return (
        f"The receiver sent {_reports(case)} of the TSN, which was sent {case.copies:,} times: "
        "one copy of it came first, and what followed it was not needed."
    )


def _s5(case: Case) -> str:
    return (
        f"The receiver sent {_reports(case)} for {case.copies:,} copies: some were spurious, and "
        "which is a matter of timing."
    )


def _s6(case: Case) -> str:
    return f"The receiver sent {_reports(case)} of a TSN sent once: the network repeated it."


def _s7(case: Case) -> str:
    return f"The receiver sent {_reports(case)} of a TSN that a FORWARD-TSN had given up."


def _s8(case: Case) -> str:
    """Too early for this copy, or for a later one where this one was needed."""
    later = case.last
    if case.row["verdict"] == Verdict.SPURIOUS or later is None:
        return f"{_ack(case)}, sooner than {_rtt(case)}: an earlier copy had arrived."
    ago = duration(case.row["acked_time_ns"] - later["time_ns"])
    return (
        f"{_ack(case)}, and {ago} after copy {later['copy']}, sooner than {_rtt(case)}: the answer "
        "is to this copy, not to a later one."
    )


def _s10(case: Case) -> str:
    return (
        "The receiver reports duplicates and reported none for this TSN: no two copies of it "
        "arrived."
    )


def _s11(case: Case) -> str:
    return (
        f"{_ack(case)}, time enough for either copy, and the receiver is not known to report "
        "duplicates: a lost copy and a lost acknowledgement look alike here."
    )


def _s12(_case: Case) -> str:
    return (
        "What was sent before the timeout, and once, was acknowledged after it: the answers were "
        "only delayed, as F-RTO (RFC 5682) would have seen."
    )


def _s13(case: Case) -> str:
    return (
        f"{_ack(case)}, and both lie within {_rtt(case)} of the copy before: that one was answered."
    )


def _s14(case: Case) -> str:
    return "The copy before never passed this tap, so it was lost before it or not captured."


def _s15(_case: Case) -> str:
    return "The copy before reached the receiver, which discarded it."


def _s16(_case: Case) -> str:
    return "Another chunk of the packet that carried the copy before was acknowledged."


def _s17(case: Case) -> str:
    return f"{_ack(case)}, at the sender's own tap: it knew, and sent the TSN all the same."


def _s18(_case: Case) -> str:
    return "Clock or capture are not to be trusted here: it steps, or packets are missing from it."


def _s19(case: Case) -> str:
    first = "an earlier copy" if case.row["verdict"] == Verdict.SPURIOUS else "no earlier copy"
    return (
        f"{_ack(case)}. By this receiver's own rule of when it acknowledges, that fits best where "
        f"{first} had arrived."
    )


def _s20(_case: Case) -> str:
    return (
        "Data sent later was acknowledged by more than this network reorders before the TSN was: "
        "the copy before was lost."
    )


def _s21(_case: Case) -> str:
    return (
        "The receiver had not accepted the copy before: it had said that there was no room for it, "
        "or left it unanswered for longer than it may (500 ms: RFC 9260 section 6.2)."
    )


def _feedback(case: Case) -> str:
    frame = case.row["trigger_frame"]
    return "The feedback before it" if frame is None else f"Frame {frame}"


def _k1(case: Case) -> str:
    return f"{_feedback(case)} brought the third missing report; RACK would not have marked it yet."


def _k2(case: Case) -> str:
    return (
        f"{_feedback(case)} let RACK mark it, and did not bring a third missing report: missing "
        "reports alone would not have sent it here."
    )


def _k3(case: Case) -> str:
    return (
        f"{_feedback(case)} brought the third missing report and let RACK mark it: which of the "
        "two sent it is told by what this sender does elsewhere."
    )


def _k4(_case: Case) -> str:
    return "RACK's reordering timer had just expired, without feedback."


def _k5(_case: Case) -> str:
    return "T3-rtx was due, and when it was due again the TSN was sent once more."


def _k6(_case: Case) -> str:
    return "T3-rtx was due."


def _k7(_case: Case) -> str:
    return "The tail loss probe was due, and this is the highest TSN sent."


def _k8(_case: Case) -> str:
    return (
        "Nothing else was outstanding, and both the tail loss probe and T3-rtx were due: which of "
        "the two sent it is told by what this sender does elsewhere."
    )


def _k9(_case: Case) -> str:
    return (
        "The tail loss probe was due, and this is the highest TSN not acknowledged, though not the "
        "highest sent."
    )


def _k10(_case: Case) -> str:
    return (
        "New data came alone when the tail loss probe was due, and there had never been more "
        "outstanding than then."
    )


def _k12(case: Case) -> str:
    return (
        f"Its {case.row['bytes']:,} bytes were more than the receive window took, and T3-rtx was "
        "due."
    )


def _k13(_case: Case) -> str:
    return "RACK marked the copy before, itself sent again, as lost."


def _k14(_case: Case) -> str:
    return "An earlier T3-rtx timeout had marked it."


def _k15(case: Case) -> str:
    where = f" in frame {frame}" if (frame := case.row["trigger_frame"]) else ""
    return f"A PACKET-DROP chunk{where} named it."


def _k16(_case: Case) -> str:
    return "T3-rtx was due, and this copy goes to another address than the one before."


_SAY: dict[Evidence, Callable[[Case], str]] = {
    Evidence.S1: _s1,
    Evidence.S2: _s2,
    Evidence.S3: _s3,
    Evidence.S4: _s4,
    Evidence.S5: _s5,
    Evidence.S6: _s6,
    Evidence.S7: _s7,
    Evidence.S8: _s8,
    Evidence.S9: _s8,
    Evidence.S10: _s10,
    Evidence.S11: _s11,
    Evidence.S12: _s12,
    Evidence.S13: _s13,
    Evidence.S14: _s14,
    Evidence.S15: _s15,
    Evidence.S16: _s16,
    Evidence.S17: _s17,
    Evidence.S18: _s18,
    Evidence.S19: _s19,
    Evidence.S20: _s20,
    Evidence.S21: _s21,
    Evidence.K1: _k1,
    Evidence.K2: _k2,
    Evidence.K3: _k3,
    Evidence.K4: _k4,
    Evidence.K5: _k5,
    Evidence.K6: _k6,
    Evidence.K7: _k7,
    Evidence.K8: _k8,
    Evidence.K9: _k9,
    Evidence.K10: _k10,
    Evidence.K12: _k12,
    Evidence.K13: _k13,
    Evidence.K14: _k14,
    Evidence.K15: _k15,
    Evidence.K16: _k16,
}
