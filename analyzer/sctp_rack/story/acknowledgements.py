# SPDX-License-Identifier: BSD-2-Clause
"""What each acknowledgement says of one TSN: left out, or received more than once."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from sctp_rack.columns.table import Table


@dataclass(frozen=True)
class Feedback:
    """What a row of `sacks` says of a TSN."""

    frame: int
    time_ns: int
    kind: str
    cum_tsn: int
    #: It acknowledges a higher TSN and not this one: RFC 9260 section 7.2.4 calls it missing.
    leaves_out: bool
    #: Whether it acknowledges a TSN for the first time, which makes a missing report count.
    news: bool
    #: Times that it reports the TSN as duplicate.
    duplicates: int


class TsnFeedback:
    """All that says anything of a TSN, so kept that each of its copies asks without a search."""

    def __init__(self, feedback: Iterable[Feedback] = ()) -> None:
        #: In the order of the capture; of them those that report the TSN as duplicate, and how
        #: often they do.
        self.all = list(feedback)
        self.duplicates = [one for one in self.all if one.duplicates]
        self.reports = sum(one.duplicates for one in self.duplicates)
        left_out = (one for one in self.all if one.leaves_out)
        self._left_out = sorted(left_out, key=lambda one: one.time_ns)
        self._times = [one.time_ns for one in self._left_out]
        self._news = [0, *accumulate(one.news for one in self._left_out)]

    def left_out(self, begin_ns: int, end_ns: int | None) -> tuple[int, Feedback | None]:
        """How many leave the TSN out from `begin_ns` to before `end_ns`, and the last of them."""
        begin, end = self._between(begin_ns, end_ns)
        return end - begin, self._left_out[end - 1] if end > begin else None

    def news_left_out(self, begin_ns: int, end_ns: int | None) -> int:
        """Of these, how many acknowledge something for the first time."""
        begin, end = self._between(begin_ns, end_ns)
        return self._news[end] - self._news[begin]

    def _between(self, begin_ns: int, end_ns: int | None) -> tuple[int, int]:
        begin = bisect_left(self._times, begin_ns)
        end = len(self._times) if end_ns is None else bisect_left(self._times, end_ns)
        return begin, max(begin, end)


def after(one: int, other: int) -> bool:
    """Whether a TSN comes after another in the serial order of RFC 9260 section 1.6."""
    return 0 < (one - other) % (1 << 32) < 1 << 31


def feedback_on(tsn: int, sacks: Table) -> Iterator[Feedback]:
    """The acknowledgements that leave `tsn` out or report it as duplicate, in their order.

    Part by part: a SACK may have thousands of blocks.
    """
    for part in sacks.parts():
        leaves_out = leaves(tsn, part)
        rows, duplicates = part.items("dups")
        told = np.bincount(rows[duplicates == np.uint32(tsn)], minlength=len(part))
        saying = leaves_out | (told > 0)
        if saying.any():
            few = part.kept(saying)
            columns = [few[name].tolist() for name in ("frame", "time_ns", "kind", "cum_tsn")]
            news = np.ma.filled(few["newly_acked"], 0) > 0
            more = (leaves_out[saying].tolist(), news.tolist(), told[saying].tolist())
            for values in zip(*columns, *more, strict=True):
                yield Feedback(*values)


def leaves(tsn: int, sacks: Table) -> npt.NDArray[np.bool_]:
    """For each whether it has a block above `tsn` and does not cover `tsn`."""
    above = np.zeros(len(sacks), dtype=np.bool_)
    covered = _distance(tsn, sacks["cum_tsn"]) <= 0
    for column in ("gaps", "nr_gaps"):
        rows, blocks = sacks.items(column)
        if len(rows):
            first, last = (_distance(tsn, blocks[:, side]) for side in (0, 1))
            above[rows[last < 0]] = True
            covered[rows[(first >= 0) & (last <= 0)]] = True
    return above & ~covered


def _distance(tsn: int, tsns: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
    """How far `tsn` lies after each, negative before, in the serial order."""
    return (np.uint32(tsn) - tsns.astype(np.uint32)).view(np.int32)
