# SPDX-License-Identifier: BSD-2-Clause
"""Times of many kinds, each kind a number: twelve bytes a time, and objects for those with many."""

import numpy as np
import numpy.typing as npt

from sctp_rack.recovery.round_trips import RoundTrips

#: Of a kind with more times they are summed up, in an object of its own.
_FEW = 64

#: Times that wait until they are sorted by kind.
_WAITING = 1 << 15


class Times:
    """In the order of the capture."""

    def __init__(self) -> None:
        #: Sorted by kind.
        self._kinds = np.zeros(0, np.int32)
        self._times = np.zeros(0, np.int64)
        self._waiting: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]] = []
        self._room = _WAITING
        self._many: dict[int, RoundTrips] = {}

    def add(self, kinds: npt.NDArray[np.int64], times: npt.NDArray[np.int64]) -> None:
        """Some more, each with its kind."""
        if len(times):
            self._waiting.append((kinds.astype(np.int32), times.copy()))
            self._room -= len(times)
            if self._room < 0:
                self._sort()

    def between(self, first: int, beyond: int) -> dict[int, RoundTrips]:
        """Those of the kinds from `first` to before `beyond` that have any."""
        if self._waiting:
            self._sort()
        at, end = self._kinds.searchsorted(np.array([first, beyond], np.int32)).tolist()
        found: dict[int, RoundTrips] = {}
        if at < end:
            kinds = self._kinds[at:end].tolist()
            for kind in dict.fromkeys(kinds):
                begin = at + kinds.index(kind)
                found[kind] = RoundTrips(self._times[begin : begin + kinds.count(kind)])
        if self._many:
            kinds = [kind for kind in range(first, beyond) if kind in self._many]
            found.update((kind, self._many[kind]) for kind in kinds)
        return found

    def _sort(self) -> None:
        kinds = np.concatenate([self._kinds, *(kinds for kinds, _ in self._waiting)])
        times = np.concatenate([self._times, *(times for _, times in self._waiting)])
        self._waiting = []
        order = np.argsort(kinds, kind="stable")
        kinds, times = kinds[order], times[order]
        starts = np.flatnonzero(np.append(True, kinds[1:] != kinds[:-1]))
        counts = np.diff(np.append(starts, len(kinds)))
        known = np.isin(kinds[starts], list(self._many)) if self._many else np.False_
        many = (counts > _FEW) | known
        for at in np.flatnonzero(many).tolist():
            own = self._many.setdefault(int(kinds[starts[at]]), RoundTrips())
            own.add(times[starts[at] : starts[at] + counts[at]])
        few = np.repeat(~many, counts)
        self._kinds, self._times = kinds[few], times[few]
        # As many again before the next: so each is sorted a few times, however many there are.
        self._room = max(_WAITING, len(self._kinds))
