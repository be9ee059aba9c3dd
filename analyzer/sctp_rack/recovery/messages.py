# SPDX-License-Identifier: BSD-2-Clause
"""The rows of `messages`: user messages out of judged transmissions, and when each was there.

A message is there when all its chunks are acknowledged; in an ordered stream it waits for the
messages before it as well (RFC 9260 section 6.6, RFC 8260 section 2.2).
"""

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_TIME, NO_WORD, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.names import MessageState, WaitedFor
from sctp_rack.recovery.fragments import (
    FIRST,
    I_DATA,
    LAST,
    NEVER,
    SENDER,
    STREAM_SHIFT,
    UNORDERED_SHIFT,
    Flags,
    Numbers,
    Runs,
    Unwrapped,
    chosen,
    folded,
    highest_so_far,
    no_runs,
    runs_of,
    together,
)

#: Chunks of the capture in which nothing of a message is sent before its row is closed.
PAGE = 65536

#: Streams of which it is kept until when they hold their messages back.
_STREAMS = 1 << 17

#: Of a stream's number (RFC 9260 section 3.3.1).
_SID_BITS = 16

#: Of its latency, in the order of time, what is not the way there and back.
PARTS = ("sending_ns", "recovery_ns", "blocked_ns")

ROW = np.dtype(
    [
        ("assoc", "u4"),
        ("from", "u1"),
        ("sid", "u2"),
        ("ssn", "u2"),
        ("mid", "u4"),
        ("ppid", "u4"),
        ("present", "u1"),
        ("unordered", "u1"),
        ("begins", "u1"),
        ("ends", "u1"),
        ("first_frame", "u4"),
        ("first_tsn", "u4"),
        ("last_tsn", "u4"),
        ("chunks", "u8"),
        ("bytes", "u8"),
        ("retransmissions", "u8"),
        ("sent_ns", "i8"),
        ("delivered_ns", "i8"),
        ("latency_ns", "i8"),
        *((name, "i8") for name in PARTS),
        ("state", "u1"),
        ("waited_for", "u1"),
    ]
)

_STATES = {state: words_of("message_state").index(state) for state in MessageState}
_WINDOW, _HEAD_OF_LINE = (
    words_of("waited_for").index(word) for word in (WaitedFor.WINDOW, WaitedFor.HEAD_OF_LINE)
)


class MessageRows:
    """Takes the rows of `transmissions` in their order and gives those of `messages`.

    `gives_up` has an association and sender (0 or 1) for each side that sent a FORWARD-TSN
    (RFC 3758): what that skips is acknowledged afterwards, although it never arrived. A row is
    closed when nothing of its message was sent for `page` transmissions.
    """

    def __init__(self, gives_up: npt.NDArray[np.int64] | None = None, *, page: int = PAGE) -> None:
        self._gives_up = np.zeros((0, 2), np.int64) if gives_up is None else gives_up
        self._size = page
        self._waiting: list[Rows] = []
        self._page = 0
        self._open = no_runs()
        self._unwrapped = Unwrapped()
        self._held = _Held()

    def add(self, rows: Rows) -> Rows:
        """The messages that are closed by these."""
        closed, at = [np.zeros(0, ROW)], 0
        while len(rows) - at >= (room := self._size - sum(map(len, self._waiting))):
            self._waiting.append(rows[at : at + room])
            at += room
            closed.append(self._turn())
        if at < len(rows):
            self._waiting.append(rows[at:])
        return np.concatenate(closed)

    def end(self) -> Rows:
        """The others; no more come."""
        rest = self._turn()
        return np.concatenate([rest, self._close(np.ones(len(self._open["side"]), np.bool_))])

    def _turn(self) -> Rows:
        """Adds a page, and closes what nothing was added to."""
        self._page += 1
        new = [runs_of(rows, self._unwrapped, self._page) for rows in self._waiting]
        self._waiting = []
        self._open = folded(together([self._open, *new]))
        return self._close(self._open["page"] < self._page)

    def _close(self, closed: Flags) -> Rows:
        runs = self._open
        if not closed.any():
            return np.zeros(0, ROW)
        dropped = self._dropped(runs)
        before_ns = self._held.back(runs, dropped, closed)
        rows = _rows(chosen(runs, closed), dropped[closed], before_ns[closed])
        self._open = chosen(runs, ~closed)
        in_order = (rows["first_frame"][1:] >= rows["first_frame"][:-1]).all()
        return rows if in_order else rows[np.argsort(rows["first_frame"], kind="stable")]

    def _dropped(self, runs: Runs) -> Flags:
        """Whether its sender gave a chunk of it up that did not arrive."""
        if not len(self._gives_up):
            return np.zeros(len(runs["side"]), np.bool_)
        senders = self._gives_up[:, 0] << 1 | self._gives_up[:, 1]
        gone = (runs["missing"] > 0) & ((runs["acked_ns"] != NEVER) | runs["given_up"])
        there: Flags = gone & np.isin(runs["side"] >> 1, senders)
        return there


