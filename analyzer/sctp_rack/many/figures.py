# SPDX-License-Identifier: BSD-2-Clause
"""What a capture comes to in one row, beside others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.names import Severity, Verdict
from sctp_rack.summary.opening import Headline
from sctp_rack.summary.summary import Association, Summary


@dataclass(frozen=True)
class CaptureRow:
    """Figures of one capture; all but its name and error are None where nothing was read of it."""

    capture: str
    #: Why it could not be read, or only up to there; None otherwise.
    error: str | None = None
    frames: int | None = None
    #: SCTP packets.
    packets: int | None = None
    associations: int | None = None
    duration_ns: int | None = None
    #: DATA and I-DATA chunks, and retransmissions among them.
    chunks: int | None = None
    retransmissions: int | None = None
    #: Retransmissions by their verdict.
    spurious: int | None = None
    needed: int | None = None
    undetermined: int | None = None
    #: Transmissions that were lost.
    lost: int | None = None
    #: T3-rtx timeouts that made retransmissions.
    timeouts: int | None = None
    #: Tail loss probes.
    probes: int | None = None
    #: The longest time in which nothing more could be delivered although data was outstanding.
    longest_stall_ns: int | None = None
    #: Findings by severity.
    errors: int | None = None
    warnings: int | None = None
    notes: int | None = None
    #: The sentence that `analyze` opens with.
    headline: str | None = None

    @property
    def lost_share(self) -> float | None:
        """Of the chunks; None without any."""
        return self.lost / self.chunks if self.chunks and self.lost is not None else None

    def has(self, severity: Severity) -> bool:
        """Whether it has a finding of this severity or a worse one."""
        counts = (self.notes, self.warnings, self.errors)
        return any(counts[list(Severity).index(severity) :])


class Figures:
    """Of a capture, to whose crowd all other associations are added.

    A crowd has no verdicts and no stalls. The headline, which is written by somebody else, has the
    sums that it needs itself.
    """

    def __init__(self, summary: Summary, headline: Headline) -> None:
        self._summary = summary
        self._headline = headline
        self._verdicts = Counter[str]()
        self._timeouts = self._probes = self._stall_ns = 0

    def add(self, association: Association) -> None:
        """One more."""
        for side in (association.a, association.b):
            if side.delivery and side.delivery.longest:
                self._stall_ns = max(self._stall_ns, side.delivery.longest.length_ns)
            if recovery := side.recovery:
                self._timeouts += recovery.timeouts
                self._probes += sum(recovery.probes.values())
                for verdict, classes in recovery.verdicts.items():
                    self._verdicts[verdict] += sum(classes.values())

    def row(self, findings: Sequence[CaptureFinding]) -> CaptureRow:
        """When all were added."""
        summary = self._summary
        first_ns, last_ns = summary.first_time_ns, summary.last_time_ns
        severities = Counter(finding.severity for finding in findings)
        return CaptureRow(
            capture=summary.capture,
            error=summary.stopped if summary.broken else None,
            frames=summary.frames,
            packets=summary.packets,
            associations=len(summary.associations),
            duration_ns=None if first_ns is None or last_ns is None else last_ns - first_ns,
            chunks=self._headline.chunks,
            retransmissions=self._headline.retransmissions,
            spurious=self._verdicts[Verdict.SPURIOUS],
            needed=self._verdicts[Verdict.NEEDED],
            undetermined=self._verdicts[Verdict.UNDETERMINED],
            lost=self._headline.lost,
            timeouts=self._timeouts,
            probes=self._probes,
            longest_stall_ns=self._stall_ns,
            errors=severities[Severity.ERROR],
            warnings=severities[Severity.WARNING],
            notes=severities[Severity.NOTE],
            headline=self._headline.text,
        )
