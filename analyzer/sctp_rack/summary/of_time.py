# SPDX-License-Identifier: BSD-2-Clause
"""A summary of a time: what was sent, acknowledged, lost and repaired in it.

All of the capture is read and judged, and what is said of the capture itself, and of associations
as a whole, stays.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sctp_rack.binding.rows import Batch, Rows
from sctp_rack.columns.moments import Moment
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import found
from sctp_rack.findings.stalled import stalled
from sctp_rack.names import Dir, Finding, Severity
from sctp_rack.recovery import gathering
from sctp_rack.recovery.gathering import RecoveryRows
from sctp_rack.recovery.window import Window
from sctp_rack.summary.associations_of_time import AssociationsOfTime
from sctp_rack.summary.data_of_time import DataOfTime
from sctp_rack.summary.sacks_of_time import SacksOfTime
from sctp_rack.summary.side_of_time import SidesOfTime
from sctp_rack.summary.summary import Association, Summary, Time

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
        sides = SidesOfTime(self._data, self._sacks, recovered, summary.last_time_ns)
        told = AssociationsOfTime(summary, self.window, self._behind, sides.told)
        own = [] if summary.filtered else list(recovered.findings())
        numbers = {finding.assoc for finding in own if finding.assoc is not None}
        sent: set[tuple[int | None, str | None]] = set()
        lasting = _with_stalls(told, numbers | recovered.stood_still(), sent)
        stalls = found(lasting, stalled(summary))
        own = [finding for finding in own if (finding.assoc, finding.dir) in sent]
        kept = [finding for finding in findings if self._may_have(finding)]
        findings = [*kept, *own, *stalls]
        worst_first = list(reversed(Severity))
        findings.sort(key=lambda finding: worst_first.index(Severity(finding.severity)))
        time = Time(self.window.begin_ns, self.window.end_ns)
        return replace(summary, associations=told, findings=own, of_time=time), findings

    def _may_have(self, finding: CaptureFinding) -> bool:
        """Whether what it says of the whole capture may be of the time as well.

        A finding names the first frames that it is about, so what comes only behind is known.
        """
        if finding.dir is not None:
            return False
        first = min(finding.frames, default=0)
        return finding.code in _NOT_FIRST or first < self._behind


def _with_stalls(
    told: AssociationsOfTime, numbers: set[int], sent: set[tuple[int | None, str | None]]
) -> Iterator[Association]:
    """All that is known of some, with the stalls of the time; directions with data are noted."""
    for whole, part in told.both(numbers):
        for way, side in ((Dir.A2B.value, whole.a), (Dir.B2A.value, whole.b)):
            if side.data:
                sent.add((whole.assoc, way))
        yield replace(
            whole,
            a=replace(whole.a, delivery=part.a.delivery),
            b=replace(whole.b, delivery=part.b.delivery),
        )
