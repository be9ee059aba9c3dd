# SPDX-License-Identifier: BSD-2-Clause
"""Holds all state of one replayed sender, and turns a decision into a mark.

The parts of the model that need more than one path or more than one detector get this.
"""

from sctp_rack.names import Trigger
from sctp_rack.reference.chunk import Chunk
from sctp_rack.reference.events import Expectation, Happening, Mark
from sctp_rack.reference.path import Path
from sctp_rack.reference.pion import PionRack
from sctp_rack.reference.pion_misses import ThirdReports
from sctp_rack.reference.pr_sctp import PartialReliability
from sctp_rack.reference.profiles import Parameters
from sctp_rack.reference.rack import RackParameters
from sctp_rack.reference.recovery import Recovery
from sctp_rack.reference.rtt_samples import KarnFence
from sctp_rack.reference.scoreboard import Scoreboard
from sctp_rack.reference.tlp import Tlp
from sctp_rack.reference.tsn import Tsn, TsnLine, tsn_at
from sctp_rack.reference.usrsctp import SackPath


class Sender:
    """One direction of an association, as one profile's sender has it in its books."""

    def __init__(self, parameters: Parameters) -> None:
        """Start before the first TSN is sent."""
        self.parameters = parameters
        self.paths: dict[str, Path] = {}
        # RFC 8985 §4 scoreboard: one for the connection.
        self.board = Scoreboard(0)
        self.recovery = Recovery()
        self.tlp = Tlp(parameters.tlp) if parameters.tlp else None
        self.pion = PionRack(parameters.pion) if parameters.pion else None
        self.reliability = PartialReliability()
        self.fence = KarnFence()
        self.sacks = SackPath()
        self.third_reports = ThirdReports()
        self.a_rwnd_bytes: int | None = None
        self.largest_packet_bytes = 0
        self.window_probe: tuple[int, ...] = ()
        self.now_ns = 0
        self.feedback_ns = 0
        self.marks: list[Mark] = []
        self.expectations: list[Expectation] = []
        self.happenings: list[Happening] = []
        self._line: TsnLine | None = None

    def path(self, name: str) -> Path:
        """Return a path, new if it was not seen before."""
        if name not in self.paths:
            p = self.parameters
            rack = p.rack or RackParameters()
            self.paths[name] = Path(name, p.rto, rack, p.min_rtt_window_ns, self.fence)
        return self.paths[name]

    def line(self, tsn: Tsn) -> TsnLine:
        """Return the line of sequence numbers; the first TSN that is seen begins it."""
        if self._line is None:
            self._line = TsnLine(tsn)
            self.board = Scoreboard(tsn.value)
        return self._line

    def seq(self, tsn: Tsn) -> int:
        """Return the sequence number of a TSN."""
        return self.line(tsn).seq(tsn)

    def happened(self, event: str) -> None:
        """Write a line of the diary."""
        self.happenings.append(Happening(self.now_ns, event))

    def mark(
        self,
        chunk: Chunk,
        trigger: Trigger,
        by_frame: int | None,
        reo_wnd_ns: int | None = None,
        due_frame: int | None = None,
    ) -> None:
        """Mark a chunk in flight as lost, now.

        `reo_wnd_ns` is the window that decided it. It is due since `due_frame`, feedback before
        `by_frame`, or since that.
        """
        flight = chunk.in_flight
        if flight is None:
            raise ValueError(f"sequence number {chunk.seq} is not in flight")
        path = self.path(chunk.path)
        has_rack = self.parameters.rack is not None
        mark = Mark(
            profile=self.parameters.profile,
            path=chunk.path,
            tsn=tsn_at(chunk.seq),
            copy=chunk.copies,
            frame=flight.sent.frame,
            by_frame=by_frame,
            due_frame=due_frame or by_frame,
            time_ns=self.now_ns,
            trigger=trigger,
            reo_wnd_ns=reo_wnd_ns,
            rack_rtt_ns=path.rack.rtt_ns if has_rack else None,
            min_rtt_ns=path.min_rtt.model_ns(self.now_ns),
        )
        # RFC 8985 §6.2 step 5 once: lost, and not in flight, so not marked again before it is sent.
        self.board.mark_lost(chunk)
        self.marks.append(mark)
        last = self.happenings.pop()
        self.happenings.append(Happening(last.time_ns, last.event, (*last.marks, mark)))
