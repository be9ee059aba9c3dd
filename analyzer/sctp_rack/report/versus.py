# SPDX-License-Identifier: BSD-2-Clause
"""RACK-TLP (profile rfc8985) against the real sender, over all retransmissions of a direction."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction
from sctp_rack.causes import family
from sctp_rack.hindsight import AT_ONCE, Copy, copy_before, leads
from sctp_rack.names import Cause, Kind, Profile, Verdict
from sctp_rack.recovery import Rack
from sctp_rack.report.probes_due import probes_due
from sctp_rack.table import Row, Table

#: Causes that waited for T3-rtx.
_BY_TIMEOUT = {Cause.T3, Cause.T3_GBN}


@dataclass(frozen=True)
class Known:
    """Needed retransmissions of one family of causes, and when RACK-TLP would have known.

    Known at the same time is within a millisecond.
    """

    family: str
    needed: int
    #: By feedback or the reordering timer, before the sender.
    earlier: int
    #: Of these, nanoseconds; None without.
    median_ns: int | None
    longest_ns: int | None
    #: Not so, but a tail loss probe would have been due before (an estimate), and how long before.
    by_probe: int
    probe_median_ns: int | None
    alike: int
    later: int

    @property
    def untold(self) -> int:
        """Those of which no feedback and no probe would have told it before its own timeout."""
        return self.needed - self.earlier - self.by_probe - self.alike - self.later


@dataclass(frozen=True)
class Versus:
    """Of one direction."""

    known: list[Known]
    needed: int
    needless: int
    rack: Rack
    #: Tail loss probes that would have been due: an estimate. Those that the sender made.
    probes_due: int
    probes: int


def versus(direction: Direction) -> Versus | None:
    """None where nothing was judged."""
    recovery = direction.sender.recovery
    if recovery is None:
        return None
    rows = direction.transmissions
    marks = direction.table("rack_marks").where(profile=Profile.RFC8985.value)
    due = probes_due(direction)
    lead = _Lead(rows, leads(marks), due)
    families: dict[str, list[Row]] = {}
    for row in rows.where(kind=Kind.RETRANSMISSION.value, verdict=Verdict.NEEDED.value):
        families.setdefault(family(row["cause"] or Cause.UNKNOWN), []).append(row)
    most_first = sorted(families.items(), key=lambda item: -len(item[1]))
    return Versus(
        known=[_known(name, again, lead) for name, again in most_first],
        needed=sum(map(len, families.values())),
        needless=recovery.needless,
        rack=recovery.rack,
        probes_due=len(due),
        probes=sum(recovery.probes.values()),
    )


class _Lead:
    """How much earlier RACK-TLP would have known of what a retransmission repeats."""

    def __init__(self, rows: Table, by_mark: dict[Copy, int], due: npt.NDArray[np.int64]) -> None:
        self._by_mark = by_mark
        self._due = due
        self._frames = rows["frame"].astype(np.int64)  # as what is searched: else each copies it
        self._times = np.ma.getdata(rows["time_ns"])

    def by_mark(self, row: Row) -> int | None:
        """Nanoseconds, negative for later; None where nothing told it."""
        return self._by_mark.get(copy_before(row))

    def by_probe(self, row: Row) -> int | None:
        """From the first probe due after the copy before; None where none was due."""
        if row["prev_frame"] is None:
            return None
        sent = self._times[np.searchsorted(self._frames, row["prev_frame"])]
        at = np.searchsorted(self._due, sent, side="right")
        return row["time_ns"] - int(self._due[at]) if at < len(self._due) else None


def _known(name: str, rows: Sequence[Row], lead: _Lead) -> Known:
    earlier, by_probe, alike, later = [], [], 0, 0
    for row in rows:
        mark, probe = lead.by_mark(row), lead.by_probe(row)
        if mark is not None and mark >= AT_ONCE:
            earlier.append(mark)
        elif probe is not None and probe >= AT_ONCE and row["cause"] in _BY_TIMEOUT:
            by_probe.append(probe)
        elif mark is not None:
            alike += mark > -AT_ONCE
            later += mark <= -AT_ONCE
    return Known(
        family=name,
        needed=len(rows),
        earlier=len(earlier),
        median_ns=int(median(earlier)) if earlier else None,
        longest_ns=max(earlier, default=None),
        by_probe=len(by_probe),
        probe_median_ns=int(median(by_probe)) if by_probe else None,
        alike=alike,
        later=later,
    )
