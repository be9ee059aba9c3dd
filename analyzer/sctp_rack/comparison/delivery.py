# SPDX-License-Identifier: BSD-2-Clause
"""How long data took: from its first transmission until it was acknowledged, at this tap.

The way of the data and that of the acknowledgement cannot be told apart in one capture, so a round
trip from the tap is in every figure, and how long the receiver held back its answer; behind the tap
of a receiver the way of the data is missing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.comparison.messages import NEVER, Numbers, given_up, messages


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
    """Of directions whose capture has the table `transmissions`."""
    tsns, whole, pending, dropped = [], [], 0, 0
    for direction in directions:
        if not direction.data:
            continue
        rows = direction.transmissions
        acked = np.ma.filled(rows["acked_time_ns"], NEVER)
        known = (rows["copy"] == 1) & (acked != NEVER) & ~given_up(direction)
        tsns.append(acked[known] - np.ma.getdata(rows["time_ns"])[known])
        found = messages(direction)
        there = (found.delivered_ns != NEVER) & ~found.given_up
        whole.append(found.delivered_ns[there] - found.sent_ns[there])
        dropped += int(found.given_up.sum())
        pending += int((~there & ~found.given_up).sum())
    return Delivered(_all(tsns), _all(whole), pending, dropped)


def _all(parts: list[Numbers]) -> Numbers:
    """Together; what clocks or the order of the capture make negative is none."""
    together: Numbers = np.concatenate([np.zeros(0, np.int64), *parts])
    return np.maximum(together, 0, out=together)
