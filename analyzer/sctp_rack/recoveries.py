# SPDX-License-Identifier: BSD-2-Clause
"""Which rows are kept while a capture is read, so that recovery can be summed up at its end.

Memory goes with losses and retransmissions.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sctp_rack.columns import column_of
from sctp_rack.finding import CaptureFinding
from sctp_rack.light_rows import AnyRow, LightRows
from sctp_rack.names import Kind, Outcome, Profile
from sctp_rack.recovery import Recovery, recovery
from sctp_rack.round_trips import RoundTrips
from sctp_rack.rows import NO_ASSOCIATION, NO_TIME, NO_WORD, Batch, Rows
from sctp_rack.table import Row
from sctp_rack.tables import TABLES as COLUMNS
from sctp_rack.vectors import Numbers, Vector
from sctp_rack.verdict_findings import SENT_BEFORE, verdict_findings
from sctp_rack.words import words_of

#: Tables that a session must hand out for it.
TABLES = ("transmissions", "rack_marks", "counts", "rtt_samples", "paths")

#: Transmissions before a batch among which the copy before is looked for.
_LOOKED_BACK = 65536

#: Number of an association and direction.
Place = tuple[int, str]


#: Columns of the tables that may have many rows.
_ASKED_FOR = {
    "transmissions": (
        *("assoc", "dir", "frame", "time_ns", "tsn", "copy", "bytes", "prev_frame"),
        *("kind", "cause", "probe", "verdict", "verdict_class", "outcome"),
    ),
    "rack_marks": (
        *("assoc", "dir", "frame", "tsn", "profile", "trigger", "sender_lead_ns", "resolution"),
    ),
}


@dataclass(frozen=True)
class Told:
    """What the rows of one direction tell: numbers, and what a person should look at."""

    recovery: Recovery
    findings: list[CaptureFinding]


Recovered = dict[Place, Told]


class RecoveryRows:
    """The rows that matter, from the batches of a session in their order."""

    def __init__(self) -> None:
        self._kept = {name: LightRows() for name in _MANY}
        self._few: dict[str, list[Row]] = {name: [] for name in _FEW}
        self._rtts: dict[Place, dict[str, RoundTrips]] = {}
        #: Frames and times of the transmissions before the next batch.
        self._frames = np.zeros(0, np.uint32)
        self._times = np.zeros(0, np.int64)

    def add(self, batch: Batch) -> None:
        """Keeps what matters of it."""
        for name, matters in _MANY.items():
            rows = batch.tables[name]
            if len(rows) and len(kept := rows[matters(rows)]):
                columns = _read(name, replace(batch, tables={name: kept}))
                if name == "transmissions":
                    columns[SENT_BEFORE] = self._times_before(kept, rows)
                self._kept[name].add(columns)
        for name in _FEW:
            columns = _read(name, batch)
            for values in zip(*columns.values(), strict=True):
                self._few[name].append(dict(zip(columns, values, strict=True)))
        self._look_back_at(batch.tables["transmissions"])
        self._sample(batch.tables["rtt_samples"])

    def _times_before(self, kept: Rows, rows: Rows) -> Numbers:
        """When the copies before were sent, looked for in this batch and before it; else null."""
        frames = np.concatenate([self._frames, rows["frame"]])
        times = np.concatenate([self._times, rows["time_ns"]])
        at = np.minimum(np.searchsorted(frames, kept["prev_frame"]), len(frames) - 1)
        known = (frames[at] == kept["prev_frame"]) & (times[at] != NO_TIME)
        return Numbers(known, times[at])

    def _look_back_at(self, rows: Rows) -> None:
        self._frames = np.concatenate([self._frames, rows["frame"]])[-_LOOKED_BACK:]
        self._times = np.concatenate([self._times, rows["time_ns"]])[-_LOOKED_BACK:]

    def _sample(self, rows: Rows) -> None:
        rows = rows[rows["assoc"] != NO_ASSOCIATION]
        if not len(rows):
            return
        keys, at = np.unique(
            np.stack([rows["assoc"], rows["from"], rows["tag"]]), axis=1, return_inverse=True
        )
        order = np.argsort(at.ravel(), kind="stable")
        parts = np.split(rows["rtt_ns"][order], np.cumsum(np.bincount(at.ravel()))[:-1])
        for (assoc, sender, tag), rtts in zip(keys.T.tolist(), parts, strict=False):
            by_tag = self._rtts.setdefault((assoc, words_of("dir")[sender]), {})
            by_tag.setdefault(words_of("rtt_tag")[tag], RoundTrips()).add(rtts)

    def recovered(self, max_ack_delay_ns: int) -> Recovered:
        """By association and direction, of those with data; the delay is RACK-TLP's."""
        rows = {name: kept.rows() for name, kept in self._kept.items()}
        grouped = {name: _grouped(some) for name, some in (rows | self._few).items()}
        told: Recovered = {}
        for place in list(grouped["counts"]):
            transmissions, marks = grouped["transmissions"][place], grouped["rack_marks"][place]
            rtts = self._rtts.get(place, {})
            counts, paths = grouped["counts"][place], grouped["paths"][place]
            figures = recovery(transmissions, marks, counts, rtts, paths)
            findings = verdict_findings(figures, transmissions, marks, paths, max_ack_delay_ns)
            told[place] = Told(figures, findings)
        return told


def _read(name: str, batch: Batch) -> dict[str, Vector]:
    """Columns of a table, of some those that are asked for."""
    asked = _ASKED_FOR.get(name)
    columns = [column for column in COLUMNS[name] if not asked or column.name in asked]
    return {column.name: column_of(name, column, batch) for column in columns}


def _grouped(rows: Iterable[AnyRow]) -> defaultdict[Place, list[AnyRow]]:
    groups: defaultdict[Place, list[AnyRow]] = defaultdict(list)
    for row in rows:
        groups[(row["assoc"], row["dir"])].append(row)
    return groups


def _needed_transmissions(rows: Rows) -> npt.NDArray[np.bool_]:
    again = rows["kind"] == words_of("kind").index(Kind.RETRANSMISSION)
    lost = rows["outcome"] == words_of("outcome").index(Outcome.LOST)
    probes = rows["probe"] != NO_WORD
    needed: npt.NDArray[np.bool_] = (rows["assoc"] != NO_ASSOCIATION) & (again | lost | probes)
    return needed


def _marks_of_rack(rows: Rows) -> npt.NDArray[np.bool_]:
    rack: npt.NDArray[np.bool_] = rows["profile"] == words_of("profile").index(Profile.RFC8985)
    return rack


#: Tables that may have many rows, and which of them matter; of the others all do.
_MANY: dict[str, Callable[[Rows], npt.NDArray[np.bool_]]] = {
    "transmissions": _needed_transmissions,
    "rack_marks": _marks_of_rack,
}
_FEW = ("counts", "paths")
