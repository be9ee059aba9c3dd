# SPDX-License-Identifier: BSD-2-Clause
"""Which TSNs a report tells the story of: few, and those that tell most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.capture import Capture
from sctp_rack.causes import family
from sctp_rack.durations import duration
from sctp_rack.explain import Story, explain
from sctp_rack.finding import CaptureFinding
from sctp_rack.names import MEANINGS, Cause, Kind, Verdict
from sctp_rack.recovery_lines import VERDICT
from sctp_rack.table import Row
from sctp_rack.which_tsn import Place


@dataclass(frozen=True)
class Told:
    """A story and why it is told."""

    why: str
    story: Story


def stories(
    capture: Capture, direction: Direction, findings: Sequence[CaptureFinding], most: int
) -> list[Told]:
    """Of a direction and the findings on it; the capture must have `explain.TABLES`."""
    again = list(direction.transmissions.where(kind=Kind.RETRANSMISSION.value))
    chosen: dict[int, str] = {}
    for why, row in _telling(direction, again, findings):
        chosen.setdefault(row["tsn"], why)
    return [
        Told(why, explain(capture, Place(direction.assoc, direction.name, tsn)))
        for tsn, why in list(chosen.items())[:most]
    ]


def _telling(
    direction: Direction, again: Sequence[Row], findings: Sequence[CaptureFinding]
) -> Iterator[tuple[str, Row]]:
    """The first of each finding, the longest wait, the first of each verdict and cause."""
    by_frame = {row["frame"]: row for row in again}
    for finding in findings:
        if row := next((by_frame[f] for f in finding.frames if f in by_frame), None):
            yield f"an example: {MEANINGS['finding'][finding.code]}", row
    if waits := _waits(direction, again):
        longest = max(waits, key=lambda frame: waits[frame])
        yield (
            f"the longest wait for being sent again, {duration(waits[longest])}",
            by_frame[longest],
        )
    seen = set()
    for row in again:
        how = family(row["cause"] or Cause.UNKNOWN)
        verdict = VERDICT[Verdict(row["verdict"] or Verdict.UNDETERMINED)]
        if (how, verdict) not in seen:
            seen.add((how, verdict))
            yield f"the first that was sent again {how} and is {verdict}", row


def _waits(direction: Direction, again: Sequence[Row]) -> dict[int, int]:
    """By frame of a retransmission: how long the copy before was out."""
    rows = direction.transmissions
    frames, times = rows["frame"].astype(np.int64), np.ma.getdata(rows["time_ns"])
    return {
        row["frame"]: row["time_ns"] - int(times[np.searchsorted(frames, row["prev_frame"])])
        for row in again
        if row["prev_frame"] is not None
    }
