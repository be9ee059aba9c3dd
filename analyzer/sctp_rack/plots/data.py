# SPDX-License-Identifier: BSD-2-Clause
"""The rows of one direction as arrays that graphs are made from: times in seconds, TSNs on a straight line."""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction
from sctp_rack.errors import UsageError
from sctp_rack.names import ENUMS, Kind
from sctp_rack.plots.graph import Words
from sctp_rack.plots.sequence import Places, Scale, beside, unwrapped
from sctp_rack.table import Table

#: What a graph needs of a capture.
TABLES = (
    *("transmissions", "sacks", "rtt_samples", "paths"),
    *("rack_marks", "rack_state", "probes", "storms"),
)

Seconds = npt.NDArray[np.float64]


class Rows:
    """A table, its times since the first frame of the capture, and its TSNs on the axis."""

    def __init__(self, data: "Data", table: Table, time: str = "time_ns") -> None:
        self._data = data
        self.table = table
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
        return np.ma.filled(self.table[name], null)

    def floats(self, name: str) -> npt.NDArray[np.float64]:
        """A column of numbers, NaN where it is null."""
        values = self.table[name]
        return np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan)


def _enum(table: Table, name: str) -> Any:
    from sctp_rack.tables import TABLES as COLUMNS

    kind = next(column.type for column in COLUMNS[table.name] if column.name == name)
    return ENUMS[kind.partition(":")[2]]


class Data:
    """A direction, ready to be drawn. Raises `UsageError` where nothing in it can be."""

    def __init__(self, direction: Direction, unit: str = "tsn") -> None:
        self.direction = direction
        self._unit = unit
        times = direction.transmissions["time_ns"]
        if not len(times):
            raise UsageError(
                f"nothing to draw: no DATA in direction {direction.name} of association "
                f"{direction.assoc}"
            )
        if np.ma.is_masked(times):
            raise UsageError("nothing to draw: packets of this capture have no time")
        self._start = direction.begins_ns

    def seconds(self, time_ns: npt.NDArray[Any]) -> Seconds:
        """Since the first frame of the capture, as Wireshark shows it; NaN for no time."""
        values = np.ma.asarray(time_ns)
        seconds = (values.astype(np.int64) - self._start) / 1e9
        return np.asarray(np.ma.filled(seconds, np.nan), dtype=np.float64)

    def rows(self, name: str, time: str = "time_ns") -> Rows:
        """The rows of a table of this direction."""
        return Rows(self, self.direction.table(name), time)

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
        return places - places.min()

    @cached_property
    def base(self) -> int:
        """The TSN at place 0."""
        return int(self.tsn[int(self.places.argmin())])

    @cached_property
    def scale(self) -> Scale:
        """From places to the axis."""
        return Scale(self.places, self.sent.numbers("bytes"), self._unit == "bytes")

    def place(self, tsn: npt.NDArray[Any], time: Seconds) -> Places:
        """Of TSNs that something says at a time: the way round that is nearest to what was sent then."""
        near = np.clip(np.searchsorted(self._sorted_times, time, side="right") - 1, 0, None)
        at = self._by_time[near]
        return beside(tsn, self.tsn[at], self.places[at])

    @cached_property
    def _by_time(self) -> npt.NDArray[np.int64]:
        return np.argsort(self.sent.time, kind="stable")

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
        return (self.sent.numbers("copy") == 1) & ~self.sent.is_(
            "kind", Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE
        )
