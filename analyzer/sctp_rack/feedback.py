# SPDX-License-Identifier: BSD-2-Clause
"""What each acknowledgement says of one TSN: left out, or received more than once."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sctp_rack.table import Row, Table

_HALF = 1 << 31


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


def after(one: int, other: int) -> bool:
    """Whether a TSN comes after another in the serial order of RFC 9260 section 1.6."""
    return 0 < (one - other) % (2 * _HALF) < _HALF


def told_of(tsn: int, sacks: Table) -> Table:
    """Rows among which are all that leave `tsn` out or report it, so that few need a close look."""
    wanted = np.uint32(tsn)
    kept = np.zeros(len(sacks), dtype=np.bool_)
    for column in ("gaps", "nr_gaps"):
        rows, blocks = sacks.items(column)
        if len(rows):
            kept[rows[(blocks[:, 1] - wanted).astype(np.int32) > 0]] = True
    kept &= (wanted - sacks["cum_tsn"]).astype(np.int32) > 0
    rows, duplicates = sacks.items("dups")
    kept[rows[duplicates == wanted]] = True
    return sacks.kept(kept)


def feedback_on(tsn: int, sacks: Iterable[Row]) -> list[Feedback]:
    """The acknowledgements that leave `tsn` out or report it as duplicate, in their order."""
    found = []
    for sack in sacks:
        leaves_out = leaves(tsn, sack)
        duplicates = sack["dups"].count(tsn)
        if leaves_out or duplicates:
            found.append(
                Feedback(
                    frame=sack["frame"],
                    time_ns=sack["time_ns"],
                    kind=sack["kind"],
                    cum_tsn=sack["cum_tsn"],
                    leaves_out=leaves_out,
                    news=bool(sack["newly_acked"]),
                    duplicates=duplicates,
                )
            )
    return found


def leaves(tsn: int, sack: Row) -> bool:
    """Whether an acknowledgement has a block above `tsn` and does not cover `tsn`."""
    if not after(tsn, sack["cum_tsn"]):
        return False
    blocks = [*sack["gaps"], *sack["nr_gaps"]]
    covered = any(not after(first, tsn) and not after(tsn, last) for first, last in blocks)
    return not covered and any(after(last, tsn) for _, last in blocks)
