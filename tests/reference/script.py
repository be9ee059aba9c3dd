# SPDX-License-Identifier: BSD-2-Clause
"""Tells a model a story in few words. Times are in milliseconds, exact to the nanosecond."""

from dataclasses import replace

from sctp_rack.names import Answer, SackKind
from sctp_rack.reference.events import DataChunk, Feedback, ForwardTsn, Transmission
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import Parameters, ReceiverTraits
from sctp_rack.reference.snapshot import WarmStart
from sctp_rack.reference.timeline import ms
from sctp_rack.reference.tsn import Tsn
from sctp_rack.reference.variants import milliseconds

MS = 1_000_000
WARM = WarmStart("p", srtt_ns=100 * MS, rttvar_ns=0, min_rtt_ns=100 * MS, path_min_rtt_ns=100 * MS)


class Script:
    """A model whose path `p` has a round trip of 100 ms, and what it is told."""

    def __init__(
        self, parameters: Parameters, *, warm: bool = True, rtts: dict[str, int] | None = None
    ) -> None:
        receiver = ReceiverTraits(reports_duplicates=Answer.YES)
        if parameters.receiver == ReceiverTraits():
            parameters = replace(parameters, receiver=receiver)
        self.model = RecoveryModel(parameters)
        self.frame = 0
        if warm:
            self.model.warm(WARM)
        for path, rtt in (rtts or {}).items():
            rtt_ns = rtt * MS
            self.model.warm(WarmStart(path, rtt_ns, 0, rtt_ns, rtt_ns))

    def send(self, at: float, *tsns: int, path: str = "p") -> None:
        """Send one packet with these TSNs."""
        self.frame += 1
        chunks = tuple(DataChunk(Tsn(tsn), 1000) for tsn in tsns)
        self.model.data_sent(Transmission(self.frame, milliseconds(str(at)), path, chunks))

    def sack(
        self,
        at: float,
        cum: int,
        *gaps: int,
        dups: tuple[int, ...] = (),
        kind: SackKind = SackKind.SACK,
        a_rwnd: int | None = None,
    ) -> None:
        """Receive a SACK with these single TSNs as gap blocks."""
        self.frame += 1
        self.model.feedback_arrived(
            Feedback(
                self.frame,
                milliseconds(str(at)),
                Tsn(cum),
                gaps=tuple((Tsn(tsn), Tsn(tsn)) for tsn in gaps),
                dups=tuple(Tsn(tsn) for tsn in dups),
                kind=kind,
                a_rwnd_bytes=a_rwnd,
            )
        )

    def marks(self) -> list[tuple[int, int, str]]:
        """Take the marks as TSN, time in milliseconds (floor) and trigger."""
        return [(m.tsn.value, m.time_ns // MS, str(m.trigger)) for m in self.model.take_marks()]

    def forward(self, at: float, new_cum: int) -> None:
        """Send a FORWARD-TSN."""
        self.frame += 1
        self.model.forward_tsn_sent(ForwardTsn(self.frame, milliseconds(str(at)), Tsn(new_cum)))

    def timers(self, path: str = "p") -> dict[str, str]:
        """Return the deadlines of a path's timers that are set, in milliseconds."""
        snapshot = self.model.snapshot(path)
        deadlines = {"t3": snapshot.t3_ns, "pto": snapshot.pto_ns, "reo": snapshot.reo_ns}
        return {name: ms(due_ns) for name, due_ns in deadlines.items() if due_ns is not None}
