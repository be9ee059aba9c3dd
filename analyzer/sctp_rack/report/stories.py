# SPDX-License-Identifier: BSD-2-Clause
"""Which TSNs a report tells the story of: few, and those that tell most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction
from sctp_rack.capture import Capture
from sctp_rack.columns.table import Table
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.names import MEANINGS, Cause, Kind, Verdict
from sctp_rack.story.explain import explain
from sctp_rack.story.story import Story
from sctp_rack.story.which_tsn import Place
from sctp_rack.summary.direction_lines import VERDICT
from sctp_rack.wording.causes import family
from sctp_rack.wording.durations import duration


@dataclass(frozen=True)
class ChosenStory:
    """A story and why it is told."""

    why: str
    story: Story


def stories(
    capture: Capture, direction: Direction, findings: Sequence[CaptureFinding], most: int
) -> list[ChosenStory]:
    """Of a direction and the findings on it; the capture must have `explain.TABLES`."""
    again = direction.told("transmissions").where(kind=Kind.RETRANSMISSION.value)
    if np.ma.is_masked(direction.transmissions["time_ns"]):
        return []  # a story is told by times
    tsns, chosen = again["tsn"], dict[int, str]()
    for why, row in _telling(direction, again, findings) if len(again) else ():
        chosen.setdefault(int(tsns[row]), why)
    return [
        ChosenStory(why, explain(capture, Place(direction.assoc, direction.name, tsn)))
        for tsn, why in list(chosen.items())[:most]
    ]


def _telling(
    direction: Direction, again: Table, findings: Sequence[CaptureFinding]
) -> Iterator[tuple[str, int]]:
    """Rows: the first of each finding, the longest wait, the first of each verdict and cause."""
    frames = again["frame"].astype(np.int64)
    for finding in findings:
        rows = np.searchsorted(frames, finding.frames, side="right") - 1
        if len(rows := rows[frames[rows] == finding.frames]):
            yield f"an example: {MEANINGS['finding'][finding.code]}", int(rows[0])
    waits = _waits(direction, again)
    longest = int(waits.argmax())
    if waits[longest] >= 0:
        yield (
            f"the longest wait for being sent again, {duration(int(waits[longest]))}",
            longest,
        )
    for how, verdict, row in _firsts(again):
        yield f"the first that was sent again {how} and is {verdict}", row


def _firsts(again: Table) -> list[tuple[str, str, int]]:
    """The first row of each family of causes and verdict, and how these read; in their order."""
    causes, verdicts = again.codes("cause"), again.codes("verdict")
    pairs, rows = np.unique(np.stack([causes, verdicts]), axis=1, return_index=True)
    first: dict[tuple[str, str], int] = {}
    for row, cause, verdict in sorted(zip(rows.tolist(), *pairs.tolist(), strict=True)):
        how = family(list(Cause)[cause] if cause >= 0 else Cause.UNKNOWN)
        word = VERDICT[list(Verdict)[verdict] if verdict >= 0 else Verdict.UNDETERMINED]
        first.setdefault((how, word), row)
    return [(how, word, row) for (how, word), row in first.items()]


def _waits(direction: Direction, again: Table) -> npt.NDArray[np.int64]:
    """How long the copy before each was out; -1 where the tap did not see it."""
    rows = direction.transmissions
    frames, times = rows["frame"].astype(np.int64), np.ma.getdata(rows["time_ns"])
    before = np.ma.filled(again["prev_frame"].astype(np.int64), 0)
    at = np.minimum(np.searchsorted(frames, before), len(frames) - 1)
    return np.where(before > 0, np.ma.getdata(again["time_ns"]) - times[at], -1)
