# SPDX-License-Identifier: BSD-2-Clause
"""The latency of each message in parts that add up to it."""

import numpy as np
import numpy.typing as npt

from sctp_rack.columns.table import Table

Numbers = npt.NDArray[np.float64]

#: In words, in the order of time but for the network, which comes before what holds others back.
PARTS = (
    "until all of it was sent",
    "until it was sent again",
    "the network, and held SACKs",
    "behind messages before it",
)


def parts_ns(messages: Table) -> dict[str, Numbers]:
    """Of rows of `messages`; NaN where a message was not delivered."""
    whole = _floats(messages, "latency_ns")
    sending, recovery, blocked = (
        _floats(messages, name) for name in ("sending_ns", "recovery_ns", "blocked_ns")
    )
    network = whole - sending - recovery - blocked
    return dict(zip(PARTS, (sending, recovery, network, blocked), strict=True))


def _floats(table: Table, name: str) -> Numbers:
    filled: Numbers = np.ma.filled(table[name].astype(np.float64), np.nan)
    return filled
