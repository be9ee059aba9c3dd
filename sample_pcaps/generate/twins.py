# SPDX-License-Identifier: BSD-2-Clause
"""What can be known at a tap: a run is made again with another truth; does the tap see it?"""

from functools import cached_property
from random import Random

from .rehearsal import Change, Differs, Rehearsal
from .run import TAPS, Run, Sent
from .scenario import SECOND
from .wire import acknowledgement_of

Known = dict[str, bool | None]

_AT_MOST_NS = 3 * SECOND
_ACKNOWLEDGEMENTS = 3  #: the first that covers the TSN, and two more


class Twins:
    """Answers for one run, which must be over."""

    def __init__(self, run: Run, share: float = 1.0) -> None:
        """`share`: of the TSNs that need twins, drawn by the run's seed; of others None is said."""
        self._run = run
        self._carried = {carried.packet: carried for carried in run.carried}
        self._copies: dict[tuple[str, int], list[Sent]] = {}
        for sent in run.sent:
            self._copies.setdefault((sent.side, sent.tsn), []).append(sent)
        self._in_file = {tap: {seen.key for seen in run.taps[tap].in_order()} for tap in TAPS}
        self.share = share
        random = Random(f"knowable {run.scenario.seed}")
        self._chosen = {
            who
            for who, copies in self._copies.items()
            if _is_plain(copies) or random.random() < share
        }

    @property
    def count(self) -> int:
        """How many twins were made."""
        return len(self._differs)

    def verdict(self, sent: Sent) -> Known:
        """Can it be known whether this retransmission was needed?"""
        return self._knowable(sent, self._other_verdicts(sent))

    def outcome(self, sent: Sent) -> Known:
        """Can it be known whether this copy arrived?"""
        if _is_plain(self._copies[sent.side, sent.tsn]):
            return self._where_seen(sent, dict.fromkeys(TAPS, True))
        return self._knowable(sent, self._other_outcomes(sent))

    def _other_verdicts(self, sent: Sent) -> list[Change]:
        earlier = self._copies[sent.side, sent.tsn][: sent.copy - 1]
        if accepted := [copy for copy in earlier if copy.accepted or copy.accepted_again]:
            return [tuple((copy.packet, "drop") for copy in accepted)]
        return [((copy.packet, "deliver"),) for copy in earlier if copy.lost]

    def _other_outcomes(self, sent: Sent) -> list[Change]:
        if sent.lost:
            return [((sent.packet, "deliver"),)]
        return [((sent.packet, "drop"),)] if sent.accepted or sent.accepted_again else []

    def _knowable(self, sent: Sent, changes: list[Change]) -> Known:
        """One twin that looks the same is enough for not knowable; no twin: it was not tried."""
        if not changes or (sent.side, sent.tsn) not in self._chosen:
            return dict.fromkeys(TAPS)
        known: Known = dict.fromkeys(TAPS, True)
        for change in changes:
            until_ns = self._until(change, sent)
            for tap, differs_ns in self._differs[change].items():
                known[tap] = known[tap] and differs_ns is not None and differs_ns <= until_ns
        return self._where_seen(sent, known)

    def _where_seen(self, sent: Sent, known: Known) -> Known:
        return {tap: known[tap] if sent.packet in self._in_file[tap] else None for tap in TAPS}

    @cached_property
    def _differs(self) -> dict[Change, Differs]:
        """Of each change, from when on taps see it; one twin answers all questions about it."""
        until_ns: dict[Change, int] = {}
        for sent in self._run.sent:
            copies = self._copies[sent.side, sent.tsn]
            if _is_plain(copies) or (sent.side, sent.tsn) not in self._chosen:
                continue
            for change in (*self._other_verdicts(sent), *self._other_outcomes(sent)):
                until_ns[change] = max(until_ns.get(change, 0), self._until(change, sent))
        if not until_ns:
            return {}
        rehearsal = Rehearsal(self._run, until_ns)
        rehearsal.run()
        return rehearsal.differs

    def _until(self, change: Change, sent: Sent) -> int:
        """Until when taps are compared: as long as the receiver's answers may differ."""
        scenario = self._run.scenario
        packets = [self._carried[packet].passage for packet in (*dict(change), sent.packet)]
        arrived_ns = max(passage.unless_lost[1] for passage in packets) + scenario.host_jitter_ns
        answers = [
            carried.time_ns
            for carried in self._run.carried
            if carried.side != sent.side
            and carried.time_ns >= arrived_ns
            and carried.passage.end_ns is not None
            and (acknowledgement := acknowledgement_of(carried.sctp)) is not None
            and acknowledgement.covers(sent.tsn)
        ][:_ACKNOWLEDGEMENTS]
        ways_back = scenario.ways["b" if sent.side == "a" else "a"]
        latest_ns = arrived_ns + _AT_MOST_NS
        if not answers:
            return latest_ns
        way_ns = max(way.delay_ns + way.jitter_ns for way in ways_back)
        return min(latest_ns, answers[-1] + 2 * way_ns + scenario.host_jitter_ns)


def _is_plain(copies: list[Sent]) -> bool:
    """Sent once and delivered: nobody needs a twin to know it."""
    return len(copies) == 1 and bool(copies[0].accepted)
