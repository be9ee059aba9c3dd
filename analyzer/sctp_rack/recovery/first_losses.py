# SPDX-License-Identifier: BSD-2-Clause
"""Which lost transmission is the first of its TSN that was lost, as they come in their order.

Room goes with the losses that are not repaired yet, not with their number.
"""

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import Rows
from sctp_rack.binding.words import words_of
from sctp_rack.names import Kind, Outcome
from sctp_rack.recovery.fragments import NEVER

#: Kinds that nobody sent, by their numbers.
DUPLICATES = [
    words_of("kind").index(one) for one in (Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE)
]

#: So many are kept before those that were acknowledged meanwhile are forgotten.
_ROOM = 4096


class FirstLosses:
    """Takes rows of `transmissions` of associations that are followed."""

    def __init__(self) -> None:
        #: By association, sender and TSN when it was acknowledged.
        self._lost: dict[tuple[int, int, int], int] = {}
        self._room = _ROOM

    def of(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Of each row whether it is one."""
        lost = rows["outcome"] == words_of("outcome").index(Outcome.LOST)
        lost &= ~np.isin(rows["kind"], DUPLICATES)
        first = np.zeros(len(rows), np.bool_)
        for at in np.flatnonzero(lost).tolist():
            row = rows[at]
            key = int(row["assoc"]), int(row["from"]), int(row["tsn"])
            # Of a TSN that was numbered anew (RFC 6525) the first copy is another chunk.
            if row["prev_row"] == 0 or key not in self._lost:
                first[at] = True
            self._lost[key] = int(row["acked_time_ns"]) if row["acked_frame"] else NEVER
            if len(self._lost) > self._room:
                self._forget(int(row["time_ns"]))
        return first

    def _forget(self, now_ns: int) -> None:
        self._lost = {key: acked for key, acked in self._lost.items() if acked > now_ns}
        self._room = max(_ROOM, 2 * len(self._lost))
