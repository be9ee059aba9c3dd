# SPDX-License-Identifier: BSD-2-Clause
"""Tells a model a story in few words. Times are whole milliseconds."""

from dataclasses import replace

from sctp_rack.names import Answer, SackKind
from sctp_rack.reference.events import DataChunk, Feedback, Transmission
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import Parameters, ReceiverTraits
from sctp_rack.reference.snapshot import WarmStart
from sctp_rack.reference.tsn import Tsn

MS = 1_000_000
WARM = WarmStart("p", srtt_ns=100 * MS, rttvar_ns=0, min_rtt_ns=100 * MS, path_min_rtt_ns=100 * MS)


class Script:
    """A model whose path `p` has a round trip of 100 ms, and what it is told."""

    def __init__(self, parameters: Parameters, *, warm: bool = True) -> None:
        receiver = ReceiverTraits(reports_duplicates=Answer.YES)
        if parameters.receiver == ReceiverTraits():
            parameters = replace(parameters, receiver=receiver)
        self.model = RecoveryModel(parameters)
        self.frame = 0
        if warm:
            self.model.warm(WARM)

    def send(self, at: int, *tsns: int) -> None:
        """Send one packet with these TSNs."""
        self.frame += 1
        chunks = tuple(DataChunk(Tsn(tsn), 1000) for tsn in tsns)
        self.model.data_sent(Transmission(self.frame, at * MS, "p", chunks))

    def sack(
        self,
        at: int,
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
                at * MS,
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
