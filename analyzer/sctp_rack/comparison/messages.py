# SPDX-License-Identifier: BSD-2-Clause
"""User messages out of DATA and I-DATA chunks, and when an application could have had them.

A message is there when all its fragments are acknowledged; in an ordered stream it waits for the
messages before it as well (RFC 9260 section 6.6, RFC 8260 section 2.2).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction
from sctp_rack.names import Outcome

#: Chunk flags of DATA and I-DATA (RFC 9260 section 3.3.1).
_LAST, _FIRST, _UNORDERED = 0x01, 0x02, 0x04

#: When what is not acknowledged in this capture was.
NEVER = np.iinfo(np.int64).max

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Messages:
    """One element for each message of which the first fragment was seen, in no certain order."""

    #: First transmission of the first fragment, nanoseconds since the Unix epoch.
    sent_ns: Numbers
    #: When it could be delivered; NEVER where it could not before the capture ends.
    delivered_ns: Numbers
    #: Whether the sender gave it up (RFC 3758).
    given_up: Flags


@dataclass(frozen=True)
class _Fragments:
    """First copies of the TSNs of a direction, in the order of the fragments of each message."""

    tsn: Numbers
    sid: Numbers
    flags: Numbers
    fsn: Numbers | None
    sent_ns: Numbers
    acked_ns: Numbers
    given_up: Flags
    #: Index of the first fragment of each message.
    starts: Numbers


def messages(direction: Direction) -> Messages:
    """Of the data of a direction whose capture has the table `transmissions`."""
    one = _fragments(direction)
    if not len(one.starts):
        return Messages(one.sent_ns, one.acked_ns, one.given_up)
    ends = np.append(one.starts[1:], len(one.tsn)) - 1
    numbers = one.tsn if one.fsn is None else one.fsn
    whole = (one.flags[ends] & _LAST > 0) & (
        numbers[ends] - numbers[one.starts] == ends - one.starts
    )
    done = np.where(whole, np.maximum.reduceat(one.acked_ns, one.starts), NEVER)
    begun = one.flags[one.starts] & _FIRST > 0
    found = Messages(
        one.sent_ns[one.starts], done, np.logical_or.reduceat(one.given_up, one.starts)
    )
    _hold_back(found, one, begun)
    return Messages(found.sent_ns[begun], found.delivered_ns[begun], found.given_up[begun])


def given_up(direction: Direction) -> Flags:
    """For each of its transmissions whether the sender gave up the TSN, and no copy arrived.

    What a FORWARD-TSN (RFC 3758) skips is acknowledged by the cumulative TSN afterwards.
    """
    rows = direction.transmissions
    if not {"FORWARD-TSN", "I-FORWARD-TSN"} & direction.sender.chunks.keys():
        return np.zeros(len(rows), dtype=np.bool_)
    missing = np.isin(rows["outcome"], [Outcome.LOST.value, Outcome.ABANDONED.value])
    return ~np.isin(rows["tsn"], rows["tsn"][~missing])


def _fragments(direction: Direction) -> _Fragments:
    rows = direction.transmissions
    lowest = direction.data.lowest_tsn if direction.data else 0
    first = rows["copy"] == 1
    # Distance from the lowest TSN: serial numbers wrap (RFC 9260 section 1.6).
    tsn = (rows["tsn"][first] - np.uint32(lowest)).astype(np.int64)
    sid, flags = _filled(rows["sid"][first]), _filled(rows["flags"][first])
    mid = rows["mid"][first]
    if np.ma.count(mid) if np.ma.isMaskedArray(mid) else len(mid):  # I-DATA
        unordered, mid = flags & _UNORDERED, _filled(mid)
        order = np.lexsort((tsn, mid, unordered, sid))
        key = np.stack([sid[order], unordered[order], mid[order]])
        begins = np.append(True, (key[:, 1:] != key[:, :-1]).any(axis=0))[: len(order)]
        fsn = _filled(rows["fsn"][first])[order]
    else:
        order = np.argsort(tsn, kind="stable")
        begins, fsn = flags[order] & _FIRST > 0, None
        begins[:1] = True
    return _Fragments(
        tsn[order],
        sid[order],
        flags[order],
        fsn,
        _filled(rows["time_ns"][first])[order],
        np.ma.filled(rows["acked_time_ns"][first], NEVER).astype(np.int64)[order],
        given_up(direction)[first][order],
        np.flatnonzero(begins),
    )


def _filled(values: npt.NDArray[np.integer]) -> Numbers:
    return np.asarray(np.ma.filled(values, 0), dtype=np.int64)


def _hold_back(found: Messages, one: _Fragments, begun: Flags) -> None:
    """Lets each message of an ordered stream wait for those before it that were not given up."""
    ordered = begun & (one.flags[one.starts] & _UNORDERED == 0)
    streams = one.sid[one.starts]
    at = np.flatnonzero(ordered)
    at = at[np.lexsort((one.tsn[one.starts][at], streams[at]))]
    for stream in np.split(at, np.flatnonzero(np.diff(streams[at])) + 1):
        done = found.delivered_ns[stream]
        waited = np.maximum.accumulate(np.where(found.given_up[stream], 0, done))
        found.delivered_ns[stream] = np.maximum(done, waited)
