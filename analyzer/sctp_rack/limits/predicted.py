# SPDX-License-Identifier: BSD-2-Clause
"""What rate a transfer would have had with other buffers: what waited for windows, imagined so."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from sctp_rack.binding.imagined import Transfer
from sctp_rack.columns.table import Row
from sctp_rack.limits.alike import unseen
from sctp_rack.names import Limit

#: A transfer that takes a fifth more or less than imagined is not explained: then it is said how
#: much shorter it would become, not how long it would be.
_EXPLAINED = (0.8, 1.25)

#: Of the time that a transfer took: of those that it may have been, what is imagined to take so
#: much longer or shorter than the nearest is as near.
_AS_NEAR = 0.005


#: Packets of which all that is imagined takes a fraction of a second; a longer transfer goes on as
#: it did until then.
_ENOUGH = 100_000

#: Runs that differ by a twentieth at most are as good as alike.
_ALIKE = 1.05


@dataclass(frozen=True)
class Predicted:
    """A rate in bit/s, and the least and the most of those that it may be."""

    rate: float
    least: float
    most: float
    #: Whether they differ by what T3-rtx of usrsctp finds outstanding when it expires.
    by_timer: bool = False


def predicted(
    intervals: Sequence[Row],
    acked: int,
    limits: Sequence[Limit],
    alike: Iterable[Transfer],
    other: Callable[[Transfer], Transfer],
) -> Predicted | None:
    """Of transfers as alike as a capture can tell them apart; what waits for no window stays.

    None where not a packet fits the windows.
    """
    whole_ns = intervals[-1]["end_ns"] - intervals[0]["begin_ns"]
    bound_ns = time_of(row for row in intervals if row["limit"] in limits)
    rates: list[float] = []
    by_timer = False
    for one, scale in _explaining(alike, bound_ns):
        lasting = [_lasts_ns(another) for another in unseen(other(one))]
        known = [lasts_ns for lasts_ns in lasting if lasts_ns is not None]
        if len(known) < len(lasting):
            return None
        rates += [8e9 * acked / (whole_ns - bound_ns + scale * lasts_ns) for lasts_ns in known]
        by_timer = by_timer or max(known) > _ALIKE * min(known)
    return Predicted(median(rates), min(rates), max(rates), by_timer) if rates else None


def _explaining(alike: Iterable[Transfer], bound_ns: int) -> Iterator[tuple[Transfer, float]]:
    """Those that come nearest to the time that it took, and what of theirs it took."""
    ratios = [
        (one, min((bound_ns / lasts_ns for lasts_ns in lasting), key=_off))
        for one in alike
        if (lasting := [ns for each in unseen(one) if (ns := _lasts_ns(each))])
    ]
    nearest = min((_off(ratio) for _, ratio in ratios), default=0.0)
    least, most = _EXPLAINED
    for one, ratio in ratios:
        if _off(ratio) <= nearest + _AS_NEAR:
            yield one, 1.0 if least <= ratio <= most else ratio


def _lasts_ns(one: Transfer) -> int | None:
    parts = max(1, one.packets // _ENOUGH)
    few = replace(
        one, packets=one.packets // parts, bytes=one.bytes // parts, chunks=one.chunks // parts
    )
    lasts_ns = few.lasts_ns()
    return None if lasts_ns is None else parts * lasts_ns


def _off(ratio: float) -> float:
    return abs(1 - 1 / ratio)


def time_of(rows: Iterable[Row]) -> int:
    """All of it together, in nanoseconds."""
    return sum(row["end_ns"] - row["begin_ns"] for row in rows)
