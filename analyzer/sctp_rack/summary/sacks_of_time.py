# SPDX-License-Identifier: BSD-2-Clause
"""What each side acknowledged in a time, of rows of `sacks`: as the core counts all of them."""

import numpy as np

from sctp_rack.binding.rows import Rows
from sctp_rack.binding.words import words_of
from sctp_rack.names import SackKind
from sctp_rack.recovery.by_number import Few
from sctp_rack.recovery.fragments import Unwrapped
from sctp_rack.recovery.tallies import followed, places_of
from sctp_rack.recovery.window import Window
from sctp_rack.summary.summary import Sacks

_KINDS, _ANOMALIES = words_of("sack_kind"), words_of("sack_anomaly")
_SHUTDOWN = _KINDS.index(SackKind.SHUTDOWN)

#: How chunks are called that acknowledge.
_NAMES = {SackKind.SACK: "SACK", SackKind.NR_SACK: "NR-SACK", SackKind.SHUTDOWN: "SHUTDOWN"}

_BLOCKS = ("gaps", "nr_gaps", "dups")

_SUMS = np.dtype(
    [
        ("kinds", "u4", len(_KINDS)),
        ("with_gaps", "u4"),
        ("gaps", "u8"),
        ("nr_gaps", "u8"),
        ("dups", "u8"),
        ("most_blocks", "u4"),
        ("zero_window", "u4"),
        ("malformed", "u4", len(_ANOMALIES)),
        ("malformed_first", "u4"),
        ("first_cum_tsn", "u4"),
        ("highest", "i8"),
    ]
)


class SacksOfTime:
    """By the number of the direction that they go: not that of the data which they acknowledge."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._sums = Few(_SUMS)
        self._unwrapped = Unwrapped()

    def add(self, rows: Rows) -> None:
        """Rows of `sacks` in their order; what is only repeated on the way counts nowhere."""
        rows = self._window.of(followed(rows))
        rows = rows[rows["repeats"] == 0]
        if not len(rows):
            return
        places = self._sums.to_change(places_of(rows))
        sums = self._sums.records
        new = np.flatnonzero(sums["kinds"][places].sum(axis=1) == 0)[::-1]
        cum_tsns = self._unwrapped.of(places_of(rows), rows["cum_tsn"])
        sums["first_cum_tsn"][places[new]] = rows["cum_tsn"][new]
        sums["highest"][places[new]] = cum_tsns[new]
        np.maximum.at(sums["highest"], places, cum_tsns)
        np.add.at(sums["kinds"], (places, rows["kind"]), 1)
        for name in _BLOCKS:
            np.add.at(sums[name], places, rows[name])
        blocks = rows["gaps"].astype(np.uint32) + rows["nr_gaps"]
        np.add.at(sums["with_gaps"], places, blocks > 0)
        np.maximum.at(sums["most_blocks"], places, blocks)
        np.add.at(sums["zero_window"], places, (rows["a_rwnd"] == 0) & (rows["kind"] != _SHUTDOWN))
        self._malformed(rows, places)

    def _malformed(self, rows: Rows, places: np.ndarray) -> None:
        sums = self._sums.records
        wrong = np.flatnonzero(rows["malformed"])[::-1]
        first = wrong[sums["malformed_first"][places[wrong]] == 0]
        sums["malformed_first"][places[first]] = rows["frame"][first]
        for bit in range(len(_ANOMALIES)):
            np.add.at(sums["malformed"][:, bit], places, rows["malformed"] >> bit & 1)

    def of(self, place: int) -> Sacks | None:
        """What was sent in it; None where that is nothing."""
        sums = self._sums.of(place)
        if sums is None or not sums["kinds"].sum():
            return None
        malformed = sums["malformed"].tolist()
        return Sacks(
            chunks=int(sums["kinds"].sum()),
            first_cum_tsn=int(sums["first_cum_tsn"]),
            highest_cum_tsn=int(sums["highest"]) & 0xFFFFFFFF,
            with_gaps=int(sums["with_gaps"]),
            gaps=int(sums["gaps"]),
            nr_gaps=int(sums["nr_gaps"]),
            most_blocks=int(sums["most_blocks"]),
            dups=int(sums["dups"]),
            zero_window=int(sums["zero_window"]),
            malformed={
                word: count for word, count in zip(_ANOMALIES, malformed, strict=True) if count
            },
            malformed_first=int(sums["malformed_first"]) or None,
        )

    def chunks(self, place: int) -> dict[str, int]:
        """Those that were sent in it, by name."""
        sums = self._sums.of(place)
        counts = [0] * len(_KINDS) if sums is None else sums["kinds"].tolist()
        return {
            _NAMES[SackKind(kind)]: count
            for kind, count in zip(_KINDS, counts, strict=True)
            if count
        }
