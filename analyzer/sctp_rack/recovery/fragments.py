# SPDX-License-Identifier: BSD-2-Clause
"""Which chunks are one message: transmissions become runs of chunks, and runs become longer runs.

A run is what is known of chunks that follow each other in one message, so that room does not go
with how many they are. A chunk alone is a run, and so is a retransmission until it meets its chunk.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_ASSOCIATION, NO_TIME, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.names import Cause, Kind, Outcome, Verdict, WaitedFor
from sctp_rack.recovery.by_number import grown

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

#: Chunk flags of DATA and I-DATA (RFC 9260 section 3.3.1).
LAST, FIRST, UNORDERED = 0x01, 0x02, 0x04

#: When what is not acknowledged in this capture was.
NEVER = np.iinfo(np.int64).max

#: Arrays of one length by name, one value for each run.
Runs = dict[str, npt.NDArray[Any]]

#: What is known of a run.
_COLUMNS: dict[str, str] = {
    # Association, sender and whether it is I-DATA; stream, U bit and SSN or MID.
    "side": "i8",
    "of": "i8",
    # TSNs without wrapping, the first and the last; and the same in FSNs, of DATA in TSNs.
    "tsn": "i8",
    "last_tsn": "i8",
    "at": "i8",
    "to": "i8",
    "flags": "u1",
    "ssn": "u2",
    "ppid": "u4",
    "present": "u1",
    # Of the first copies; none in a retransmission.
    "chunks": "i8",
    "bytes": "i8",
    "retransmissions": "i8",
    "frame": "u4",
    "sent_ns": "i8",
    # When the last of it was acknowledged, and the first chunk of it; NEVER: not.
    "acked_ns": "i8",
    "head_acked_ns": "i8",
    # Of what was acknowledged last: its first copy, the last needed one that repaired a loss, and a
    # number of the enum `waited_for`.
    "late_sent_ns": "i8",
    "late_again_ns": "i8",
    "reason": "u1",
    # Chunks of which no copy is known to have arrived; whether FORWARD-TSN told of one.
    "missing": "i8",
    "given_up": "?",
    # Page of the last transmission.
    "page": "i8",
}

#: Bits of `side` and of `of`.
SENDER, I_DATA = 2, 1
STREAM_SHIFT, UNORDERED_SHIFT = 33, 32

#: No FSN, and no distance of two TSNs, reaches beyond.
_REACH = 1 << 33

#: Of a direction of which none was seen.
_NO_TSN = np.iinfo(np.int64).min


def no_runs() -> Runs:
    """None."""
    return {name: np.zeros(0, kind) for name, kind in _COLUMNS.items()}


def chosen(runs: Runs, which: npt.NDArray[Any]) -> Runs:
    """Some of them, by their places or by a flag for each."""
    return {name: values[which] for name, values in runs.items()}


def together(parts: Sequence[Runs]) -> Runs:
    """All, one behind the other."""
    some = [part for part in parts if len(part["side"])]
    if len(some) < 2:
        return some[0] if some else no_runs()
    return {name: np.concatenate([part[name] for part in some]) for name in _COLUMNS}


def _number(enum: str, *those: str) -> list[int]:
    return [words_of(enum).index(word) for word in those]


def _those(enum: str, *those: str) -> Flags:
    """Of each number whether it is one of these words."""
    return np.isin(np.arange(256), _number(enum, *those))


_FIRSTS = _those("kind", Kind.ORIGINAL, Kind.REORDERED, Kind.RETRANSMISSION)
(_AGAIN,) = _number("kind", Kind.RETRANSMISSION)
_TIMERS = _number("cause", Cause.T3, Cause.T3_GBN, Cause.FAILOVER, Cause.HANDSHAKE)
(_WINDOW,) = _number("cause", Cause.ZERO_WINDOW_PROBE)
(_ACKED,) = _number("outcome", Outcome.ACKED)
(_ABANDONED,) = _number("outcome", Outcome.ABANDONED)
_FATELESS = _those("outcome", Outcome.LOST, Outcome.ABANDONED)
(_SPURIOUS,) = _number("verdict", Verdict.SPURIOUS)
_NOTHING, _BY_WINDOW, _BY_LOSS, _BY_TIMEOUT = _number(
    "waited_for", WaitedFor.NOTHING, WaitedFor.WINDOW, WaitedFor.LOSS, WaitedFor.TIMEOUT
)


def is_first(rows: Rows) -> Flags:
    """Of each transmission whether it is the chunk of its message that the others are copies of."""
    there: Flags = (rows["assoc"] != NO_ASSOCIATION) & (rows["copy"] == 1) & _FIRSTS[rows["kind"]]
    return there


class Unwrapped:
    """TSNs of each direction without their wrap (RFC 9260 section 1.6), page by page."""

    def __init__(self) -> None:
        #: The last TSN of each direction, by its number.
        self._bases = np.zeros(0, np.int64)

    def of(self, sides: Numbers, tsns: npt.NDArray[np.uint32]) -> Numbers:
        """Nearest to the last of the page before."""
        order = None if (sides == sides[0]).all() else np.argsort(sides, kind="stable")
        if order is not None:
            sides, tsns = sides[order], tsns[order]
        starts = np.flatnonzero(np.append(True, sides[1:] != sides[:-1]))
        counts = np.diff(np.append(starts, len(sides)))
        names, firsts = sides[starts], tsns[starts].astype(np.int64)
        self._bases = grown(self._bases, int(names.max()), _NO_TSN)
        known = self._bases[names]
        bases = np.repeat(np.where(known == _NO_TSN, firsts, known), counts)
        unwrapped: Numbers = bases + (tsns - bases.astype(np.uint32)).view(np.int32)
        self._bases[names] = unwrapped[starts + counts - 1]
        if order is None:
            return unwrapped
        in_order = np.empty(len(order), np.int64)
        in_order[order] = unwrapped
        return in_order


def runs_of(rows: Rows, unwrapped: Unwrapped, page: int) -> Runs:
    """Each first copy of a page of `transmissions`, and each retransmission, as a run."""
    first, resent = is_first(rows), rows["kind"] == _AGAIN
    kept = first | (resent & (rows["assoc"] != NO_ASSOCIATION))
    if not kept.all():
        rows, first, resent = rows[kept], first[kept], resent[kept]
    if not len(rows):
        return no_runs()
    count, flags, times = len(rows), rows["flags"], rows["time_ns"]
    has_mid = rows["present"] >> words_of("data_field").index("mid") & 1 != 0
    unordered = flags & UNORDERED != 0
    side = rows["assoc"].astype(np.int64) << 2
    side |= rows["from"] * np.uint8(SENDER) | has_mid
    # The SSN of what is unordered means nothing (RFC 9260 section 3.3.1).
    number = np.where(unordered, 0, rows["ssn"]).astype(np.int64)
    tsn = unwrapped.of(side >> 1, rows["tsn"])  # DATA and I-DATA share them
    at = tsn
    if has_mid.any():
        number = np.where(has_mid, rows["mid"], number)
        fsn = np.where(flags & FIRST != 0, 0, rows["fsn"])
        at = np.where(has_mid, fsn, tsn)
    of = rows["sid"].astype(np.int64) << STREAM_SHIFT
    of |= unordered.astype(np.int64) << UNORDERED_SHIFT
    of |= number
    acked = np.where(rows["acked_frame"] != 0, rows["acked_time_ns"], NEVER)
    runs: Runs = {
        "side": side,
        "of": of,
        "tsn": tsn,
        "last_tsn": tsn,
        "at": at,
        "to": at,
        "flags": flags & (FIRST | LAST),
        **{name: rows[name].copy() for name in ("ssn", "ppid", "present", "frame")},
        "chunks": first.astype(np.int64),
        "bytes": rows["bytes"].astype(np.int64),
        "sent_ns": times.copy(),
        "acked_ns": acked,
        "head_acked_ns": acked,
        "late_sent_ns": times.copy(),
        "late_again_ns": np.full(count, NO_TIME),
        **{name: np.zeros(count, _COLUMNS[name]) for name in ("reason", "missing", "given_up")},
        "retransmissions": resent.astype(np.int64),
        "page": np.full(count, page),
    }
    runs["missing"] += first & _FATELESS[rows["outcome"]]
    if resent.any():
        runs["bytes"][~first] = 0
        runs["sent_ns"][~first] = NEVER
        runs["late_sent_ns"][~first] = NO_TIME
        needed = resent & (rows["verdict"] != _SPURIOUS)
        runs["reason"][needed] = _reason(rows["cause"][needed])
        probes = rows["cause"] == _WINDOW
        runs["late_sent_ns"][needed & probes] = times[needed & probes]
        runs["late_again_ns"][needed & ~probes] = times[needed & ~probes]
        # No copy before a needed one was accepted: at most one of those that are needed arrives.
        runs["missing"] -= needed & (rows["outcome"] == _ACKED) & ~first
    runs["given_up"] = rows["outcome"] == _ABANDONED
    return runs


def _reason(cause: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    by_timer = np.isin(cause, _TIMERS)
    return np.where(by_timer, _BY_TIMEOUT, np.where(cause == _WINDOW, _BY_WINDOW, _BY_LOSS))


def folded(runs: Runs) -> Runs:
    """As few runs as there can be, sorted; retransmissions of none of them are left out.

    What was there before stands before what is new.
    """
    if not len(runs["side"]):
        return runs
    order = _order(runs)
    if order is not None:
        runs = chosen(runs, order)
    begins = _begins(runs)
    if begins.all():
        return chosen(runs, runs["chunks"] > 0) if (runs["chunks"] == 0).any() else runs
    starts = np.flatnonzero(begins)
    whole = chosen(runs, starts)
    counts = np.diff(np.append(starts, len(begins)))
    for name in ("chunks", "bytes", "retransmissions", "missing"):
        whole[name] = np.add.reduceat(runs[name], starts)
    for name in ("last_tsn", "to", "acked_ns", "page", "given_up"):
        whole[name] = np.maximum.reduceat(runs[name], starts)
    chunk = runs["chunks"] > 0
    ends = np.where(chunk, runs["flags"] & LAST, 0).astype(np.uint8)
    whole["flags"] |= np.maximum.reduceat(ends, starts)
    late = runs["acked_ns"] == np.repeat(whole["acked_ns"], counts)
    whole["reason"] = np.maximum.reduceat(np.where(late, runs["reason"], _NOTHING), starts)
    for name in ("late_sent_ns", "late_again_ns"):
        whole[name] = np.maximum.reduceat(np.where(late, runs[name], NO_TIME), starts)
    whole["sent_ns"] = np.minimum.reduceat(runs["sent_ns"], starts)
    frames = np.where(chunk, runs["frame"], np.uint32(2**32 - 1))
    whole["frame"] = np.minimum.reduceat(frames, starts)
    return chosen(whole, whole["chunks"] > 0) if (whole["chunks"] == 0).any() else whole


def _order(runs: Runs) -> npt.NDArray[np.intp] | None:
    """By direction and TSN, I-DATA by message before that; None where they are in it."""
    side, tsn = runs["side"], runs["tsn"]
    if (side == side[0]).all() and not side[0] & I_DATA:
        return None if (tsn[1:] >= tsn[:-1]).all() else np.argsort(tsn, kind="stable")
    return np.lexsort((tsn, np.where(side & I_DATA != 0, runs["of"], 0), side))


def _begins(runs: Runs) -> Flags:
    """Of each run, sorted, whether it does not continue, nor repeats, what stands before it."""
    chunk, flags = runs["chunks"] > 0, runs["flags"]
    # A chunk with B begins a message, also where numbers begin anew (RFC 6525).
    apart: Flags = chunk & (flags & FIRST != 0)
    if apart.all():
        return apart
    apart[0] = True
    apart[1:] |= (runs["side"][1:] != runs["side"][:-1]) | (runs["of"][1:] != runs["of"][:-1])
    group = np.cumsum(apart)
    base = runs["at"][apart][group - 1]
    at, to = (np.clip(runs[name] - base, -_REACH, _REACH) for name in ("at", "to"))
    # How far the chunks before it reach, in its group.
    floor = group * (8 * _REACH)
    reached = np.maximum.accumulate(floor + np.where(chunk, to, -3 * _REACH))
    reached = np.append(np.int64(-1), reached[:-1]) - floor
    before = np.maximum.accumulate(np.where(chunk, np.arange(len(chunk)), 0))
    before = np.append(0, before[:-1])
    ended = flags[before] & LAST != 0
    follows = np.where(chunk, (at == reached + 1) & ~ended, at <= reached)
    begins: Flags = apart | ~follows
    return begins


def highest_so_far(apart: Flags, values: Numbers) -> Numbers:
    """The highest value from the last place that is `apart` on."""
    if apart.sum() == 1:
        rising: Numbers = np.maximum.accumulate(values)
        return rising
    levels, ranks = np.unique(values, return_inverse=True)
    ranks = np.cumsum(apart) * len(levels) + ranks.ravel()
    highest: Numbers = levels[np.maximum.accumulate(ranks) % len(levels)]
    return highest
