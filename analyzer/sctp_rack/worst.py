# SPDX-License-Identifier: BSD-2-Clause
"""Which associations are told one by one where there are more than anybody reads: the worst."""

from collections.abc import Sequence

from sctp_rack.names import Kind
from sctp_rack.summary import Association

#: Associations that are all told, and how many are told of more than that.
_ALL, _OF_MORE = 20, 8


def worst(associations: Sequence[Association]) -> list[Association]:
    """All of them in their order; of too many those with most sent again and lost, first the
    worst."""
    if len(associations) <= _ALL:
        return list(associations)
    return sorted(associations, key=_badness, reverse=True)[:_OF_MORE]


def _badness(association: Association) -> tuple[int, int, int]:
    """Chunks sent again, lost, and sent."""
    sides = [side for side in (association.a, association.b) if side.data]
    again = sum(side.data.kinds.get(Kind.RETRANSMISSION, 0) for side in sides if side.data)
    lost = sum(side.recovery.lost for side in sides if side.recovery)
    return again, lost, sum(side.data.chunks for side in sides if side.data)
