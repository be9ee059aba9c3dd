# SPDX-License-Identifier: BSD-2-Clause
"""One association of a capture and its two directions, with their rows."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from sctp_rack.columns.table import Table, table_of
from sctp_rack.names import Dir, Kind
from sctp_rack.recovery.window import Window
from sctp_rack.summary.show import life, tsns
from sctp_rack.summary.summary import Association as Ends
from sctp_rack.summary.summary import Data, Sacks, Side, Summary, Time
from sctp_rack.wording import html
from sctp_rack.wording.counted import many
from sctp_rack.wording.ends import ends_text
from sctp_rack.wording.sketch import sketch


class Direction:
    """The data that one side of an association sends, and what the other acknowledges of it."""

    def __init__(
        self,
        ends: Ends,
        name: Dir,
        tables: dict[str, Table],
        capture: Summary,
        whole: Ends | None = None,
    ) -> None:
        #: Number of the association.
        self.assoc = ends.assoc
        #: `a2b` or `b2a`.
        self.name = name.value
        forth = name == Dir.A2B
        self.sender: Side = ends.a if forth else ends.b
        self.receiver: Side = ends.b if forth else ends.a
        #: When the capture begins, ns since the Unix epoch; None where its frames have no times.
        self.begins_ns = capture.first_time_ns
        #: Path of the capture.
        self.capture = capture.capture
        #: TLP.max_ack_delay of RACK-TLP (RFC 8985 section 7.2): what was told, else 200 ms.
        self.max_ack_delay_ns = capture.max_ack_delay_ns
        self._tables = tables
        self._of = ends, capture, whole or ends

    @property
    def reverse(self) -> "Direction":
        """The other direction of the association."""
        ends, capture, whole = self._of
        other = Dir.B2A if self.name == Dir.A2B else Dir.A2B
        return Direction(ends, other, self._tables, capture, whole)

    @property
    def whole(self) -> "Direction":
        """The same with the numbers of all of the capture, where this has those of a time."""
        _, capture, whole = self._of
        return Direction(whole, Dir(self.name), self._tables, capture).timed(None)

    def timed(self, time: Time | None) -> "Direction":
        """The same of another time, but for its numbers, which stay as they are; None: of all."""
        ends, capture, whole = self._of
        name = Dir(self.name)
        return Direction(ends, name, self._tables, replace(capture, of_time=time), whole)

    @property
    def of_time(self) -> Time | None:
        """The time that its numbers are of; None: all (`Capture.between`)."""
        return self._of[1].of_time

    @property
    def window(self) -> Window:
        """Which rows are of it."""
        time = self.of_time
        return Window(time.begin_ns, time.end_ns) if time else Window()

    @property
    def seconds(self) -> tuple[float | None, float | None]:
        """That time since the first frame, as `plot` takes it."""
        begin, end = (
            None if moment is None else (moment - (self.begins_ns or 0)) / 1e9
            for moment in (self.window.begin_ns, self.window.end_ns)
        )
        return begin, end

    def told(self, name: str) -> Table:
        """As `table`, but the rows of that time alone."""
        rows, window = self.table(name), self.window
        if window.is_all:
            return rows
        begin, end = (
            None if moment is None else np.datetime64(moment, "ns")
            for moment in (window.begin_ns, window.end_ns)
        )
        return rows.between(begin, end)

    @property
    def data(self) -> Data | None:
        """What was sent: chunks, bytes, TSNs, kinds. None without DATA."""
        return self.sender.data

    @property
    def acknowledgements(self) -> Sacks | None:
        """What was acknowledged: chunks, gap blocks, duplicates. None without SACKs."""
        return self.receiver.sacks

    @property
    def retransmissions(self) -> int:
        """DATA chunks that the sender sent again, as far as the capture can tell."""
        return self.data.kinds.get(Kind.RETRANSMISSION, 0) if self.data else 0

    def table(self, name: str) -> Table:
        """The rows of this direction, of a table that has a column `dir`, or of `rack_state`.

        Raises `KeyError` for a table that was not read or has no directions.
        """
        if name == "rack_state":
            return self._states(every=True)
        table = table_of(self._tables, name)
        return table.taken(table.of_direction(self.assoc, self.name))

    def _states(self, every: bool) -> Table:
        """Of `rack_state`: one row for each of `sacks`, or two where a profile is told."""
        sacks, states = (table_of(self._tables, name) for name in ("sacks", "rack_state"))
        mine = sacks.of_direction(self.assoc, self.name).astype(np.int64)
        each = len(states) // max(len(sacks), 1)
        wanted = np.arange(each if every else min(each, 1))
        return states.taken((each * mine[:, None] + wanted).ravel())

    @property
    def rack_tlp(self) -> Table:
        """What RACK-TLP (RFC 8985) knows after each of `sacks`: those rows of `rack_state`."""
        return self._states(every=False)

    @property
    def transmissions(self) -> Table:
        """Its DATA and I-DATA chunks."""
        return self.table("transmissions")

    @property
    def sacks(self) -> Table:
        """The SACKs, NR-SACKs and SHUTDOWNs that acknowledge its data."""
        return self.table("sacks")

    def plot(
        self,
        kind: str = "tsn",
        *,
        unit: Literal["tsn", "bytes"] = "tsn",
        linked: bool = True,
        between: tuple[float | None, float | None] = (None, None),
    ) -> Any:
        """A Plotly figure, which a notebook draws: `sctp_rack.plots.figure` says what there is."""
        from sctp_rack.plots import figure

        return figure(self, kind, unit=unit, linked=linked, between=between)

    def __repr__(self) -> str:
        return f"<Direction {self.name} of association {self.assoc}: {self._line()}>"

    def _line(self) -> str:
        if not self.data:
            return "no data"
        return (
            f"{many(self.data.chunks, 'DATA chunk')}, "
            f"{many(self.retransmissions, 'retransmission')}, "
            f"{self.data.acked:,} of {many(self.data.tsns, 'TSN')} acknowledged"
        )

    def _repr_html_(self) -> str:
        """The numbers, and TSNs over time where the rows are there."""
        parts = [html.title(f"Direction {self.name} of association {self.assoc}", self._line())]
        if self.data:
            parts.append(html.line(tsns(self.data)))
            if "transmissions" in self._tables and "sacks" in self._tables:
                parts.append(sketch(self.transmissions, self.sacks, self.data.lowest_tsn))
        return html.block(*parts)


class Association:
    """An association: numbered from 0 by its first packet; `a` sent the INIT that led to it.

    Two ends that start anew (RFC 9260 section 5.2.2) have a second one; an INIT collision (section
    5.2.1) is one.
    """

    def __init__(
        self, ends: Ends, tables: dict[str, Table], capture: Summary, whole: Ends | None = None
    ) -> None:
        self._ends = ends
        self._whole = whole
        self._capture = capture
        self._tables = tables
        #: The column `assoc` of its rows.
        self.number = ends.assoc
        #: Each side's addresses, port, verification tag, and what it was seen to send.
        self.a: Side = ends.a
        self.b: Side = ends.b
        #: Words of the enum `feature`: what it was seen to use, or both sides said they support.
        self.features = ends.features
        #: 1-based, as Wireshark counts.
        self.first_frame = ends.first_frame
        self.last_frame = ends.last_frame
        self.packets = ends.packets
        #: Words of the enums `started` and `ended`.
        self.how_started = ends.how_started
        self.how_ended = ends.how_ended

    @property
    def a2b(self) -> Direction:
        """What a sends to b."""
        return Direction(self._ends, Dir.A2B, self._tables, self._capture, self._whole)

    @property
    def b2a(self) -> Direction:
        """What b sends to a."""
        return Direction(self._ends, Dir.B2A, self._tables, self._capture, self._whole)

    @property
    def directions(self) -> tuple[Direction, Direction]:
        """Both, a2b first."""
        return self.a2b, self.b2a

    def table(self, name: str) -> Table:
        """The rows of this association. Raises `KeyError` for a table that was not read."""
        return table_of(self._tables, name).where(assoc=self.number)

    def __repr__(self) -> str:
        return f"<Association {ends_text(self._ends)}, {many(self.packets, 'packet')}>"

    def _repr_html_(self) -> str:
        """How it begins and ends, then its directions."""
        features = f"; {', '.join(self.features)}" if self.features else ""
        return html.block(
            html.title(f"Association {ends_text(self._ends)}", f"{life(self._ends)}{features}"),
            *(one._repr_html_() for one in self.directions if one.data),
        )
