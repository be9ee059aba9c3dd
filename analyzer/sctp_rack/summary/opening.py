# SPDX-License-Identifier: BSD-2-Clause
"""The sentence that a summary opens with: were the retransmissions needed, and what made them.

It says what is known and how well: "certain" is class 5, "very likely" class 4 (docs/tables.md).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from sctp_rack.findings.looks import crowd_of, others_of
from sctp_rack.names import Cause, Kind, Skip, Verdict
from sctp_rack.recovery.direction import Recovery, added
from sctp_rack.summary.summary import Association, Side, Summary
from sctp_rack.wording.causes import family
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration

#: Recoveries that are added up together.
_TOGETHER = 256


def headline(summary: Summary) -> str:
    """Of a whole capture."""
    said = Headline(summary)
    for one in others_of(summary.associations):
        said.add(one)
    return said.text


class Headline:
    """Of a whole capture, to whose crowd all other associations are added."""

    def __init__(self, summary: Summary) -> None:
        self._summary = summary
        crowd = crowd_of(summary.associations)
        #: DATA chunks, retransmissions among them, and transmissions lost, of all that were added.
        self.chunks = crowd.chunks
        self.retransmissions = self.lost = 0
        # Of a time what acknowledges its data may be behind it.
        self._answered = crowd.answered or summary.of_time is not None
        self._recoveries: list[Recovery] = []

    def add(self, association: Association) -> None:
        """One more."""
        self._answered |= _answered(association)
        for side in (association.a, association.b):
            if side.data:
                self.chunks += side.data.chunks
                self.retransmissions += side.data.kinds.get(Kind.RETRANSMISSION, 0)
            if side.recovery:
                self.lost += side.recovery.lost
            if side.recovery and side.recovery.retransmissions:
                self._recoveries.append(side.recovery)
        if len(self._recoveries) > _TOGETHER:
            self._recoveries = [added(self._recoveries)]

    @property
    def text(self) -> str:
        """When all were added."""
        if not self.chunks:
            return _without_data(self._summary)
        if self._summary.filtered:
            return _of_filtered(self.chunks, self.retransmissions)
        if not self.retransmissions:
            return _never_again(self.chunks, self.lost)
        if not self._answered:
            return (
                f"{many(self.retransmissions, 'retransmission')} among "
                f"{many(self.chunks, 'DATA chunk')}; no acknowledgement was captured, so nobody "
                "can tell whether they were needed."
            )
        return opening(self._recoveries)


def opening(recoveries: Sequence[Recovery]) -> str:
    """Of directions with retransmissions: how many were spurious, whence, and what RACK-TLP saves.

    The time is that of `hindsight.saved`, over all directions.
    """
    clauses = [_spurious(recoveries), _whence(recoveries), _saved(recoveries)]
    return "; ".join(clause for clause in clauses if clause) + "."


def _without_data(summary: Summary) -> str:
    if time := summary.of_time:
        first_ns, last_ns = summary.first_time_ns, summary.last_time_ns
        if first_ns is None or last_ns is None:
            return "No frame has a time."
        if (time.begin_ns or 0) > last_ns or (time.end_ns or last_ns) < first_ns:
            return f"No frame at that time: the capture lasts {(last_ns - first_ns) / 1e9:.3f} s."
        return "No DATA was sent at that time."
    if dtls := summary.skipped.get(Skip.DTLS):
        hidden = many(dtls, "frame")
        verb = "holds" if dtls == 1 else "hold"
        return f"No DATA to be seen: {hidden} {verb} DTLS that was not read (see the findings)."
    return f"No DATA in {many(summary.packets, 'SCTP packet')}."


def _of_filtered(chunks: int, again: int) -> str:
    sent = f", {again:,} of them sent again" if again else ""
    return (
        f"{many(chunks, 'DATA chunk')}{sent}; packets without DATA were filtered out of the file, "
        "so what was lost, and why anything came again, cannot be told."
    )


def _never_again(chunks: int, lost: int) -> str:
    counted = many(chunks, "DATA chunk")
    if lost:
        return f"{counted}, {lost:,} of them lost, and none sent again as far as can be seen."
    return f"{counted}, none of them a retransmission as far as can be seen."


def _answered(association: Association) -> bool:
    def answers(sender: Side, receiver: Side) -> bool:
        return bool(sender.data and receiver.sacks)

    return answers(association.a, association.b) or answers(association.b, association.a)


def _total(recoveries: Sequence[Recovery], verdict: Verdict) -> int:
    return sum(sum(one.verdicts.get(verdict, {}).values()) for one in recoveries)


def _spurious(recoveries: Sequence[Recovery]) -> str:
    again = sum(one.retransmissions for one in recoveries)
    spurious = _total(recoveries, Verdict.SPURIOUS)
    open_ = _total(recoveries, Verdict.UNDETERMINED)
    if open_ == again:
        return (
            "Whether the only retransmission was needed cannot be told from this capture"
            if again == 1
            else f"Whether any of the {again:,} retransmissions was needed cannot be told from "
            "this capture"
        )
    if spurious == again:
        return f"{_all_of(again)} spurious ({how_sure(recoveries, Verdict.SPURIOUS)})"
    if not spurious:
        needed = again - open_
        sure = how_sure(recoveries, Verdict.NEEDED)
        if not open_:
            return f"{_all_of(again)} needed ({sure})"
        return (
            f"{needed:,} of {again:,} retransmissions {_was(needed)} needed ({sure}), {open_:,} "
            "undetermined"
        )
    sure = how_sure(recoveries, Verdict.SPURIOUS)
    text = f"{spurious:,} of {again:,} retransmissions {_was(spurious)} spurious ({sure})"
    return f"{text}, {open_:,} undetermined" if open_ else text


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _all_of(again: int) -> str:
    return "The only retransmission was" if again == 1 else f"All {again:,} retransmissions were"


def how_sure(recoveries: Sequence[Recovery], verdict: Verdict) -> str:
    """How sure the retransmissions with this verdict have it: certain; 2 certain, 1 very likely."""
    count = _total(recoveries, verdict)
    levels = {
        "certain": sum(one.certain(verdict) for one in recoveries),
        "very likely": sum(one.very_likely(verdict) for one in recoveries),
    }
    parts = []
    for word, number in levels.items():
        if number == count:
            return word
        if number:
            parts.append(f"{number:,} {word}")
    return ", ".join(parts) or "probably"


def _whence(recoveries: Sequence[Recovery]) -> str:
    """Where at least half of the spurious ones come from: one timeout, else one cause."""
    spurious = _total(recoveries, Verdict.SPURIOUS)
    if spurious < 2:
        return ""
    doubtful = _total(recoveries, Verdict.UNDETERMINED) > 0
    worst = max(
        (one.worst_timeout for one in recoveries if one.worst_timeout),
        key=lambda burst: burst.spurious,
        default=None,
    )
    if worst and worst.spurious > 1 and 2 * worst.spurious >= spurious:
        of_them = _of_them(worst.spurious, spurious, doubtful)
        return f"{of_them} came from one timeout at frame {worst.frame}"
    causes: Counter[str] = Counter()
    classes: defaultdict[str, set[int]] = defaultdict(set)
    for one in recoveries:
        for cause, by_class in one.spurious_cause_classes.items():
            causes[family(cause)] += sum(by_class.values())
            classes[family(cause)] |= by_class.keys()
    how, count = causes.most_common(1)[0]
    if how == family(Cause.UNKNOWN) or count < 2 or 2 * count < spurious:
        return ""
    least, most = min(classes[how]), max(classes[how])
    sure = f"class {least}" if least == most else f"classes {least} to {most}"
    return f"{_of_them(count, spurious, doubtful)} {_was(count)} sent {how} ({sure})"


def _of_them(count: int, total: int, doubtful: bool) -> str:
    """Of the spurious ones, which stand alone in the sentence unless some are doubtful."""
    them = "the spurious ones" if doubtful else "them"
    if count < total:
        return f"{count:,} of {them}"
    return f"both of {them}" if total == 2 else f"all of {them}"


def _saved(recoveries: Sequence[Recovery]) -> str:
    timeouts = sum(one.rack.saved.timeouts for one in recoveries)
    total = duration(sum(one.rack.saved.total_ns for one in recoveries))
    if not timeouts:
        return ""
    if timeouts == 1:
        return f"RACK-TLP would have recovered {total} earlier than the timeout"
    return f"RACK-TLP would have saved {total} of waiting for {timeouts:,} timeouts"
