# SPDX-License-Identifier: BSD-2-Clause
"""The sentences of stories, once: `sctp-rack explain` and the page (page/layout.py) tell by them.

A value is spelled in the way that stands behind its name (`sctp_rack.wording.filled`). The keys of
evidence are the codes of the enum `evidence`, S for verdicts and K for causes; `CODE.VERDICT` is
said of that verdict alone.
"""

from sctp_rack.wording.filled import filled


def say(key: str, **values: int | str | None) -> str:
    """The sentence, or part of one."""
    return filled(SENTENCES[key], **values)


def of_evidence(code: str, verdict: str | None) -> str:
    """The key of the sentence on a piece of evidence."""
    return f"{code}.{verdict}" if f"{code}.{verdict}" in SENTENCES else code


_REPORTED = "The receiver sent {reports} of the TSN, which was sent {copies:n} times: "
_TOO_EARLY = "{ack}, sooner than {rtt}: an earlier copy had arrived."
_FITS = "{ack}. By this receiver's own rule of when it acknowledges, that fits best where "

SENTENCES: dict[str, str] = {
    # What the story is of, and from where it was seen.
    "title": "TSN {tsn}, {way} in association {ends}",
    "way.a2b": "a to b",
    "way.b2a": "b to a",
    "tap": "The tap is {where} ({sure}){least}.",
    "tap.unknown": "Where the tap is cannot be told{least}.",
    "tap.least": "; a round trip from it takes at least {rtt:duration}",
    "no_times": "nothing to tell: packets that carried it have no time",
    # Events.
    "more": "and {count:n} more {noun}",
    "sent.original": "sent, {bytes:n} bytes{probe}",
    "sent.reordered": (
        "seen late: TSNs sent after it came first, and it was not sent again, {bytes:n} bytes"
        "{probe}"
    ),
    "sent.network_duplicate": (
        "repeated by the network, not by the sender, {bytes:n} bytes{probe}"
    ),
    "sent.capture_duplicate": (
        "repeated by the capture, not by the sender, {bytes:n} bytes{probe}"
    ),
    "sent.conflicting": (
        "another chunk under this TSN: its user data differs, {bytes:n} bytes{probe}"
    ),
    "sent.probe": ": new data as a tail loss probe",
    "sent.retransmission": "copy {copy} sent, {reason}{sure}{unseen}",
    "sent.sure": "; class {level}",
    "sent.unseen": "; no copy before it passed this tap",
    "sent.unknown": "for a cause that is not known yet",
    "acknowledged": "acknowledged{ages}",
    "acknowledged.age": "{age:duration} after copy {copy}",
    "sack": "SACK",
    "nr_sack": "NR-SACK",
    "shutdown": "SHUTDOWN",
    "missed": "{kind} acknowledges later data and leaves it out",
    "missed.many": (
        "{count:n} {kind}s (frames {frames}{more}), the last {later:duration} later, acknowledge "
        "later data and leave it out"
    ),
    "missed.more": " and others up to {frame}",
    "marked": "copy {copy} would be marked lost by {who}: {why}",
    "marked.ack": "data sent later has arrived",
    "marked.timer": "the reordering timer expires",
    "marked.rto": "the retransmission timer expires",
    "marked.miss3": "third missing report",
    "duplicate": "{kind} reports a duplicate of it",
    "duplicate.many": "{kind} reports {count:n} duplicates of it",
    # A retransmission.
    "copy": "Copy {copy}, frame {frame}: {verdict}{sure}",
    "copy.class": " (class {level})",
    "never": "It was not sent again.",
    "label.verdict": "because",
    "label.cause": "cause",
    "label.rack_tlp": "RACK-TLP",
    # What the evidence of a verdict means, with the numbers of this copy.
    "ack.never": "It was never acknowledged",
    "ack.before": (
        "It was acknowledged in frame {frame}, {ago:duration} before this copy passed the tap"
    ),
    "ack.after": (
        "It was acknowledged in frame {frame}, {ago:duration} after this copy passed the tap"
    ),
    "rtt": "the {rtt:duration} that a round trip from the tap takes at least",
    "rtt.unknown": "a round trip",
    "reports": "{count:many duplicate report}{where}",
    "reports.where": " (frame {frames}{more})",
    "reports.more": ", …",
    "S1": "The tap is at the receiver, and the copy before was not accepted there.",
    "S1.spurious": "The tap is at the receiver and an earlier copy passed it: it had arrived.",
    "S2": "{ack}: the receiver had answered an earlier copy before this one could reach it.",
    "S3": f"{_REPORTED}both copies arrived.",
    "S4": f"{_REPORTED}one copy of it came first, and what followed it was not needed.",
    "S5": (
        "The receiver sent {reports} for {copies:n} copies: some were spurious, and which is a "
        "matter of timing."
    ),
    "S5.spurious": (
        "The receiver sent {reports} for {copies:n} copies: so many of them arrived that one "
        "before this copy{likely} did."
    ),
    "S5.likely": " most likely",
    "S6": "The receiver sent {reports} of a TSN sent once: the network repeated it.",
    "S7": "The receiver sent {reports} of a TSN that a FORWARD-TSN had given up.",
    "S8": _TOO_EARLY,
    "S9": _TOO_EARLY,
    "later": (
        "{ack}, and {ago:duration} after copy {copy}, sooner than {rtt}: the answer is to this "
        "copy, not to a later one."
    ),
    "S10": (
        "The receiver reports duplicates and reported none for this TSN: no two copies of it "
        "arrived."
    ),
    "S11": (
        "{ack}, time enough for either copy, and the receiver is not known to report duplicates: a "
        "lost copy and a lost acknowledgement look alike here."
    ),
    "S12": (
        "What was sent before the timeout, and once, was acknowledged after it: the answers were "
        "only delayed, as F-RTO (RFC 5682) would have seen."
    ),
    "S13": "{ack}, and both lie within {rtt} of the copy before: that one was answered.",
    "S14": "The copy before never passed this tap, so it was lost before it or not captured.",
    "S15": "The copy before reached the receiver, which discarded it.",
    "S16": "Another chunk of the packet that carried the copy before was acknowledged.",
    "S17": "{ack}, at the sender's own tap: it knew, and sent the TSN all the same.",
    "S18": (
        "The capture holds this copy behind its acknowledgement by 2 ms at most, and new data too: "
        "its order is not that of the network."
    ),
    "S19": f"{_FITS}no earlier copy had arrived.",
    "S19.spurious": f"{_FITS}an earlier copy had arrived.",
    "S20": (
        "Data sent later was acknowledged by more than this network reorders before the TSN was: "
        "the copy before was lost."
    ),
    "S21": (
        "The receiver had not accepted the copy before: it had said that there was no room for it, "
        "or left it unanswered for longer than it delays answers (500 ms at most: RFC 9260 "
        "section 6.2)."
    ),
    "S22": (
        "The receiver reports no duplicates, but answers them as any packet. From its first "
        "acknowledgement of this TSN on it answered as many of them as packets had been sent again "
        "from this copy on."
    ),
    "packet_drop": "A PACKET-DROP chunk says that the copy before was dropped.",
    "left_out": (
        "{count:many acknowledgement} up to frame {frame}, {waited:duration} after copy {copy}, "
        "still left the TSN out although later data had arrived: copy {copy} had not."
    ),
    "discarded": "The copy before came with a wrong checksum, so the receiver discarded it.",
    "by_order.needed": (
        "By order: what was sent after the copy before arrived ahead of the TSN, by more than this "
        "network was seen to reorder: the copy before was lost."
    ),
    "by_order.spurious": (
        "By order: what was sent before this copy arrived only after the TSN had: an earlier copy "
        "had brought it."
    ),
    "undecided": "Nothing in the acknowledgements tells which of the copies arrived first.",
    "undecided.open": "The capture ends, or the TSN was given up, before it was acknowledged.",
    # What the evidence of a cause means.
    "feedback": "Frame {frame}",
    "feedback.unknown": "The feedback before it",
    "K1": "{feedback} brought the third missing report; RACK would not have marked it yet.",
    "K2": (
        "{feedback} let RACK mark it, and did not bring a third missing report: missing reports "
        "alone would not have sent it here."
    ),
    "K3": (
        "{feedback} brought the third missing report and let RACK mark it: which of the two sent "
        "it is told by what this sender does elsewhere."
    ),
    "K4": "RACK's reordering timer had just expired, without feedback.",
    "K5": "T3-rtx was due, and when it was due again the TSN was sent once more.",
    "K6": "T3-rtx was due.",
    "K7": "The tail loss probe was due, and this is the highest TSN sent.",
    "K8": (
        "Nothing else was outstanding, and both the tail loss probe and T3-rtx were due: which of "
        "the two sent it is told by what this sender does elsewhere."
    ),
    "K9": (
        "The tail loss probe was due, and this is the highest TSN not acknowledged, though not the "
        "highest sent."
    ),
    "K10": (
        "New data came alone when the tail loss probe was due, and there had never been more "
        "outstanding than then."
    ),
    "K12": "Its {bytes:n} bytes were more than the receive window took, and T3-rtx was due.",
    "K13": "RACK marked the copy before, itself sent again, as lost.",
    "K14": "An earlier T3-rtx timeout had marked it.",
    "K15": "A PACKET-DROP chunk{dropped} named it.",
    "K15.where": " in frame {frame}",
    "K16": "T3-rtx was due, and this copy goes to another address than the one before.",
    # Causes that cannot be.
    "not.t3": (
        "Not T3-rtx: copy {copy} was {waited:duration} old, and RTO from these round trips and the "
        "limits of RFC 9260 is {rto:duration}."
    ),
    "not.fast": (
        "Not fast retransmit: {reports:many missing report} of the {needed:n} that it takes had "
        "come."
    ),
    "not.rack": "Not RACK: this sender marks nothing by time where RACK would.",
    "not.tlp": "Not a tail loss probe: frame {frame} made the sender send it, not a timer.",
    # What RACK-TLP would have done.
    "rack.not": ("RACK-TLP would not have marked the copy before lost, so not have sent this."),
    "rack.not_yet": "RACK-TLP had not marked the copy before lost by then either.",
    "rack.probe": (
        "No acknowledgement showed the loss to RACK before. A tail loss probe (RFC 8985 section "
        "7.2) would have been due about {earlier:duration} earlier."
    ),
    "rack.again": "RACK-TLP would have sent it again {when}, {how}{wrong}.",
    "rack.earlier": "{lead:duration} earlier",
    "rack.later": "{lead:duration} later",
    "rack.same": "at the same time",
    "rack.wrong": ", wrongly as well: that copy arrived",
    "rack.ack": "at frame {frame}, which acknowledges data sent later",
    "rack.ack.window": (
        "at frame {frame}, which acknowledges data sent later and a reordering window of "
        "{window:duration}"
    ),
    "rack.timer": "when its reordering timer expires",
    "rack.timer.window": (
        "when its reordering timer expires after a reordering window of {window:duration}"
    ),
    "rack.rto": "by its own timeout",
    "rack.marks": "by its marks",
}
