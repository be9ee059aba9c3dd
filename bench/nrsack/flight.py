# SPDX-License-Identifier: BSD-2-Clause
"""What is under way on each path: as usrsctp counts it, and as our tables say it.

usrsctp tells each chunk that it counts into the flight of a path, and out of it: when it is sent,
when it is acknowledged, when it is marked to be sent again. Our tables say the path of each copy
and the feedback that acknowledges it; a copy that is sent again counts until then.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sctp_rack.association import Direction

from bench.nrsack.greedy_run import Greedy, GreedyRun
from sample_pcaps.generate.host import Report
from sample_pcaps.generate.scenario import Scenario

#: Time, path, and by how many chunks what is under way on it grows.
Change = tuple[int, str, int]


class FlightRun(GreedyRun):
    """Afterwards `changes` has what the main host said of its paths, named as our tables do."""

    def __init__(self, scenario: Scenario, greedy: Greedy) -> None:
        super().__init__(scenario, greedy)
        self._told: list[tuple[int, int, str, int]] = []

    def _begin(self, name: str) -> None:
        if name == self.scenario.main:
            self._tell(name, "flight")
        super()._begin(name)

    def _take(self, name: str, reports: list[Report]) -> None:
        for report in reports:
            if report.word == "flight" and name == self.scenario.main:
                way, tsn, _, path, _ = report.arguments
                self._told.append((report.time_ns, int(tsn), path, 1 if way == "up" else -1))
        super()._take(name, reports)

    @property
    def changes(self) -> list[Change]:
        """In order. What the host calls a path is a number; its first chunk tells which it is."""
        first = {
            one.tsn: one for one in self.sent if one.side == self.scenario.main and one.copy == 1
        }
        names: dict[str, str] = {}
        for _, tsn, path, by in self._told:
            if by > 0 and path not in names and tsn in first:
                ends = first[tsn].ends
                names[path] = f"{ends.source}>{ends.destination}"
        return [(time_ns, names[path], by) for time_ns, _, path, by in self._told]


@dataclass(frozen=True)
class Copy:
    """Of a chunk, as our tables have it. Times since the start of the run."""

    tsn: int
    path: str
    sent_ns: int
    acked_ns: int | None


def copies(direction: Direction, start_ns: int) -> list[Copy]:
    """Of a direction, in the order in which they were sent."""
    names = ("tsn", "path", "time_ns", "acked_frame")
    feedback = dict(
        zip(*(direction.sacks[name].tolist() for name in ("frame", "time_ns")), strict=True)
    )
    rows = zip(*(direction.transmissions[name].tolist() for name in names), strict=True)
    return [
        Copy(tsn, path, sent_ns - start_ns, feedback[acked] - start_ns if acked else None)
        for tsn, path, sent_ns, acked in rows
    ]


def changes_of(sent: Iterable[Copy]) -> list[Change]:
    """In order: a copy counts from when it is sent until it is acknowledged or sent again."""
    by_tsn: dict[int, list[Copy]] = {}
    for one in sent:
        by_tsn.setdefault(one.tsn, []).append(one)
    found: list[Change] = []
    for some in by_tsn.values():
        acked = min((one.acked_ns for one in some if one.acked_ns is not None), default=None)
        for one, following in zip(some, [*some[1:], None], strict=True):
            found.append((one.sent_ns, one.path, 1))
            again = following.sent_ns if following else None
            ends = [at for at in (acked, again) if at is not None]
            if ends:
                found.append((min(ends), one.path, -1))
    return sorted(found, key=lambda change: change[0])


def apart(
    ours: Iterable[Change], stack: Iterable[Change], end_ns: int
) -> dict[str, tuple[float, float]]:
    """For each path, from its first chunk to `end_ns`: the part of the time in which both have as
    many chunks on it, and how many the stack has on average."""
    by_path: dict[str, list[tuple[int, int, int]]] = {}
    for whose, changes in enumerate((ours, stack)):
        for time_ns, path, by in changes:
            by_path.setdefault(path, []).append((time_ns, whose, by))
    return {path: _apart(sorted(changes), end_ns) for path, changes in by_path.items()}


def _apart(changes: Sequence[tuple[int, int, int]], end_ns: int) -> tuple[float, float]:
    counts, same, stack, before = [0, 0], 0, 0, changes[0][0]
    for time_ns, whose, by in [*changes, (end_ns, 0, 0)]:
        at_ns = min(time_ns, end_ns)
        same += (at_ns - before) * (counts[0] == counts[1])
        stack += (at_ns - before) * counts[1]
        counts[whose] += by
        before = at_ns
    lasts_ns = end_ns - changes[0][0]
    return same / lasts_ns, stack / lasts_ns
