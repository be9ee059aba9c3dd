# SPDX-License-Identifier: BSD-2-Clause
"""Both hosts may send data: whose data a row is of, and where the capture is as seen from there.
The tap at the sender of the main data flow is the receiver's tap of what comes back."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .count import Row
from .truths import Record, Run

_OTHER_END = {"sender": "receiver", "middle": "middle", "receiver": "sender"}
_OTHER_WAY = {"a2b": "b2a", "b2a": "a2b"}


@dataclass(frozen=True)
class Flow:
    """The data of one host at one tap of a run."""

    run: Run  #: as seen from that host: its stack is the sender's
    direction: str  #: as truth calls it: a2b, b2a
    captured_at: str  #: the tap, named after the ends of the main data flow
    tap: str  #: the same as seen from this host


def main_direction(run: Run) -> str:
    """Of the main data flow."""
    return "a2b" if run.document["tap_at"]["sender"] == "a" else "b2a"


def flows(run: Run, tap: str) -> list[Flow]:
    """The main one, and the other where that host's data passed the tap."""
    main = main_direction(run)
    back = _OTHER_WAY[main]
    found = [Flow(run, main, tap, tap)]
    if any(one["dir"] == back and one["frames"].get(tap) for one in run.document["transmissions"]):
        found.append(Flow(_turned(run), back, tap, _OTHER_END[tap]))
    return found


def directions_said(run: Run, tap: str, rows: Iterable[Row]) -> dict[str, str]:
    """What truth calls the directions of the rows: where the handshake is missing, a is who is seen
    first."""
    true = _directions(run, tap)
    named = ((row["dir"], true.get((row["frame"], row["tsn"]))) for row in rows)
    return {said: name for said, name in named if name is not None}


def by_direction(run: Run, tap: str, rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each direction. What truth does not know is of the way that it goes, or of the
    main one where its tool does not say."""
    true, main = _directions(run, tap), main_direction(run)
    said = directions_said(run, tap, (row for row in rows if "dir" in row))
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        known = true.get((row["frame"], row["tsn"]))
        found[known or said.get(row.get("dir", ""), main)].append(row)
    return found


def _directions(run: Run, tap: str) -> dict[tuple[int, int], str]:
    sent: list[Record] = [
        *run.document["transmissions"],
        *(record for record, _ in run.repeated),
    ]
    return {(one["frames"][tap], one["tsn"]): one["dir"] for one in sent if one["frames"].get(tap)}


def _turned(run: Run) -> Run:
    """As seen from the other host."""
    document = run.document
    names = ("stack", "stack_version")
    others = {name: document.get(f"receiver_{name}", document[name]) for name in names}
    turned = {f"receiver_{name}": document[name] for name in names}
    return replace(run, document={**document, **others, **turned})
