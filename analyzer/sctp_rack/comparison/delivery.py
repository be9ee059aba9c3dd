# SPDX-License-Identifier: BSD-2-Clause
"""How long data took: from its first transmission until it was acknowledged, at this tap.

The way of the data and that of the acknowledgement cannot be told apart in one capture, so a round
trip from the tap is in every figure, and how long the receiver held back its answer; behind the tap
of a receiver the way of the data is missing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction
from sctp_rack.columns.table import Table
from sctp_rack.names import MessageState, Outcome

Numbers = npt.NDArray[np.int64]

#: When what is not acknowledged in this capture was.
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Delivered:
    """Of one direction, or of several together."""

    #: Nanoseconds; of each TSN that was acknowledged, and of each message that was deliverable.
    tsns_ns: Numbers
    messages_ns: Numbers
    #: Messages of which something is not acknowledged when the capture ends, or was not captured.
    pending: int
    #: Messages that the sender gave up (RFC 3758).
    given_up: int


def delivered(directions: Iterable[Direction]) -> Delivered:
    """Of directions whose capture has the tables `transmissions` and `messages`."""
    tsns, whole, pending, dropped = [], [], 0, 0
    for direction in directions:
        if not direction.data:
            continue
        rows = direction.told("transmissions")
        acked = np.ma.filled(rows["acked_time_ns"], _NEVER)
        known = (rows["copy"] == 1) & (acked != _NEVER) & ~_given_up(direction.whole, rows)
        tsns.append(acked[known] - np.ma.getdata(rows["time_ns"])[known])
        messages = direction.told("messages")
        whole.append(np.ma.compressed(messages["latency_ns"]))
        dropped += len(messages.where(state=MessageState.ABANDONED.value))
        pending += len(messages.where(state=MessageState.WAITING.value))
        # Of what was not wholly captured the part with its first chunk.
        pending += len(messages.where(state=MessageState.INCOMPLETE.value, begins=True))
    return Delivered(_all(tsns), _all(whole), pending, dropped)


def _given_up(direction: Direction, told: Table) -> npt.NDArray[np.bool_]:
    """For each of some transmissions whether the sender gave up the TSN, and no copy arrived.

    What a FORWARD-TSN (RFC 3758) skips is acknowledged by the cumulative TSN afterwards.
    """
    rows = direction.transmissions
    if not {"FORWARD-TSN", "I-FORWARD-TSN"} & direction.sender.chunks.keys():
        return np.zeros(len(told), dtype=np.bool_)
    missing = np.isin(rows["outcome"], [Outcome.LOST.value, Outcome.ABANDONED.value])
    return ~np.isin(told["tsn"], rows["tsn"][~missing])


def _all(parts: list[Numbers]) -> Numbers:
    """Together; what clocks or the order of the capture make negative is none."""
    together: Numbers = np.concatenate([np.zeros(0, np.int64), *parts])
    return np.maximum(together, 0, out=together)
