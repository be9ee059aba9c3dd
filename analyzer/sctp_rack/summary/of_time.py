# SPDX-License-Identifier: BSD-2-Clause
"""A summary of a time: what was sent, acknowledged, lost and repaired in it.

All of the capture is read and judged, and what is said of the capture itself, and of associations
as a whole, stays.
"""

from collections.abc import Iterable
from dataclasses import replace

from sctp_rack.binding.rows import Batch, Rows
from sctp_rack.columns.moments import Moment
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import found
from sctp_rack.findings.stalled import stalled
from sctp_rack.names import Dir, Ended, Finding, Severity
from sctp_rack.recovery import gathering
from sctp_rack.recovery.delivery import Delivery, delivery
from sctp_rack.recovery.gathering import DirectionSums, Recovered, RecoveryRows
from sctp_rack.recovery.window import Window
from sctp_rack.summary.data_of_time import DataOfTime
from sctp_rack.summary.sacks_of_time import SacksOfTime
from sctp_rack.summary.summary import Association, Side, Summary, Time

_LAST = "transmissions"

#: What a time is summed up from; of a session `transmissions` come last.
TABLES = ("sacks", *(name for name in gathering.TABLES if name != _LAST), _LAST)

#: More than any frame.
_NONE = (1 << 32) - 1

#: Their frames are those of the longest one, not the first.
_NOT_FIRST = {Finding.ZERO_WINDOW}


class RowsOfTime:
    """What the batches of a session add up to in a time, in seconds since its first frame.

    That is at `first_ns`; None: no frame has a time. Raises `ValueError` where it ends before it
    begins.
    """

    def __init__(self, begin: Moment | None, end: Moment | None, first_ns: int | None) -> None:
        self.window = window = Window.between(begin, end, first_ns)
        self._recovery = RecoveryRows(window)
        self._data = DataOfTime(window)
        self._sacks = SacksOfTime(window)
        #: The first frame behind it, as far as rows tell.
        self._behind = _NONE

    def add(self, batch: Batch) -> None:
        """Adds up its rows."""
        self._recovery.add(batch)
        self._data.add(batch.tables["transmissions"])
        self._sacks.add(batch.tables["sacks"])
        for name in ("transmissions", "sacks"):
            self._look_at(batch.tables[name])

    def _look_at(self, rows: Rows) -> None:
        frames, times = rows["frame"], rows["time_ns"]
        self._behind = min(self._behind, int(frames[self.window.behind(times)].min(initial=_NONE)))

    def told(
        self, summary: Summary, findings: Iterable[CaptureFinding]
    ) -> tuple[Summary, list[CaptureFinding]]:
        """A summary of the whole, and all findings, without what is of another time.

        Nothing is added afterwards.
        """
        recovered = self._recovery.recovered(summary.max_ack_delay_ns)
        told: list[Association] = []
        lasting: list[Association] = []
        for one in summary.associations:
            if self._meets(summary, one):
                sides = (
                    self._side(summary, one, 0, recovered),
                    self._side(summary, one, 1, recovered),
                )
                told.append(replace(one, a=sides[0], b=sides[1]))
                lasting.append(_with_stalls(one, told[-1]))
        sent = {
            (one.assoc, way)
            for one in lasting
            for way, side in ((Dir.A2B.value, one.a), (Dir.B2A.value, one.b))
            if side.data
        }
        own = [] if summary.filtered else list(recovered.findings())
        own = [finding for finding in own if (finding.assoc, finding.dir) in sent]
        kept = [finding for finding in findings if self._may_have(finding)]
        findings = [*kept, *own, *found(lasting, stalled(summary))]
        worst_first = list(reversed(Severity))
        findings.sort(key=lambda finding: worst_first.index(Severity(finding.severity)))
        time = Time(self.window.begin_ns, self.window.end_ns)
        return replace(summary, associations=told, findings=own, of_time=time), findings

    def _meets(self, summary: Summary, association: Association) -> bool:
        """Whether it may have frames then."""
        first_ns, last_ns = summary.first_time_ns, summary.last_time_ns
        if first_ns is None or last_ns is None or not self.window.meets(first_ns, last_ns):
            return False
        if association.first_frame >= self._behind:
            return False
        return self.window.meets(first_ns, association.last_time_ns)

    def _may_have(self, finding: CaptureFinding) -> bool:
        """Whether what it says of the whole capture may be of the time as well.

        A finding names the first frames that it is about, so what comes only behind is known.
        """
        if finding.dir is not None:
            return False
        first = min(finding.frames, default=0)
        return finding.code in _NOT_FIRST or first < self._behind

    def _side(
        self, summary: Summary, association: Association, at: int, recovered: Recovered
    ) -> Side:
        whole = association.b if at else association.a
        place = 2 * association.assoc + at
        data = self._data.of(place, whole.data)
        sums = recovered.in_time(place) if whole.data else None
        return replace(
            whole,
            chunks={
                **(self._data.chunks(place) if whole.data else {}),
                **(self._sacks.chunks(place) if whole.sacks else {}),
            },
            data=data,
            sacks=self._sacks.of(place) if whole.sacks else None,
            flow=None,
            recovery=sums.recovery if sums and whole.recovery and (data or _saw(sums)) else None,
            delivery=self._delivery(summary, association, place, sums) if whole.delivery else None,
        )

    def _delivery(
        self, summary: Summary, association: Association, place: int, sums: DirectionSums | None
    ) -> Delivery | None:
        goodput = self._data.delivered(place).rate
        open_ = association.how_ended == Ended.OPEN
        last_ns = summary.last_time_ns if open_ else association.last_time_ns
        if sums is None:
            return None
        told = delivery(sums.served, goodput, last_ns)
        there = goodput is not None or told.stalls or told.messages or sums.kinds
        return told if there else None


def _saw(sums: DirectionSums) -> bool:
    """Whether anything was told of data that was sent before."""
    return sums.recovery.rtt is not None or sums.recovery.rack.marks > 0


def _with_stalls(whole: Association, told: Association) -> Association:
    """All that is known of it, with the stalls of the time."""
    return replace(
        whole,
        a=replace(whole.a, delivery=told.a.delivery),
        b=replace(whole.b, delivery=told.b.delivery),
    )
