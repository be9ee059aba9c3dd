# SPDX-License-Identifier: BSD-2-Clause
"""Sums up recovery by association and direction while a capture is read.

Memory goes with the number of directions, not with packets, losses and retransmissions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_ASSOCIATION, NO_TIME, NO_WORD, Batch, Rows
from sctp_rack.binding.told import MAX_ACK_DELAY
from sctp_rack.binding.words import words_of
from sctp_rack.columns.of_rows import column_of
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.limited import limit_finding
from sctp_rack.findings.verdicts import verdict_findings
from sctp_rack.names import Kind, Profile
from sctp_rack.recovery.delivery import Served
from sctp_rack.recovery.direction import Recovery, recovery
from sctp_rack.recovery.first_losses import FirstLosses
from sctp_rack.recovery.limited import Limited, LimitedDirections
from sctp_rack.recovery.marked import LEAD_SHIFT, MARKED, SHOWN, Marked
from sctp_rack.recovery.retransmission import Resent
from sctp_rack.recovery.stalls import Found, StandingStill
from sctp_rack.recovery.tallies import Tallies, followed, places_of
from sctp_rack.recovery.window import Window
from sctp_rack.tables import TABLES as COLUMNS

#: Tables that a session must hand out for it, which does so with `transmissions` last.
TABLES = ("transmissions", "rack_marks", "counts", "rtt_samples", "paths", "messages", "limits")

#: Transmissions before a batch of which the time is known.
_LOOKED_BACK = 65536

_OF_RESENT = (
    *("frame", "time_ns", "copy", "bytes", "prev_frame"),
    *("cause", "cause_class", "verdict", "verdict_class"),
)
_OF_SENT = ("tsn", "kind", "probe", *_OF_RESENT)

#: Directions that are looked at together.
_TOGETHER = 512

#: Number of an association and direction.
Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class DirectionSums:
    """What the rows of one direction tell, in numbers."""

    kinds: dict[str, int]
    recovery: Recovery
    served: Served


class Recovered:
    """What the rows of all directions tell: it is put together when it is asked for."""

    def __init__(
        self, tallies: Tallies, limited: dict[int, Limited], max_ack_delay_ns: int
    ) -> None:
        self._tallies = tallies
        self._limited = limited
        self._max_ack_delay_ns = max_ack_delay_ns
        self._last = False

    def once_more(self) -> None:
        """Each association is asked for once more, and what it came to is forgotten then."""
        self._last = True

    def of(self, associations: Sequence[int]) -> dict[Place, DirectionSums]:
        """Of the directions with data of some associations: it costs less to ask for many."""
        wanted = set(associations)
        places = self._tallies.with_data(2 * min(wanted), 2 * max(wanted) + 2)
        these = [place for place in places if place >> 1 in wanted]
        tallies = self._tallies.ended(these, forget=self._last)
        return {
            _named(place): DirectionSums(tally.kinds, recovery(tally), tally.served)
            for place, tally in tallies.items()
        }

    def in_time(self, places: Sequence[int]) -> dict[int, DirectionSums]:
        """Of some directions, also of those that sent nothing in the time that is told of."""
        tallies = self._tallies.ended(places)
        return {
            place: DirectionSums(tally.kinds, recovery(tally), tally.served)
            for place, tally in tallies.items()
        }

    def sent_again(self) -> set[int]:
        """Associations in which something was sent again."""
        return {place >> 1 for place in self._tallies.sent_again()}

    def stood_still(self) -> set[int]:
        """Associations that may have a stall."""
        return {place >> 1 for place in self._tallies.stood_still()}

    def findings(self) -> Iterator[CaptureFinding]:
        """What a person should look at, by association and direction."""
        places = sorted({*self._tallies.with_findings(), *self._limited})
        for at in range(0, len(places), _TOGETHER):
            for place, tally in self._tallies.ended(places[at : at + _TOGETHER]).items():
                figures = recovery(tally)
                yield from verdict_findings(*_named(place), figures, tally, self._max_ack_delay_ns)
                if limited := self._limited.get(place):
                    path = next(iter(tally.paths), None)
                    yield limit_finding(*_named(place), limited, path)


class RecoveryRows:
    """What the batches of a session add up to, in their order.

    Of a `window` only what is of that time adds up, but by what is known of all of the capture: how
    long round trips take, what RACK-TLP marked, when a copy before was sent, which timeout began.
    """

    def __init__(self, window: Window | None = None) -> None:
        self._window = window or Window()
        self._tallies = Tallies(all_told=self._window.is_all)
        self._first_losses = FirstLosses()
        self._marked = Marked()
        #: Transmissions so far, and the times of the last of them.
        self._transmissions = 0
        self._times = np.zeros(0, np.int64)
        self._standing_still = StandingStill()
        #: What was sent again of the TSNs of which it is not known yet whether they stood still.
        self._again: dict[tuple[int, int], list[tuple[Resent, bool]]] = {}
        self._limited = LimitedDirections()

    def add(self, batch: Batch) -> None:
        """Adds up its rows."""
        self._tallies.add_paths(batch)
        if self._window.is_all:
            self._tallies.count(batch.tables["counts"])
        samples = batch.tables["rtt_samples"]
        self._tallies.sample(samples, self._window.holds(samples["time_ns"]))
        self._limited.add(self._window.cut(followed(batch.tables["limits"])))
        self._mark(batch.tables["rack_marks"])
        if not self._window.is_all:
            self._count(batch.tables["transmissions"])
        self._stand_still(self._standing_still.add(batch.tables["transmissions"]))
        self._send(batch)
        self._tallies.deliver(self._window.of(batch.tables["messages"], "sent_ns"))

    def recovered(self, max_ack_delay_ns: int = MAX_ACK_DELAY) -> Recovered:
        """Of those with data; nothing is added afterwards.

        The delay is TLP.max_ack_delay of RACK-TLP, nanoseconds.
        """
        self._marked.close()
        self._stand_still(self._standing_still.end())
        self._tallies.end()
        self._limited.end()
        return Recovered(self._tallies, self._limited.found, max_ack_delay_ns)

    def _mark(self, rows: Rows) -> None:
        rows = rows[rows["profile"] == words_of("profile").index(Profile.RFC8985)]
        self._marked.add(rows)
        self._tallies.mark(self._window.of(rows))

    def _count(self, rows: Rows) -> None:
        """What `counts` has of all, of a time."""
        rows = followed(rows)
        first = self._first_losses.of(rows)
        told = self._window.holds(rows["time_ns"])
        self._tallies.count_each(rows[told], first[told])

    def _stand_still(self, those: list[Found]) -> None:
        found = [
            (2 * one.assoc + one.sender, one.stall)
            for one in those
            if self._window.meets(one.stall.begin_ns, one.stall.end_ns)
        ]
        if found:
            self._tallies.begin(found)
        for place, stall in found:
            again = self._again.get((place, stall.tsn))
            if again and (stalls := self._tallies.stalls(place)):
                for resent, has_finding in again:
                    stalls.add(stall.tsn, resent, has_finding)
        if self._again:
            waiting = self._standing_still.waiting()
            self._again = {key: rows for key, rows in self._again.items() if key in waiting}

    def _send(self, batch: Batch) -> None:
        rows = batch.tables["transmissions"]
        waits = self._waits(rows)
        again = rows["kind"] == words_of("kind").index(Kind.RETRANSMISSION)
        matter = (rows["assoc"] != NO_ASSOCIATION) & (again | (rows["probe"] != NO_WORD))
        rows, waits = rows[matter], waits[matter]
        if not len(rows):
            return
        told = self._window.holds(rows["time_ns"])
        said = self._marked.of(rows["prev_row"].astype(np.int64))
        for at in np.flatnonzero(rows["prev_row"] == 0).tolist():
            names = (int(rows[name][at]) for name in ("assoc", "from", "tsn"))
            said[at] = self._marked.of_unseen(*names)
        places = places_of(rows).tolist()
        resends = self._tallies.resends(set(places))
        matter_alone = replace(batch, tables={"transmissions": rows})
        values = places, waits.tolist(), said.tolist(), told.tolist()
        waiting = self._standing_still.waiting()
        for row, place, wait, mark, is_told in zip(_sent(matter_alone), *values, strict=True):
            if row["probe"] and is_told:
                resends[place].probes[row["probe"]] += 1
            if row["kind"] == Kind.RETRANSMISSION:
                resent = _resent(row, None if wait == NO_TIME else wait, mark)
                has_finding = resends[place].add(resent, told=is_told)
                if stalls := self._tallies.stalls(place):
                    stalls.add(row["tsn"], resent, has_finding)
                if (place, row["tsn"]) in waiting:
                    self._again.setdefault((place, row["tsn"]), []).append((resent, has_finding))

    def _waits(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Since the copy before of each was sent; `NO_TIME` where that is not known."""
        first = self._transmissions - len(self._times)
        self._transmissions += len(rows)
        times = np.concatenate([self._times, rows["time_ns"]])
        self._times = times[-_LOOKED_BACK:].copy()
        before = rows["prev_row"].astype(np.int64) - 1 - first
        before_ns = np.where(before >= 0, times[np.maximum(before, 0)], NO_TIME)
        known = (before_ns != NO_TIME) & (rows["time_ns"] != NO_TIME)
        return np.where(known, rows["time_ns"] - np.where(known, before_ns, 0), NO_TIME)


def _resent(row: dict[str, Any], waited_ns: int | None, said: int) -> Resent:
    return Resent(
        **{name: row[name] for name in _OF_RESENT},
        waited_ns=waited_ns,
        marked=bool(said & MARKED),
        shown=bool(said & SHOWN),
        lead_ns=said >> LEAD_SHIFT,
    )


def _sent(batch: Batch) -> Iterator[dict[str, Any]]:
    """Rows of `transmissions` with the columns that matter."""
    table = "transmissions"
    columns = {
        column.name: column_of(table, column, batch)
        for column in COLUMNS[table]
        if column.name in _OF_SENT
    }
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


def _named(place: int) -> Place:
    return place >> 1, words_of("dir")[place & 1]
