# SPDX-License-Identifier: BSD-2-Clause
"""One end of an association in a time: of what is known of it in all, and of rows of the time."""

from collections.abc import Sequence
from dataclasses import replace

from sctp_rack.names import Ended
from sctp_rack.recovery.delivery import Delivery, delivery
from sctp_rack.recovery.gathering import DirectionSums, Recovered
from sctp_rack.summary.data_of_time import DataOfTime
from sctp_rack.summary.sacks_of_time import SacksOfTime
from sctp_rack.summary.summary import Association, Side


class SidesOfTime:
    """Of a capture whose latest frame is at `last_ns`, when all rows were added."""

    def __init__(
        self, data: DataOfTime, sacks: SacksOfTime, recovered: Recovered, last_ns: int | None
    ) -> None:
        self._data = data
        self._sacks = sacks
        self._recovered = recovered
        self._last_ns = last_ns

    def told(self, associations: Sequence[Association]) -> list[Association]:
        """What some did in the time; many at once cost less."""
        sides = [
            (2 * one.assoc + at, side)
            for one in associations
            for at, side in enumerate((one.a, one.b))
        ]
        sums = self._recovered.in_time([place for place, side in sides if side.data])
        return [
            replace(
                one,
                a=self._side(one, one.a, 2 * one.assoc, sums),
                b=self._side(one, one.b, 2 * one.assoc + 1, sums),
            )
            for one in associations
        ]

    def _side(
        self, association: Association, whole: Side, place: int, every: dict[int, DirectionSums]
    ) -> Side:
        data, sums = self._data.of(place, whole.data), every.get(place)
        open_ = association.how_ended == Ended.OPEN
        last_ns = self._last_ns if open_ else association.last_time_ns
        return replace(
            whole,
            chunks={
                **(self._data.chunks(place) if whole.data else {}),
                **(self._sacks.chunks(place) if whole.sacks else {}),
            },
            data=data,
            sacks=self._sacks.of(place) if whole.sacks else None,
            flow=None,
            recovery=sums.recovery if sums and whole.recovery and (data or _saw(sums)) else None,
            delivery=self._delivery(place, sums, last_ns) if sums and whole.delivery else None,
        )

    def _delivery(self, place: int, sums: DirectionSums, last_ns: int | None) -> Delivery | None:
        goodput = self._data.delivered(place).rate
        told = delivery(sums.served, goodput, last_ns)
        there = goodput is not None or told.stalls or told.messages or sums.kinds
        return told if there else None


def _saw(sums: DirectionSums) -> bool:
    """Whether anything was told of data that was sent before."""
    return sums.recovery.rtt is not None or sums.recovery.rack.marks > 0
