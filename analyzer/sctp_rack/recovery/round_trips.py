# SPDX-License-Identifier: BSD-2-Clause
"""Times of one kind, as round trips: count and extremes of all, and enough of them for ranks."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

#: Kept of a kind, of eight bytes each; of more, those at even distances.
MOST = 1 << 17

_LONGEST = np.iinfo(np.int64).max
_NONE = np.zeros(0, np.int64)


class RoundTrips:
    """Nanoseconds, in the order of the capture."""

    def __init__(self, rtts_ns: Sequence[int] | npt.NDArray[np.int64] = ()) -> None:
        self.count = 0
        self.least = _LONGEST
        self.most = 0
        self._kept = _NONE
        #: One of so many is kept, from the first on: a power of two.
        self._every = 1
        if len(rtts_ns):
            self.add(np.asarray(rtts_ns, np.int64))

    def add(self, rtts_ns: npt.NDArray[np.int64]) -> None:
        """Some more, at least one."""
        next_kept = -self.count % self._every
        self.count += len(rtts_ns)
        self.least = min(self.least, int(rtts_ns.min()))
        self.most = max(self.most, int(rtts_ns.max()))
        new = rtts_ns[next_kept :: self._every]
        # A copy: what was given may be part of more.
        self._kept = np.concatenate([self._kept, new])
        while len(self._kept) > MOST:
            self._kept = self._kept[::2].copy()
            self._every *= 2

    def quantiles(self, *shares: float) -> list[int]:
        """Some that were measured (the nearest ranks): exact for up to `MOST`."""
        ranked = np.sort(self._kept)
        return [int(ranked[max(math.ceil(len(ranked) * share - 1), 0)]) for share in shares]

    @staticmethod
    def median(kinds: Iterable["RoundTrips"]) -> int:
        """Of all together, at least one: exact for up to `MOST` of each kind."""
        some = list(kinds)
        every = max(one._every for one in some)
        kept = np.sort(np.concatenate([one._kept[:: every // one._every] for one in some]))
        middle = len(kept) // 2
        below = kept[middle if len(kept) % 2 else middle - 1]
        return int((float(below) + float(kept[middle])) / 2)
