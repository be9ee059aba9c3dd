# SPDX-License-Identifier: BSD-2-Clause
"""Which associations are told one by one where there are more than anybody reads: the worst."""

from collections.abc import Iterable

from sctp_rack.names import Kind
from sctp_rack.summary.summary import Association

#: Associations that are all told, and how many are told of more than that.
_ALL, _OF_MORE = 20, 8


def worst(associations: Iterable[Association]) -> list[Association]:
    """All of them in their order; of too many those with most sent again and lost, first the
    worst."""
    found = Worst()
    for one in associations:
        found.add(one)
    return found.shown


class Worst:
    """Of associations that are added to `some` that are not worse of so many."""

    def __init__(self, some: Iterable[Association] = (), count: int = 0) -> None:
        self.count = count
        self._kept = list(some)

    def add(self, association: Association) -> None:
        """One more."""
        self.count += 1
        self._kept.append(association)
        if len(self._kept) > 4 * _ALL:
            self._kept = self.shown

    @property
    def shown(self) -> list[Association]:
        """All of few in their order, of many the worst."""
        if self.count <= _ALL:
            return sorted(self._kept, key=lambda one: one.assoc)
        return sorted(self._kept, key=_badness, reverse=True)[:_OF_MORE]


def _badness(association: Association) -> tuple[int, int, int, int]:
    """Chunks sent again, lost, and sent; of those alike the first is told."""
    sides = [side for side in (association.a, association.b) if side.data]
    again = sum(side.data.kinds.get(Kind.RETRANSMISSION, 0) for side in sides if side.data)
    lost = sum(side.recovery.lost for side in sides if side.recovery)
    sent = sum(side.data.chunks for side in sides if side.data)
    return again, lost, sent, -association.assoc
