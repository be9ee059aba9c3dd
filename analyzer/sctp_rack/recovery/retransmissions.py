# SPDX-License-Identifier: BSD-2-Clause
"""The retransmissions of one direction, summed up as they come: room does not go with their number.

Only of storms each is kept, up to `MOST_STORMS`; those beyond are one sum.
"""

from collections import Counter

from sctp_rack.names import Cause, Verdict
from sctp_rack.recovery.hindsight import AT_ONCE, BY_FEEDBACK, Saved
from sctp_rack.recovery.retransmission import Group, Resent
from sctp_rack.recovery.timeouts import BY_TIMEOUT, Timeout, begins

#: Storms of a direction of which each is told.
MOST_STORMS = 100

_BY_TIMER = {Cause.T3, Cause.TLP}
#: The class of a cause; below it something else may well have sent it.
_LIKELY = 3


class Resends:
    """Of a direction with the smoothed round trip `srtt_ns`.

    A timer that expired within `soon_ns` did so before a SACK that the receiver held back could
    come, if it likely was one.
    """

    def __init__(self, srtt_ns: int, soon_ns: int) -> None:
        self._srtt_ns = srtt_ns
        self._soon_ns = soon_ns
        self.count = 0
        self.causes: Counter[str] = Counter()
        self.spurious_causes: Counter[str] = Counter()
        #: By cause, then by class; and of the spurious ones.
        self.cause_classes: dict[str, dict[int, int]] = {}
        self.spurious_cause_classes: dict[str, dict[int, int]] = {}
        #: By verdict, then by class.
        self.verdicts: dict[str, dict[int, int]] = {}
        #: Tail loss probes by what they carried, also those with new data.
        self.probes: Counter[str] = Counter()
        #: Spurious ones by feedback, of first copies and of later ones.
        self.reordered = Group()
        self.under_way = Group()
        #: Of all by feedback, those of copies that RACK-TLP never marked.
        self.avoided = 0
        #: By timers that were too short.
        self.too_soon = Group()
        self.too_soon_probes = 0
        #: Needed ones that waited for T3-rtx: of copies that were lost again, and at a tail.
        self.lost_again = Group()
        self.tail = Group()
        #: Of `lost_again` those that RACK-TLP would have sent earlier, and how much at most.
        self.led = 0
        self.longest_lead_ns = 0
        self.timeouts = 0
        self.worst: Timeout | None = None
        self.storms: list[Timeout] = []
        self.more_storms = 0
        #: Summed up: storms beyond `MOST_STORMS`, and timeouts that are none.
        self.other_storms = Timeout(0, None)
        self.calm = Timeout(0, None)
        self._leads = (0, 0, 0)
        self._timeout: Timeout | None = None

    def add(self, row: Resent, *, told: bool = True) -> bool:
        """The next in the order of the capture; whether a finding says what it waited for.

        Of what is not `told` nothing counts, but it may begin a timeout, or be of one that is told.
        """
        cause = row.cause or Cause.UNKNOWN.value
        if cause in BY_TIMEOUT:
            self._follow(row, cause, told)
        if not told:
            return False
        self.count += 1
        self.causes[cause] += 1
        _count(self.cause_classes, cause, row.cause_class)
        _count(self.verdicts, row.verdict or Verdict.UNDETERMINED.value, row.verdict_class)
        if row.verdict == Verdict.SPURIOUS:
            self._add_spurious(row, cause)
        return cause in BY_TIMEOUT and self._waited_for(row, cause)

    def end(self) -> None:
        """No more come."""
        timeout, self._timeout = self._timeout, None
        if timeout is None or not timeout.told:
            return
        self.timeouts += 1
        if timeout.lead_ns >= AT_ONCE:
            count, total_ns, largest_ns = self._leads
            lead_ns = timeout.lead_ns
            self._leads = count + 1, total_ns + lead_ns, max(largest_ns, lead_ns)
        if self.worst is None or _badness(timeout) > _badness(self.worst):
            self.worst = timeout
        if not timeout.is_storm:
            self.calm.take(timeout)
        elif len(self.storms) < MOST_STORMS:
            self.storms.append(timeout)
        else:
            self.more_storms += 1
            self.other_storms.take(timeout)

    @property
    def saved(self) -> Saved:
        """What RACK-TLP saves of the waiting for T3-rtx."""
        return Saved(*self._leads)

    def _add_spurious(self, row: Resent, cause: str) -> None:
        self.spurious_causes[cause] += 1
        _count(self.spurious_cause_classes, cause, row.cause_class)
        if cause in BY_FEEDBACK:
            self.avoided += row.prev_frame is not None and not row.marked
            if row.copy == 2:
                self.reordered.add(row)
            elif row.copy > 2:
                self.under_way.add(row)
        by_timer = cause in _BY_TIMER and (row.cause_class or 0) >= _LIKELY
        if by_timer and row.waited_ns is not None and row.waited_ns <= self._soon_ns:
            self.too_soon.add(row)
            self.too_soon_probes += cause == Cause.TLP

    def _follow(self, row: Resent, cause: str, told: bool) -> None:
        """Adds it to its timeout, which is told of where it begins in the time that is."""
        before = self._timeout.frame if self._timeout else None
        if self._timeout is None or begins(cause, row.frame, before):
            self.end()
            self._timeout = Timeout(row.frame, row.time_ns, told=told)
        self._timeout.add(row, self._srtt_ns)

    def _waited_for(self, row: Resent, cause: str) -> bool:
        """Whether a finding says that it waited for T3-rtx."""
        if row.verdict != Verdict.NEEDED:
            return False
        if row.copy > 2:
            self.lost_again.add(row)
            self.led += row.lead_ns >= AT_ONCE
            self.longest_lead_ns = max(self.longest_lead_ns, row.lead_ns)
            return True
        if row.copy == 2 and cause == Cause.T3 and not row.shown:
            self.tail.add(row)
            return True
        return False


def _count(by_word: dict[str, dict[int, int]], word: str, confidence: int | None) -> None:
    """One more of this class; without one it is a guess."""
    classes = by_word.setdefault(word, {})
    classes[confidence or 1] = classes.get(confidence or 1, 0) + 1


def _badness(timeout: Timeout) -> tuple[int, int]:
    return timeout.spurious, timeout.resent.count
