# SPDX-License-Identifier: BSD-2-Clause
"""What each side sent in a time, of rows of `transmissions`: as the core counts all (`side.py`).

A TSN is of the time in which its first copy was sent, so that sums of times that adjoin are those
of both.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_TIME, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.names import Kind, Outcome
from sctp_rack.recovery.by_number import Few
from sctp_rack.recovery.first_losses import DUPLICATES
from sctp_rack.recovery.fragments import Unwrapped
from sctp_rack.recovery.tallies import followed, places_of
from sctp_rack.recovery.window import Window
from sctp_rack.summary.summary import CARRY_DATA, Data

_KINDS = words_of("kind")
_CONFLICTING = _KINDS.index(Kind.CONFLICTING)
_ABANDONED = words_of("outcome").index(Outcome.ABANDONED)
_MID = words_of("data_field").index("mid")

_SUMS = np.dtype(
    [
        ("kinds", "u4", len(_KINDS)),
        #: Of DATA and of I-DATA.
        ("chunks", "u4", 2),
        ("bytes", "u8"),
        ("tsns", "u4"),
        ("acked", "u4"),
        ("acked_bytes", "u8"),
        ("first_tsn", "u4"),
        ("conflicting_frame", "u4"),
        #: TSNs without their wrap; nothing before the first chunk.
        ("lowest", "i8"),
        ("highest", "i8"),
        #: User data that was acknowledged in the time, and of when it was the last of it.
        ("delivered", "u8"),
        ("delivered_ns", "i8"),
        #: When the first data was sent, if any was.
        ("first_ns", "i8"),
        #: Whether data that was sent before it was acknowledged in it or behind it, and whether
        #: data that was sent up to its end was acknowledged behind it.
        ("outstanding_at_begin", "?"),
        ("outstanding_at_end", "?"),
    ]
)


@dataclass(frozen=True, slots=True)
class Delivered:
    """User data of a side that was acknowledged, from its first data to the last feedback.

    Of a time: from its begin, or the first data in it, to its end, or the last feedback in it that
    acknowledges any: while nothing is outstanding, no time counts. None: there is none of it.
    """

    bytes: int
    begin_ns: int | None
    end_ns: int | None

    @property
    def rate(self) -> int | None:
        """Bits per second; None where no time passed."""
        if self.begin_ns is None or self.end_ns is None:
            return None
        took_ns = self.end_ns - self.begin_ns
        return round(8e9 * self.bytes / took_ns) if took_ns > 0 else None


class DataOfTime:
    """By the number of the direction."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._sums = Few(_SUMS)
        self._unwrapped = Unwrapped()

    def add(self, rows: Rows) -> None:
        """Rows of `transmissions` in their order."""
        rows = followed(rows)
        self._count(self._window.of(rows))
        first = (rows["copy"] == 1) & ~np.isin(rows["kind"], [*DUPLICATES, _CONFLICTING])
        self._deliver(rows[first & (rows["acked_frame"] != 0) & (rows["time_ns"] != NO_TIME)])

    def _count(self, rows: Rows) -> None:
        if not len(rows):
            return
        places, sums = self._room(rows)
        np.add.at(sums["kinds"], (places, rows["kind"]), 1)
        conflicting = np.flatnonzero(rows["kind"] == _CONFLICTING)[::-1]
        new = sums["conflicting_frame"][places[conflicting]] == 0
        sums["conflicting_frame"][places[conflicting][new]] = rows["frame"][conflicting][new]
        rows = rows[~np.isin(rows["kind"], DUPLICATES)]
        if not len(rows):
            return
        places, sums = self._room(rows)
        new = np.flatnonzero(sums["chunks"][places].sum(axis=1) == 0)[::-1]
        tsns = self._unwrapped.of(places_of(rows), rows["tsn"])
        sums["first_tsn"][places[new]] = rows["tsn"][new]
        sums["first_ns"][places[new]] = rows["time_ns"][new]
        sums["lowest"][places[new]] = sums["highest"][places[new]] = tsns[new]
        np.minimum.at(sums["lowest"], places, tsns)
        np.maximum.at(sums["highest"], places, tsns)
        np.add.at(sums["chunks"], (places, rows["present"] >> _MID & 1), 1)
        np.add.at(sums["bytes"], places, rows["bytes"])
        first = (rows["copy"] == 1) & (rows["kind"] != _CONFLICTING)
        acked = first & (rows["acked_frame"] != 0)
        np.add.at(sums["tsns"], places[first], 1)
        np.add.at(sums["acked"], places[acked], 1)
        np.add.at(sums["acked_bytes"], places[acked], rows["bytes"][acked])

    def _deliver(self, rows: Rows) -> None:
        """First copies that were acknowledged. What was given up did not arrive (RFC 3758)."""
        rows = rows[rows["outcome"] != _ABANDONED]
        sent, acked = rows["time_ns"], rows["acked_time_ns"]
        into = self._window.before(sent) & ~self._window.before(acked)
        beyond = ~self._window.behind(sent) & self._window.behind(acked)
        within = self._window.holds(acked)
        met = into | beyond | within
        if not met.any():
            return
        rows, into, beyond, within = rows[met], into[met], beyond[met], within[met]
        places, sums = self._room(rows)
        sums["outstanding_at_begin"][places[into]] = True
        sums["outstanding_at_end"][places[beyond]] = True
        np.add.at(sums["delivered"], places[within], rows["bytes"][within])
        np.maximum.at(sums["delivered_ns"], places[within], rows["acked_time_ns"][within])

    def _room(self, rows: Rows) -> tuple[npt.NDArray[np.int64], np.ndarray]:
        places = self._sums.to_change(places_of(rows))
        return places, self._sums.records

    def of(self, place: int, whole: Data | None) -> Data | None:
        """What a direction sent in it; None where that is nothing.

        How often the numbering was another, all of the capture tells.
        """
        sums = self._sums.of(place)
        if sums is None or whole is None or not sums["chunks"].sum():
            return None
        chunks, tsns = int(sums["chunks"].sum()), int(sums["tsns"])
        return Data(
            chunks=chunks,
            bytes=int(sums["bytes"]),
            tsns=tsns,
            repeated=chunks - tsns,
            acked=int(sums["acked"]),
            acked_bytes=int(sums["acked_bytes"]),
            first_tsn=int(sums["first_tsn"]),
            lowest_tsn=int(sums["lowest"]) & 0xFFFFFFFF,
            highest_tsn=int(sums["highest"]) & 0xFFFFFFFF,
            kinds={
                kind: count
                for kind, count in zip(_KINDS, sums["kinds"].tolist(), strict=True)
                if count
            },
            span_before=whole.span_before,
            resets=whole.resets,
            jumps=whole.jumps,
            conflicting_frame=int(sums["conflicting_frame"]) or None,
        )

    def chunks(self, place: int) -> dict[str, int]:
        """DATA and I-DATA that a direction sent in it, by name."""
        sums = self._sums.of(place)
        counts = [0, 0] if sums is None else sums["chunks"].tolist()
        return {name: count for name, count in zip(CARRY_DATA, counts, strict=True) if count}

    def delivered(self, place: int) -> Delivered:
        """What of a direction was acknowledged in it."""
        sums = self._sums.of(place)
        if sums is None:
            return Delivered(0, None, None)
        begin_ns = end_ns = None
        if sums["outstanding_at_begin"]:
            begin_ns = self._window.begin_ns
        elif sums["chunks"].any():
            begin_ns = int(sums["first_ns"])
        if sums["outstanding_at_end"]:
            end_ns = self._window.end_ns
        elif sums["delivered"]:
            end_ns = int(sums["delivered_ns"])
        return Delivered(int(sums["delivered"]), begin_ns, end_ns)
