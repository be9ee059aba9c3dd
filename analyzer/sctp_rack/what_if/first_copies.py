# SPDX-License-Identifier: BSD-2-Clause
"""Which chunks a direction sent, each TSN once, with TSNs on a line that does not wrap."""

from dataclasses import dataclass

import numpy as np

from sctp_rack.columns.table import Table
from sctp_rack.names import Kind

#: DATA chunk flags (RFC 9260 section 3.3.1), also of I-DATA (RFC 8260 section 2.1).
LAST, FIRST, UNORDERED = 0x01, 0x02, 0x04

_DUPLICATES = (Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE)


class TsnLine:
    """Numbers that rise where TSNs wrap (RFC 9260 section 1.6): each is taken near the latest."""

    def __init__(self, first: int) -> None:
        self._latest = first

    def place(self, tsn: int) -> int:
        """Of a TSN, which is less than 2^31 from the one before."""
        self._latest += (tsn - self._latest + 2**31) % 2**32 - 2**31
        return self._latest


@dataclass(frozen=True, slots=True)
class Chunk:
    """The first copy of a TSN that was seen."""

    frame: int
    place: int
    bytes: int
    sid: int
    #: SSN of DATA, MID of I-DATA: the number of its message in its stream.
    message: int
    #: Its place in the message; None of DATA, where TSNs tell.
    fsn: int | None
    flags: int
    #: First feedback that covers it; None without.
    acked_frame: int | None

    @property
    def is_i_data(self) -> bool:
        """RFC 8260."""
        return self.fsn is not None


def of_the_sender(transmissions: Table) -> Table:
    """Without what the network or the capture repeats."""
    repeated = np.isin(transmissions["kind"].astype(str), [kind.value for kind in _DUPLICATES])
    return transmissions.where(~np.ma.filled(repeated, False))


def first_copies(transmissions: Table, line: TsnLine) -> list[Chunk]:
    """In the order of the capture, of the rows of one direction."""
    names = ("frame", "tsn", "bytes", "sid", "ssn", "mid", "fsn", "flags", "acked_frame")
    first = transmissions["first_frame"] == transmissions["frame"]
    rows = transmissions.where(np.ma.filled(first, False))
    columns = [rows[name].tolist() for name in names]
    return [
        Chunk(
            frame=frame,
            place=line.place(tsn),
            bytes=size,
            sid=sid,
            message=ssn if mid is None else mid,
            fsn=None if mid is None else fsn or 0,
            flags=flags,
            acked_frame=acked,
        )
        for frame, tsn, size, sid, ssn, mid, fsn, flags, acked in zip(*columns, strict=True)
    ]
