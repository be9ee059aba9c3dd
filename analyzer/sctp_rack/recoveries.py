# SPDX-License-Identifier: BSD-2-Clause
"""Sums up recovery by association and direction while a capture is read.

Memory goes with the number of directions, not with packets, losses and retransmissions.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.columns import column_of
from sctp_rack.delivery import Served
from sctp_rack.finding import CaptureFinding
from sctp_rack.marked import LEAD_SHIFT, MARKED, SHOWN, Marked
from sctp_rack.names import CountWhat, Kind, Outcome, Profile, Resolution
from sctp_rack.recovery import Recovery, Tally, recovery
from sctp_rack.resent import Resent
from sctp_rack.round_trips import RoundTrips
from sctp_rack.rows import NO_ASSOCIATION, NO_TIME, NO_WORD, Batch, Rows
from sctp_rack.session import MAX_ACK_DELAY
from sctp_rack.stalls import StandingStill
from sctp_rack.tables import TABLES as COLUMNS
from sctp_rack.verdict_findings import verdict_findings
from sctp_rack.words import words_of

#: Tables that a session must hand out for it, which does so with `transmissions` last.
TABLES = ("transmissions", "rack_marks", "counts", "rtt_samples", "paths", "messages")

#: Transmissions before a batch of which the time is known.
_LOOKED_BACK = 65536

_OF_RESENT = (
    *("frame", "time_ns", "copy", "bytes", "prev_frame"),
    *("cause", "cause_class", "verdict", "verdict_class"),
)
#: Columns of tables that may have many rows.
_ASKED_FOR = {"transmissions": ("assoc", "dir", "tsn", "kind", "probe", *_OF_RESENT)}

#: Number of an association and direction.
Place = tuple[int, str]


@dataclass(frozen=True)
class Told:
    """What the rows of one direction tell: numbers, and what a person should look at."""

    kinds: dict[str, int]
    recovery: Recovery
    served: Served
    findings: list[CaptureFinding]


Recovered = dict[Place, Told]


class RecoveryRows:
    """What the batches of a session add up to, in their order."""

    def __init__(self) -> None:
        self._tallies: defaultdict[Place, Tally] = defaultdict(Tally)
        self._marked = Marked()
        #: Transmissions so far, and the times of the last of them.
        self._transmissions = 0
        self._times = np.zeros(0, np.int64)
        self._standing_still = StandingStill()

    def add(self, batch: Batch) -> None:
        """Adds up its rows."""
        for path in _read("paths", batch):
            self._tallies[path["assoc"], path["dir"]].paths.append(path)
        for count in _read("counts", batch):
            self._count(count)
        self._sample(batch.tables["rtt_samples"])
        self._mark(batch.tables["rack_marks"])
        self._stand_still(batch.tables["transmissions"])
        self._send(batch)
        self._deliver(batch.tables["messages"])

    def recovered(self, max_ack_delay_ns: int = MAX_ACK_DELAY) -> Recovered:
        """By association and direction, of those with data; nothing is added afterwards.

        The delay is TLP.max_ack_delay of RACK-TLP, nanoseconds.
        """
        self._marked.close()
        told: Recovered = {}
        for place in sorted(self._tallies):
            tally = self._tallies.pop(place)
            if tally.outcomes:
                tally.resends.end()
                figures = recovery(tally)
                findings = verdict_findings(*place, figures, tally, max_ack_delay_ns)
                told[place] = Told(tally.kinds, figures, tally.served, findings)
        return told

    def _count(self, row: dict[str, Any]) -> None:
        tally = self._tallies[row["assoc"], row["dir"]]
        if row["what"] == CountWhat.KIND:
            tally.kinds[row["name"]] = row["transmissions"]
        if row["what"] == CountWhat.OUTCOME:
            tally.outcomes[row["name"]] = row["transmissions"]
            if row["name"] == Outcome.LOST:
                tally.lost_tsns = row["tsns"]

    def _sample(self, rows: Rows) -> None:
        rows = rows[rows["assoc"] != NO_ASSOCIATION]
        for (assoc, sender, tag), some in _parts(rows, "assoc", "from", "tag"):
            rtts = self._tallies[assoc, words_of("dir")[sender]].rtts
            rtts.setdefault(words_of("rtt_tag")[tag], RoundTrips()).add(some["rtt_ns"])

    def _mark(self, rows: Rows) -> None:
        rows = rows[rows["profile"] == words_of("profile").index(Profile.RFC8985)]
        self._marked.add(rows)
        false = words_of("resolution").index(Resolution.FALSE_MARK)
        for (assoc, sender), some in _parts(rows, "assoc", "from"):
            tally = self._tallies[assoc, words_of("dir")[sender]]
            tally.marks += len(some)
            tally.false_marks += int((some["resolution"] == false).sum())

    def _stand_still(self, rows: Rows) -> None:
        for assoc, sender, stall in self._standing_still.add(rows):
            tally = self._tallies[assoc, words_of("dir")[sender]]
            if stall.length_ns > tally.stall_ns:
                tally.served.stalls.begin(stall)

    def _deliver(self, rows: Rows) -> None:
        states = words_of("message_state")
        for (assoc, sender), some in _parts(rows, "assoc", "from"):
            served = self._tallies[assoc, words_of("dir")[sender]].served
            for state, count in enumerate(np.bincount(some["state"]).tolist()):
                if count:
                    served.messages[states[state]] = served.messages.get(states[state], 0) + count
            took = some["latency_ns"][some["latency_ns"] != NO_TIME]
            if len(took):
                served.latencies.add(took)

    def _send(self, batch: Batch) -> None:
        rows = batch.tables["transmissions"]
        waits = self._waits(rows)
        again = rows["kind"] == words_of("kind").index(Kind.RETRANSMISSION)
        matter = (rows["assoc"] != NO_ASSOCIATION) & (again | (rows["probe"] != NO_WORD))
        rows, waits = rows[matter], waits[matter]
        said = self._marked.of(rows["prev_row"].astype(np.int64))
        for at in np.flatnonzero(rows["prev_row"] == 0).tolist():
            names = (int(rows[name][at]) for name in ("assoc", "from", "tsn"))
            said[at] = self._marked.of_unseen(*names)
        matter_alone = replace(batch, tables={"transmissions": rows})
        for row, wait, mark in zip(
            _read("transmissions", matter_alone), waits.tolist(), said.tolist(), strict=True
        ):
            tally = self._tallies[row["assoc"], row["dir"]]
            if row["probe"]:
                tally.resends.probes[row["probe"]] += 1
            if row["kind"] == Kind.RETRANSMISSION:
                resent = _resent(row, None if wait == NO_TIME else wait, mark)
                told = tally.resends.add(resent)
                tally.served.stalls.add(row["tsn"], resent, told)

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


def _read(name: str, batch: Batch) -> Iterator[dict[str, Any]]:
    """Rows of a table, of one that may have many with the columns that matter."""
    asked = _ASKED_FOR.get(name)
    columns = {
        column.name: column_of(name, column, batch)
        for column in COLUMNS[name]
        if not asked or column.name in asked
    }
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


def _parts(rows: Rows, *fields: str) -> Iterator[tuple[list[int], Rows]]:
    """Those with the same values in `fields`, in their order, and these values."""
    if not len(rows):
        return
    if all((rows[name] == rows[name][0]).all() for name in fields):
        yield [int(rows[name][0]) for name in fields], rows
        return
    keys, at = np.unique(np.stack([rows[name] for name in fields]), axis=1, return_inverse=True)
    order = np.argsort(at.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(at.ravel()))[:-1]
    yield from zip(keys.T.tolist(), np.split(rows[order], ends), strict=True)
