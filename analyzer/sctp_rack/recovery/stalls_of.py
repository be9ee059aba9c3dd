# SPDX-License-Identifier: BSD-2-Clause
"""The stalls of all directions: a direction's only one takes little room until it is looked at.

Most have one, where nothing was acknowledged, or none.
"""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from sctp_rack.recovery.by_number import Few
from sctp_rack.recovery.fragments import NEVER
from sctp_rack.recovery.stalls import Stall, Stalls

_ONLY = np.dtype([("tsn", "u4"), ("frame", "u4"), ("begin_ns", "i8"), ("end_ns", "i8")])


class StallsOf:
    """By the number of the direction."""

    def __init__(self) -> None:
        #: Of frame 0: none, or it is among those below.
        self._only = Few(_ONLY)
        self._several: dict[int, Stalls] = {}

    def begin(self, some: Iterable[tuple[int, Stall]]) -> None:
        """Some more, each with its direction, to none of which anything was added yet."""
        new: defaultdict[int, list[Stall]] = defaultdict(list)
        for place, stall in some:
            new[place].append(stall)
        only = {}
        for place, stalls in new.items():
            several = self.to_change(place)
            if several is None and len(stalls) == 1:
                only[place] = stalls[0]
                continue
            several = several or self._several.setdefault(place, Stalls())
            for stall in stalls:
                several.begin(stall)
        self._keep(only)

    def _keep(self, only: dict[int, Stall]) -> None:
        """Of directions that had none."""
        at = self._only.to_change(np.array(list(only), np.int64))
        self._only.records[at] = np.array(
            [
                (one.tsn, one.frame, one.begin_ns, NEVER if one.end_ns is None else one.end_ns)
                for one in only.values()
            ],
            _ONLY,
        )

    def places(self) -> set[int]:
        """Directions that may have one."""
        return {*self._only.known(0, None).tolist(), *self._several}

    def to_change(self, place: int) -> Stalls | None:
        """Those of a direction, to add to; None without."""
        stalls = self._several.get(place)
        if stalls is None and (only := self._only.of(place)) is not None and only["frame"]:
            stalls = self._several[place] = self.of(place)
            only["frame"] = 0
        return stalls

    def of(self, place: int) -> Stalls:
        """Those of a direction, to look at."""
        if stalls := self._several.get(place):
            return stalls
        stalls = Stalls()
        if (only := self._only.of(place)) is not None and only["frame"]:
            tsn, frame, begin_ns, end_ns = only.tolist()
            stalls.begin(Stall(tsn, frame, begin_ns, None if end_ns == NEVER else end_ns))
        return stalls
