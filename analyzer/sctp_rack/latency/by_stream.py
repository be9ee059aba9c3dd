# SPDX-License-Identifier: BSD-2-Clause
"""How late the messages of a direction were, by stream and payload protocol."""

from dataclasses import dataclass

import numpy as np

from sctp_rack.columns.table import Table
from sctp_rack.latency.parts import parts_ns


@dataclass(frozen=True)
class Late:
    """Delivered messages of one stream and protocol, or of all; nanoseconds."""

    #: None for all of a direction.
    sid: int | None
    ppid: int | None
    messages: int
    #: Nearest rank.
    p50_ns: int
    p95_ns: int
    p99_ns: int
    mean_ns: int
    #: Means that add up to it: by `parts.PARTS`.
    parts_ns: list[int]


def by_stream(messages: Table) -> list[Late]:
    """All of a direction first, then, of several, each: those with the latest first.

    Empty where none was delivered.
    """
    delivered = messages.kept(~np.ma.getmaskarray(messages["latency_ns"]))
    if not len(delivered):
        return []
    took = np.ma.getdata(delivered["latency_ns"]).astype(np.int64)
    parts = np.column_stack([*parts_ns(delivered).values()])
    sids = np.ma.getdata(delivered["sid"]).astype(np.int64)
    ppids = np.ma.filled(delivered["ppid"].astype(np.int64), -1)
    every = _late(None, None, took, parts)
    names, which = np.unique(np.column_stack([sids, ppids]), axis=0, return_inverse=True)
    if len(names) == 1:
        sid, ppid = names[0].tolist()
        return [_late(sid, None if ppid < 0 else ppid, took, parts)]
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel()))
    found = [
        _late(sid, None if ppid < 0 else ppid, took[rows], parts[rows])
        for (sid, ppid), rows in zip(names.tolist(), np.split(order, ends[:-1]), strict=True)
    ]
    found.sort(key=lambda late: (-late.p99_ns, -late.p50_ns))
    return [every, *found]


def _late(sid: int | None, ppid: int | None, took: np.ndarray, parts: np.ndarray) -> Late:
    ranks = np.quantile(took, [0.5, 0.95, 0.99], method="inverted_cdf")
    p50_ns, p95_ns, p99_ns = (int(rank) for rank in ranks)
    means = [round(mean) for mean in parts.mean(axis=0).tolist()]
    return Late(sid, ppid, len(took), p50_ns, p95_ns, p99_ns, round(took.mean()), means)
