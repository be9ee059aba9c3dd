# SPDX-License-Identifier: BSD-2-Clause
"""RACK-TLP (profile rfc8985) against the real sender, over all retransmissions of a direction."""

from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction
from sctp_rack.columns.table import Row, Table
from sctp_rack.names import Cause, Kind, Profile, Verdict
from sctp_rack.recovery.direction import Rack
from sctp_rack.recovery.hindsight import AT_ONCE, Copy, copy_before, leads
from sctp_rack.report.probes_due import probes_due
from sctp_rack.wording.causes import family

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
    spurious: int
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
    families: dict[str, _Known] = {}
    told = direction.told("transmissions")
    for row in told.where(kind=Kind.RETRANSMISSION.value, verdict=Verdict.NEEDED.value):
        families.setdefault(family(row["cause"] or Cause.UNKNOWN), _Known()).add(row, lead)
    most_first = sorted(families.items(), key=lambda item: -item[1].needed)
    return Versus(
        known=[one.known(name) for name, one in most_first],
        needed=sum(one.needed for one in families.values()),
        spurious=recovery.spurious,
        rack=recovery.rack,
        probes_due=int(direction.window.holds(due).sum()),
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


class _Known:
    """What adds up to `Known`, row by row."""

    def __init__(self) -> None:
        self.needed = 0
        self._earlier: list[int] = []
        self._by_probe: list[int] = []
        self._alike = 0
        self._later = 0

    def add(self, row: Row, lead: _Lead) -> None:
        """One more."""
        self.needed += 1
        mark, probe = lead.by_mark(row), lead.by_probe(row)
        if mark is not None and mark >= AT_ONCE:
            self._earlier.append(mark)
        elif probe is not None and probe >= AT_ONCE and row["cause"] in _BY_TIMEOUT:
            self._by_probe.append(probe)
        elif mark is not None:
            self._alike += mark > -AT_ONCE
            self._later += mark <= -AT_ONCE

    def known(self, name: str) -> Known:
        """Of all that were added."""
        return Known(
            family=name,
            needed=self.needed,
            earlier=len(self._earlier),
            median_ns=int(median(self._earlier)) if self._earlier else None,
            longest_ns=max(self._earlier, default=None),
            by_probe=len(self._by_probe),
            probe_median_ns=int(median(self._by_probe)) if self._by_probe else None,
            alike=self._alike,
            later=self._later,
        )
