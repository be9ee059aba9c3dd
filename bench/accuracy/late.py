# SPDX-License-Identifier: BSD-2-Clause
"""Which originals come late to a tap: a higher TSN of their direction came before."""

from collections.abc import Iterable

from .truths import Record

_HALF, _ALL = 1 << 31, 1 << 32


def late_originals(transmissions: Iterable[Record], tap: str) -> set[tuple[int, int]]:
    """Their frames and TSNs, which wrap around: higher is what is less than half of them ahead."""
    seen = [record for record in transmissions if record["frames"].get(tap)]
    highest: dict[str, int] = {}
    late = set()
    for record in sorted(seen, key=lambda one: (one["frames"][tap], _ahead(one, seen[0]))):
        before = highest.get(record["dir"])
        if before is None or 0 < (record["tsn"] - before) % _ALL < _HALF:
            highest[record["dir"]] = record["tsn"]
        elif not record["retransmission"]:
            late.add((record["frames"][tap], record["tsn"]))
    return late


def _ahead(record: Record, first: Record) -> int:
    """Chunks of a packet are in the order of their TSNs."""
    return int((record["tsn"] - first["tsn"] + _HALF) % _ALL)
