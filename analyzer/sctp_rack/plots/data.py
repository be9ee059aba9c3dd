# SPDX-License-Identifier: BSD-2-Clause
"""The rows of one direction as graphs need them: times in seconds, TSNs on a straight line."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sctp_rack.columns.table import Table
from sctp_rack.errors import UsageError
from sctp_rack.names import ENUMS, Kind
from sctp_rack.plots.drawable import Drawable
from sctp_rack.plots.graph import Between, Words
from sctp_rack.plots.sequence import Places, Scale, beside, unwrapped

#: What a graph needs of a capture.
TABLES = (
    *("transmissions", "sacks", "rtt_samples", "paths"),
    *("rack_marks", "rack_state", "probes", "storms", "limits"),
)

#: And of the kind `latency` besides.
OF_MESSAGES = ("messages",)

#: And of the C rows of its large tables, which are half as wide without the rest.
FIELDS = {
    "transmissions": (
        *("time_ns", "acked_time_ns", "evidence", "frame", "assoc", "copy", "tsn", "bytes"),
        *("trigger_frame", "acked_frame", "from", "kind", "outcome"),
        *("cause", "cause_class", "verdict", "verdict_class"),
    ),
    "sacks": (
        *("time_ns", "lists", "reneged", "frame", "assoc", "cum_tsn", "a_rwnd", "from", "kind"),
        *("newly_acked_bytes", "rtxq_bytes", "rtxq_necessary_bytes"),
        *("gaps", "nr_gaps", "dups", "reneged_count", "repeats"),
    ),
    "rack_state": (
        *("srtt_ns", "min_rtt_ns", "rto_ns", "pto_ns", "cwnd_hint_bytes", "frame", "profile"),
    ),
}

Seconds = npt.NDArray[np.float64]


class Rows:
    """A table, its times since the first frame of the capture, and its TSNs on the axis."""

    def __init__(self, data: "Data", table: Table, time: str = "time_ns") -> None:
        self.table = table
        self._numbers: dict[tuple[str, float], npt.NDArray[Any]] = {}
        self.time = data.seconds(table[time]) if time else np.zeros(0)

    def __len__(self) -> int:
        return len(self.table)

    def codes(self, name: str) -> npt.NDArray[np.int16]:
        """Of an enum: -1 where it is null."""
        return self.table.codes(name)

    def words(self, name: str) -> Words:
        """Of an enum."""
        return Words(self.codes(name), [*(one.value for one in _enum(self.table, name)), ""])

    def is_(self, name: str, *words: str) -> npt.NDArray[np.bool_]:
        """Where an enum has one of these words."""
        spelled = [one.value for one in _enum(self.table, name)]
        return np.isin(self.codes(name), [spelled.index(word) for word in words])

    def numbers(self, name: str, null: float = 0) -> npt.NDArray[Any]:
        """A column of numbers."""
        if (name, null) not in self._numbers:
            self._numbers[name, null] = np.ma.filled(self.table[name], null)
        return self._numbers[name, null]

    def floats(self, name: str) -> npt.NDArray[np.float64]:
        """A column of numbers, NaN where it is null."""
        values = self.table[name]
        floats = np.ma.getdata(values).astype(np.float64)
        if np.ma.is_masked(values):
            floats[np.ma.getmaskarray(values)] = np.nan
        return floats


def _enum(table: Table, name: str) -> Any:
    from sctp_rack.tables import TABLES as COLUMNS

    kind = next(column.type for column in COLUMNS[table.name] if column.name == name)
    return ENUMS[kind.partition(":")[2]]


class Events(NamedTuple):
    """First transmissions and acknowledgements in the order of their frames."""

    time: Seconds
    frame: npt.NDArray[Any]
    #: Row of `sacks`; -1 for a transmission.
    sack: npt.NDArray[np.int32]
    #: User data of all transmissions up to this.
    sent_bytes: npt.NDArray[np.float64]


class Data:
    """A direction, ready to be drawn. Raises `UsageError` where nothing in it can be."""

    def __init__(
        self, direction: Drawable, unit: str = "tsn", between: Between = (None, None)
    ) -> None:
        self.direction = direction
        self._between = between
        self._start = direction.begins_ns or 0
        self._unit = unit
        self._rows: dict[str, Rows] = {}
        times = self.sent.table["time_ns"]
        if not len(times):
            raise UsageError(
                f"nothing to draw: no DATA in direction {direction.name} of association "
                f"{direction.assoc}"
            )
        if np.ma.is_masked(times):
            raise UsageError("nothing to draw: packets of this capture have no time")

    def seconds(self, time_ns: npt.NDArray[Any]) -> Seconds:
        """Since the first frame of the capture, as Wireshark shows it; NaN for no time."""
        seconds: Seconds = (np.ma.getdata(time_ns) - self._start) / 1e9
        if np.ma.is_masked(time_ns):
            seconds[np.ma.getmaskarray(time_ns)] = np.nan
        return seconds

    def rows(self, name: str, time: str = "time_ns") -> Rows:
        """The rows of a table of this direction; of `rack_state` those of RACK-TLP."""
        if name not in self._rows:
            ours = self.direction
            table = ours.rack_tlp if name == "rack_state" else ours.table(name)
            self._rows[name] = Rows(self, table, time)
        return self._rows[name]

    @cached_property
    def sent(self) -> Rows:
        """Transmissions."""
        return self.rows("transmissions")

    @cached_property
    def sacks(self) -> Rows:
        """Acknowledgements."""
        return self.rows("sacks")

    @cached_property
    def tsn(self) -> npt.NDArray[np.uint32]:
        """Of transmissions, absolute."""
        return self.sent.table["tsn"]

    @cached_property
    def places(self) -> Places:
        """Of transmissions: distance from the lowest TSN."""
        places = unwrapped(self.tsn)
        places -= places.min()
        return places

    @cached_property
    def base(self) -> int:
        """The TSN at place 0."""
        return int(self.tsn[int(self.places.argmin())])

    @cached_property
    def scale(self) -> Scale:
        """From places to the axis."""
        return Scale(self.places, self.sent.numbers("bytes"), self._unit == "bytes")

    def extent(self) -> tuple[float, float]:
        """What is shown: unless told, from the first DATA to the last acknowledgement, and a
        little more."""
        begin, end = self._between
        first = float(self.sent.time.min())
        last = float(max(self.sent.time.max(), np.nan_to_num(self.sacks.time).max(initial=first)))
        margin = max((last - first) * 0.02, 1e-6)
        shown = first - margin if begin is None else begin, last + margin if end is None else end
        if not (shown[0] < shown[1] and shown[0] <= last and first <= shown[1]):
            raise UsageError(
                f"nothing to draw {_between_text(begin, end)}: the data of direction "
                f"{self.direction.name} lasts from {first:.3f} s to {last:.3f} s"
            )
        return shown

    def shown_places(self) -> tuple[int, int]:
        """The lowest and the highest place of what was sent in the time that is shown."""
        begin, end = self.extent()
        places = self.places[(self.sent.time >= begin) & (self.sent.time <= end)]
        if not len(places):
            places = self.places
        return int(places.min()), int(places.max())

    def place(self, tsn: npt.NDArray[Any], time: Seconds) -> Places:
        """Of TSNs named at a time: the way round that is nearest to what was sent then."""
        near = np.clip(np.searchsorted(self._sorted_times, time, side="right") - 1, 0, None)
        at = near if isinstance(self._by_time, slice) else self._by_time[near]
        return beside(tsn, self.tsn[at], self.places[at])

    @cached_property
    def _by_time(self) -> npt.NDArray[np.integer[Any]] | slice:
        times = self.sent.time
        if (times[1:] >= times[:-1]).all():
            return slice(None)
        return np.argsort(times, kind="stable")

    @cached_property
    def _sorted_times(self) -> Seconds:
        return self.sent.time[self._by_time]

    @cached_property
    def cum(self) -> Places:
        """Of acknowledgements: the place of the cumulative TSN."""
        return self.place(self.sacks.table["cum_tsn"], self.sacks.time)

    @cached_property
    def first(self) -> npt.NDArray[np.bool_]:
        """Transmissions that are the first of their TSN at this tap."""
        first: npt.NDArray[np.bool_] = self.sent.numbers("copy") == 1
        first &= ~self.sent.is_("kind", Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE)
        return first

    @cached_property
    def first_sent_and_sacks(self) -> Events:
        """What changes how much is outstanding."""
        sacks, sent = self.sacks, self.sent
        first = np.flatnonzero(self.first)
        frame = np.concatenate([sent.numbers("frame")[first], sacks.numbers("frame")])
        # Stable: in a frame that has both, the SACK stands behind the data that it cannot know.
        order = np.argsort(frame, kind="stable")
        sack = np.concatenate([np.full(len(first), -1), np.arange(len(sacks))]).astype(np.int32)
        grows = np.concatenate([sent.numbers("bytes")[first], np.zeros(len(sacks))])[order]
        time = np.concatenate([sent.time[first], sacks.time])[order]
        return Events(time, frame[order], sack[order], np.cumsum(grows))


def _between_text(begin: float | None, end: float | None) -> str:
    parts = [
        None if begin is None else f"from {begin:g} s",
        None if end is None else f"to {end:g} s",
    ]
    return " ".join(part for part in parts if part)
