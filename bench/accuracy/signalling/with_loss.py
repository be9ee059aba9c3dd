# SPDX-License-Identifier: BSD-2-Clause
"""Resends claimed and missed in captures with truth (docs/samples.md), by IP-ID and tap."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sctp_rack
from sctp_rack.names import Kind

from bench.accuracy.table import table
from bench.accuracy.truths import TAPS, Run, runs_in


@dataclass
class Resends:
    """Sums over captures."""

    originals: int = 0
    invented: int = 0  #: originals said to be sent again
    seen: int = 0  #: sent again, and an earlier copy is in the capture
    seen_found: int = 0
    unseen: int = 0  #: sent again, and no earlier copy is
    unseen_found: int = 0
    unknowable: int = 0  #: of those sent again, where nobody at that tap can know what was needed
    claimed: int = 0  #: of the unknowable, those said to be sent again

    @property
    def invented_per_million(self) -> float:
        """False retransmissions per million originals."""
        return self.invented * 1e6 / self.originals if self.originals else 0.0


def resends_in(folder: Path) -> dict[tuple[str, str], Resends]:
    """By IP-ID and tap, of every run of a folder."""
    found: dict[tuple[str, str], Resends] = {}
    for run in runs_in(folder):
        for tap in TAPS:
            _add(found.setdefault((run.ip_id, tap), Resends()), run, tap)
    return found


def _add(sums: Resends, run: Run, tap: str) -> None:
    capture = sctp_rack.read(run.capture(tap), tables=["transmissions"], keylog=run.keylog)
    rows = capture.transmissions
    again = {(row["frame"], row["tsn"]) for row in rows if row["kind"] == Kind.RETRANSMISSION}
    before: set[tuple[str, int]] = set()
    for record in run.document["transmissions"]:
        if not (frame := record["frames"].get(tap)):
            continue
        which = (record["dir"], record["tsn"])
        is_seen = which in before
        before.add(which)
        said = (frame, record["tsn"]) in again
        if not record["retransmission"]:
            sums.originals += 1
            sums.invented += said
            continue
        sums.seen += is_seen
        sums.seen_found += is_seen and said
        sums.unseen += not is_seen
        sums.unseen_found += said and not is_seen
        if (record.get("knowable") or {}).get(tap) is False:
            sums.unknowable += 1
            sums.claimed += said


def resends_table(found: dict[tuple[str, str], Resends]) -> str:
    """In Markdown."""
    head = ("IP-ID", "tap", "originals", "invented", "a million", "sent again, copy seen", "found")
    return table((*head, "no copy seen", "found", "unknowable", "claimed"), _rows(found))


def _rows(found: dict[tuple[str, str], Resends]) -> Iterator[tuple[object, ...]]:
    for (kind, tap), sums in found.items():
        per_million = f"{sums.invented_per_million:,.0f}"
        yield (
            *(kind, tap, f"{sums.originals:,}", sums.invented, per_million),
            *(sums.seen, sums.seen_found, sums.unseen, sums.unseen_found),
            *(sums.unknowable, sums.claimed),
        )
