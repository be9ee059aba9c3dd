# SPDX-License-Identifier: BSD-2-Clause
"""The associations of a session, each of what the core has of it."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi, lib
from sctp_rack.binding.session import Session
from sctp_rack.binding.words import cause_name, chunk_name, words
from sctp_rack.names import Dir, Ended, Started
from sctp_rack.recovery.gathering import DirectionSums, Place, Recovered
from sctp_rack.recovery.window import Window
from sctp_rack.summary.crowd import divided
from sctp_rack.summary.side import addresses_of, side_of, time_or_none
from sctp_rack.summary.summary import Association, Reported, Unanswered

#: Associations that are made together.
_TOGETHER = 64

_STARTED, _ENDED = ([word.value for word in enum] for enum in (Started, Ended))


class Associations(Sequence[Association]):
    """Those of a session: each is made when it is asked for, and kept by nobody.

    A hundred small ones take the room of one that is made. Of a crowd of them nothing is told by
    itself: what tells of all adds `others` to what `crowd` comes to.
    """

    def __init__(self, session: Session, recovered: Recovered) -> None:
        self._session = session
        self._recovered = recovered
        self.crowd, self._others = divided(session, recovered.sent_again())
        self._numbers = np.fromiter((one.number for one in session.associations), np.uint32)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Association]:
        return self._one_by_one(self._numbers)

    @property
    def others(self) -> Iterator[Association]:
        """All that are not in the crowd, in their order."""
        return self._one_by_one(self._others)

    def numbered(self, numbers: Sequence[int]) -> list[Association]:
        """Those with these numbers."""
        return list(self._made(list(numbers))) if numbers else []

    def meeting(self, window: Window) -> Iterator[int]:
        """Numbers of those with frames in a time."""
        for number in self._numbers.tolist():
            one = self._session.association(number)
            begin_ns, end_ns = (time_or_none(at) for at in (one.first_time_ns, one.last_time_ns))
            if begin_ns is not None and window.meets(begin_ns, end_ns):
                yield number

    def unanswered(self) -> Iterator[Unanswered]:
        """Of the crowd those whose INIT was never answered."""
        for number in self.crowd.unanswered:
            one = self._session.association(number)
            inits = lib.sr_side_chunks(one.side, lib.SR_CHUNK_INIT)
            end = next(iter(addresses_of(one.side[1])), "?")
            last_ns = time_or_none(one.last_time_ns)
            yield Unanswered(f"{end}:{one.side[1].port}", inits, one.first_frame, last_ns)

    def _one_by_one(self, numbers: npt.NDArray[np.uint32]) -> Iterator[Association]:
        for at in range(0, len(numbers), _TOGETHER):
            yield from self._made(numbers[at : at + _TOGETHER].tolist())

    @overload
    def __getitem__(self, at: int) -> Association: ...

    @overload
    def __getitem__(self, at: slice) -> list[Association]: ...

    def __getitem__(self, at: int | slice) -> Association | list[Association]:
        if isinstance(at, slice):
            return list(self._made(self._numbers[at].tolist()))
        return next(self._made([int(self._numbers[at])]))

    def _made(self, numbers: list[int]) -> Iterator[Association]:
        sums = self._recovered.of(numbers)
        for number in numbers:
            yield _association(self._session, self._session.association(number), sums)


def _association(
    session: Session, association: Any, recovered: dict[Place, DirectionSums]
) -> Association:
    a, b = association.side[0], association.side[1]
    number = association.number
    open_ = _ENDED[association.ended] == Ended.OPEN
    last_ns = time_or_none(session.totals.latest_ns if open_ else association.last_time_ns)
    sides = [
        side_of(session, side, session.figures(number, at), recovered.get((number, way)), last_ns)
        for at, side, way in ((0, a, Dir.A2B), (1, b, Dir.B2A))
    ]
    return Association(
        assoc=number,
        a=sides[0],
        b=sides[1],
        features=words("feature", association.features | (a.init_features & b.init_features)),
        first_frame=association.first_frame,
        last_frame=association.last_frame,
        last_time_ns=time_or_none(association.last_time_ns),
        packets=association.packets,
        how_started=_STARTED[association.started],
        how_ended=_ENDED[association.ended],
        several_interfaces=association.several_interfaces,
        two_taps=lib.sr_has_two_taps(association),
        reported=[_reported(association.errors.kept[i]) for i in range(association.errors.kinds)],
        reported_more=association.errors.more,
    )


def _reported(error: Any) -> Reported:
    return Reported(
        chunk=chunk_name(error.chunk) or str(error.chunk),
        side="ab"[getattr(error, "from")],
        cause=error.cause if error.has_cause else None,
        cause_name=cause_name(error.cause) if error.has_cause else None,
        reason=_reason(ffi.addressof(error)),
        reflected=error.reflected,
        count=error.count,
        first_frame=error.first_frame,
    )


def _reason(error: Any) -> str | None:
    length = ffi.new("uint32_t *")
    begin = lib.sr_error_reason(error, length)
    return None if begin == ffi.NULL else bytes(ffi.buffer(begin, length[0])).decode()
