# SPDX-License-Identifier: BSD-2-Clause
"""What the evidence of a verdict or of a cause means, in a sentence with the numbers of this copy.

The codes are those of the enum `evidence`: S for verdicts, K for causes. Where a verdict has none,
it follows from the acknowledgements alone, and that is said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sctp_rack.columns.table import Row
from sctp_rack.names import Crc, Evidence, Verdict
from sctp_rack.story.acknowledgements import TsnFeedback
from sctp_rack.story.sentences import of_evidence, say


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
    return [_said(code, case) for code in of_cause(case.row["evidence"])]


def sentences(case: Case) -> list[str]:
    """Why the verdict on the retransmission is what it is, one sentence for each piece."""
    said = [_said(code, case) for code in of_verdict(case.row["evidence"])]
    if case.row["verdict"] == Verdict.NEEDED:
        if Evidence.K15 in of_cause(case.row["evidence"]):
            said.append(say("packet_drop"))
        said += _never_arrived(case)
    return said or [say(_without_codes(case))]


_BY_ORDER = {Verdict.NEEDED: "by_order.needed", Verdict.SPURIOUS: "by_order.spurious"}


def _without_codes(case: Case) -> str:
    """What a verdict with no evidence of its own rests on: mostly the order of what arrived."""
    row, before = case.row, case.before
    if row["acked_frame"] is None:
        return "undecided.open"
    if row["verdict"] == Verdict.NEEDED and before and before["crc"] == Crc.BAD:
        return "discarded"
    return _BY_ORDER.get(row["verdict"], "undecided")


def _never_arrived(case: Case) -> list[str]:
    """For a needed one: what says that the copy before it had not arrived."""
    before = case.before
    count, last = case.feedback.left_out(case.since_ns, case.row["acked_time_ns"])
    if before is None or last is None:
        return []
    waited = last.time_ns - before["time_ns"]
    if waited < (case.min_rtt_ns or 0):
        return []
    return [say("left_out", count=count, frame=last.frame, waited=waited, copy=before["copy"])]


#: The class of what is likely.
LIKELY = 3

#: Too early for this copy; where this one was needed, for a later one.
TOO_EARLY = (Evidence.S8, Evidence.S9)


def _said(code: Evidence, case: Case) -> str:
    """What a piece of evidence means for this copy."""
    row, later = case.row, case.last
    ack, rtt = _ack(case), _rtt(case)
    if code in TOO_EARLY and row["verdict"] != Verdict.SPURIOUS and later is not None:
        ago = row["acked_time_ns"] - later["time_ns"]
        return say("later", ack=ack, ago=ago, copy=later["copy"], rtt=rtt)
    frame = row["trigger_frame"]
    return say(
        of_evidence(code, row["verdict"]),
        ack=ack,
        rtt=rtt,
        reports=_reports(case),
        copies=case.copies,
        bytes=row["bytes"],
        feedback=say("feedback.unknown" if frame is None else "feedback", frame=frame),
        likely="" if (row["verdict_class"] or 0) > LIKELY else say("S5.likely"),
        dropped="" if frame is None else say("K15.where", frame=frame),
    )


def _rtt(case: Case) -> str:
    return say("rtt", rtt=case.min_rtt_ns) if case.min_rtt_ns else say("rtt.unknown")


def _ack(case: Case) -> str:
    ago = case.acked_after_ns
    if ago is None:
        return say("ack.never")
    frame = case.row["acked_frame"]
    return say("ack.before" if ago < 0 else "ack.after", frame=frame, ago=abs(ago))


#: Frames of duplicate reports that are named.
NAMED_REPORTS = 4


def _reports(case: Case) -> str:
    reporting = case.feedback.duplicates
    frames = ", ".join(str(one.frame) for one in reporting[:NAMED_REPORTS])
    more = say("reports.more") if len(reporting) > NAMED_REPORTS else ""
    where = say("reports.where", frames=frames, more=more) if frames else ""
    return say("reports", count=case.feedback.reports, where=where)
