# SPDX-License-Identifier: BSD-2-Clause
"""What associations come to together of which no finding tells by itself: the core adds them up.

Of a hundred thousand most are so. What each of the others tells is found in `looks.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi, lib
from sctp_rack.names import Checksum, Ended, Started
from sctp_rack.session import Session


@dataclass(frozen=True)
class Crowd:
    """Sums, and numbers of associations; frames are the lowest."""

    #: Those with data or acknowledgements.
    talking: int = 0
    #: Of them, by what the enums `started` and `ended` say.
    started: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    #: Of their data: chunks, user data, different TSNs, and those that were acknowledged.
    chunks: int = 0
    bytes: int = 0
    tsns: int = 0
    acked: int = 0
    #: Whether any data was acknowledged.
    answered: bool = False
    #: Of whose ends only one was captured, which sent data.
    one_way: int = 0
    one_way_frames: list[int] = field(default_factory=list)
    #: Those without data and acknowledgements.
    quiet: int = 0
    #: TSNs that were not acknowledged for longer than any receiver waits.
    overdue_tsns: int = 0
    overdue_frames: list[int] = field(default_factory=list)
    #: Packets and frames by the enum `checksum`.
    checksums: dict[str, int] = field(default_factory=dict)
    checksum_frames: dict[str, list[int]] = field(default_factory=dict)
    #: The first that talk and those that send most, and the first that are quiet.
    of_talking: list[int] = field(default_factory=list)
    of_quiet: list[int] = field(default_factory=list)
    #: Those whose INIT was never answered.
    unanswered: list[int] = field(default_factory=list)


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
    return Crowd(
        talking=crowd.with_data,
        started=dict(zip(Started, crowd.started, strict=True)),
        ended=dict(zip(Ended, crowd.ended, strict=True)),
        chunks=crowd.chunks,
        bytes=crowd.bytes,
        tsns=crowd.tsns,
        acked=crowd.acked,
        answered=crowd.answered,
        one_way=crowd.one_way,
        one_way_frames=_lowest(crowd.one_way_frames),
        quiet=crowd.without_data,
        overdue_tsns=crowd.overdue_tsns,
        overdue_frames=_lowest(crowd.overdue_frames),
        checksums=dict(zip(Checksum, crowd.checksums, strict=True)),
        checksum_frames={
            word: _lowest(crowd.checksum_frames[at]) for at, word in enumerate(Checksum)
        },
        of_talking=sorted({*list(crowd.first)[:some], *list(crowd.largest)[:most]}),
        of_quiet=list(crowd.without)[:quiet],
        unanswered=unanswered,
    )


def _lowest(lowest: Any) -> list[int]:
    return list(lowest.frames)[: lowest.count]
