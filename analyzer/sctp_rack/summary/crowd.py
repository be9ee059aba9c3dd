# SPDX-License-Identifier: BSD-2-Clause
"""What associations come to together of which no finding tells by itself: the core adds them up.

Of a hundred thousand most are so. What each of the others tells is found in `looks.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi, lib
from sctp_rack.binding.session import Session
from sctp_rack.names import Checksum, Ended, Started

_NONE: Mapping[str, int] = MappingProxyType({})


class Crowd:
    """Sums, and numbers of associations; frames are the lowest. Made plainly: each start waits."""

    #: Those with data or acknowledgements.
    talking = 0
    #: Of them, by what the enums `started` and `ended` say.
    started = ended = _NONE
    #: Of their data: chunks, user data, different TSNs, and those that were acknowledged.
    chunks = bytes = tsns = acked = 0
    #: Whether any data was acknowledged.
    answered = False
    #: Of whose ends only one was captured, which sent data.
    one_way = 0
    one_way_frames: Sequence[int] = ()
    #: Those without data and acknowledgements.
    quiet = 0
    #: TSNs that were not acknowledged for longer than any receiver waits.
    overdue_tsns = 0
    overdue_frames: Sequence[int] = ()
    #: Packets and frames by the enum `checksum`.
    checksums = _NONE
    checksum_frames: Mapping[str, Sequence[int]] = MappingProxyType({})
    #: The first that talk and those that send most, and the first that are quiet.
    of_talking: Sequence[int] = ()
    of_quiet: Sequence[int] = ()
    #: Those whose INIT was never answered.
    unanswered: Sequence[int] = ()


def divided(session: Session, known: Iterable[int]) -> tuple[Crowd, npt.NDArray[np.uint32]]:
    """The crowd, and the numbers of all others, in their order.

    `known` are some of which more is known than the core can tell. The session was read to its end.
    """
    company = np.zeros(session.numbered, np.uint8)
    company[list(known)] = lib.SR_COMPANY_ALONE
    crowd = ffi.new("struct sr_crowd *")
    lib.sr_engine_crowd(session.engine, ffi.from_buffer("uint8_t[]", company), crowd)
    unanswered = np.flatnonzero(company == lib.SR_COMPANY_UNANSWERED)
    others = np.flatnonzero(company == lib.SR_COMPANY_ALONE)
    return _read(crowd, unanswered.tolist()), others.astype(np.uint32)


def _read(crowd: Any, unanswered: list[int]) -> Crowd:
    some = min(crowd.with_data, lib.SR_CROWD_FIRST)
    most = min(crowd.with_data, lib.SR_CROWD_LARGEST)
    quiet = min(crowd.without_data, lib.SR_CROWD_WITHOUT)
    read = Crowd()
    read.talking, read.quiet = crowd.with_data, crowd.without_data
    read.started = dict(zip(Started, crowd.started, strict=True))
    read.ended = dict(zip(Ended, crowd.ended, strict=True))
    read.chunks, read.bytes = crowd.chunks, crowd.bytes
    read.tsns, read.acked = crowd.tsns, crowd.acked
    read.answered = crowd.answered
    read.one_way = crowd.one_way
    read.one_way_frames = _lowest(crowd.one_way_frames)
    read.overdue_tsns = crowd.overdue_tsns
    read.overdue_frames = _lowest(crowd.overdue_frames)
    read.checksums = dict(zip(Checksum, crowd.checksums, strict=True))
    read.checksum_frames = {
        word: _lowest(crowd.checksum_frames[at]) for at, word in enumerate(Checksum)
    }
    read.of_talking = sorted({*list(crowd.first)[:some], *list(crowd.largest)[:most]})
    read.of_quiet = list(crowd.without)[:quiet]
    read.unanswered = unanswered
    return read


def _lowest(lowest: Any) -> list[int]:
    return list(lowest.frames)[: lowest.count]