class _Held:
    """Until when each ordered stream holds its messages back."""

    def __init__(self) -> None:
        #: Of each stream of a direction: up to which TSN messages are closed, and until when these
        #: hold back what lies behind; one more behind each message that is open.
        self._streams = np.zeros(0, np.int64)
        self._tsns = np.zeros(0, np.int64)
        self._until_ns = np.zeros(0, np.int64)

    def back(self, runs: Runs, dropped: Flags, closed: Flags) -> Numbers:
        """When the last of the messages before each was acknowledged.

        Of those that are closed it is kept in mind as far as it may matter to what is not.
        """
        before_ns = np.full(len(closed), NO_TIME)
        ordered = np.flatnonzero(runs["of"] >> UNORDERED_SHIFT & 1 == 0)
        kept = len(self._streams)
        if not len(ordered) + kept:
            return before_ns
        streams = runs["side"][ordered] << _SID_BITS | runs["of"][ordered] >> STREAM_SHIFT
        until = np.where(dropped[ordered], NO_TIME, runs["acked_ns"][ordered])
        # Those kept give their room up one by one: they may be many.
        self._streams = streams = np.concatenate([self._streams, streams])
        self._tsns = tsns = np.concatenate([self._tsns, runs["tsn"][ordered]])
        self._until_ns = until = np.concatenate([self._until_ns, until])
        known = np.concatenate([np.ones(kept, np.bool_), closed[ordered]])
        order = np.lexsort((tsns, streams))
        self._streams = streams = streams[order]
        self._tsns = tsns = tsns[order]
        self._until_ns = until = until[order]
        known = known[order]
        apart = np.ones(len(order), np.bool_)
        apart[1:] = streams[1:] != streams[:-1]
        earlier = np.append(NO_TIME, highest_so_far(apart, until)[:-1])
        earlier[apart] = NO_TIME
        unsorted = np.empty(len(order), np.int64)
        unsorted[order] = earlier
        before_ns[ordered] = unsorted[kept:]
        del order, earlier, unsorted
        since_ns = runs["sent_ns"][~closed].min(initial=NEVER)
        starts = np.flatnonzero(apart | ~known)
        highest = np.maximum.reduceat(np.where(known, until, NO_TIME), starts)
        behind = np.maximum.reduceat(np.where(known, tsns, np.iinfo(np.int64).min), starts)
        matters = np.flatnonzero(highest > since_ns)[-_STREAMS:]
        self._streams = streams[starts[matters]]
        self._tsns, self._until_ns = behind[matters], highest[matters]
        return before_ns


def _split(rows: Rows, runs: Runs, before_ns: Numbers, timed: Flags) -> None:
    """Parts of the latency: each at most what those before it leave of it."""
    sent_ns, again_ns = runs["late_sent_ns"], runs["late_again_ns"]
    left_ns = np.where(timed, rows["latency_ns"], 0)
    steps = (
        (runs["sent_ns"], sent_ns),
        (sent_ns, again_ns),
        (runs["acked_ns"], before_ns),
    )
    for name, (begin_ns, end_ns) in zip(PARTS, steps, strict=True):
        known = timed & (begin_ns != NO_TIME) & (end_ns != NO_TIME) & (end_ns > begin_ns)
        took = np.where(known, end_ns, 0) - np.where(known, begin_ns, 0)
        part = np.minimum(took, left_ns)
        left_ns = left_ns - part
        rows[name] = np.where(timed, part, NO_TIME)


def _rows(runs: Runs, dropped: Flags, before_ns: Numbers) -> Rows:
    rows = np.zeros(len(dropped), ROW)
    side, of = runs["side"], runs["of"]
    rows["assoc"], rows["from"] = side >> 2, side & SENDER != 0
    rows["sid"], rows["unordered"] = of >> STREAM_SHIFT, of >> UNORDERED_SHIFT & 1
    rows["ssn"] = runs["ssn"]
    rows["mid"] = np.where(side & I_DATA != 0, of & 0xFFFFFFFF, 0)
    for name in ("ppid", "present", "chunks", "bytes", "retransmissions", "sent_ns"):
        rows[name] = runs[name]
    rows["begins"], rows["ends"] = runs["flags"] & FIRST != 0, runs["flags"] & LAST != 0
    rows["first_frame"] = runs["frame"]
    rows["first_tsn"], rows["last_tsn"] = runs["tsn"] & 0xFFFFFFFF, runs["last_tsn"] & 0xFFFFFFFF
    whole = (rows["begins"] != 0) & (rows["ends"] != 0)
    done_ns = np.maximum(runs["acked_ns"], before_ns)
    there = whole & ~dropped & (done_ns != NEVER)
    rows["state"] = np.select(
        [dropped, ~whole, there],
        [
            _STATES[MessageState.ABANDONED],
            _STATES[MessageState.INCOMPLETE],
            _STATES[MessageState.DELIVERED],
        ],
        _STATES[MessageState.WAITING],
    )
    rows["delivered_ns"] = np.where(there, done_ns, NO_TIME)
    timed = there & (done_ns != NO_TIME) & (runs["sent_ns"] != NO_TIME)
    took = np.where(timed, done_ns, 0) - np.where(timed, runs["sent_ns"], 0)
    rows["latency_ns"] = np.where(timed, np.maximum(took, 0), NO_TIME)
    _split(rows, runs, before_ns, timed)
    in_pieces = (runs["reason"] == 0) & (runs["late_sent_ns"] > runs["head_acked_ns"])
    waited = np.where(in_pieces, _WINDOW, runs["reason"])
    waited = np.where(before_ns > runs["acked_ns"], _HEAD_OF_LINE, waited)
    rows["waited_for"] = np.where(there, waited, NO_WORD)
    return rows
