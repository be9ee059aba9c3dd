# SPDX-License-Identifier: BSD-2-Clause
"""Decides how a test vector, a JSON file, becomes events for the model.

The format is described in tests/vectors/README.md. A frame's number is the event's place in the
list, from 1. What the model cannot see (a packet that was lost on its way to the sender, a chunk
that is neither data nor feedback) keeps its number and is passed over.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sctp_rack.names import Answer, Profile, RttTag, SackKind
from sctp_rack.reference.events import (
    DataChunk,
    Feedback,
    ForwardTsn,
    RttMeasurement,
    Transmission,
    TsnReset,
)
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import PROFILES, Parameters, ReceiverTraits
from sctp_rack.reference.snapshot import WarmStart
from sctp_rack.reference.tsn import Tsn
from sctp_rack.reference.variants import milliseconds, varied

Event = Transmission | Feedback | ForwardTsn | RttMeasurement | TsnReset

DEFAULT_PATH = "p0"
CHUNK_BYTES = 1000
WARM = {"srtt": "100", "rttvar": "0", "min_rtt": "100"}


class VectorError(ValueError):
    """A vector that is not there, or cannot be read. The text says which and what to do."""


@dataclass(frozen=True, slots=True)
class Run:
    """One replay of a vector: a profile, what it is varied by, and what is expected of it."""

    profile: Profile
    changes: dict[str, str]
    events: list[Event]
    warm: list[WarmStart]
    expected: dict[str, Any]

    @property
    def parameters(self) -> Parameters:
        """Return the profile's parameters with the changes; the receiver lists duplicates."""
        receiver = ReceiverTraits(reports_duplicates=Answer.YES)
        return varied(replace(PROFILES[self.profile](), receiver=receiver), self.changes)

    @property
    def until_ns(self) -> int | None:
        """Return how long the clock runs on after the last event, None if it does not."""
        until = self.expected.get("until")
        return None if until is None else milliseconds(until)

    def model(self) -> RecoveryModel:
        """Return a new model, warm, before the first event."""
        model = RecoveryModel(self.parameters)
        for start in self.warm:
            model.warm(start)
        return model


@dataclass(frozen=True, slots=True)
class Vector:
    """A test vector. `data` is the whole file."""

    name: str
    title: str
    story: str
    runs: list[Run]
    data: dict[str, Any]


def load(name_or_path: str, folder: Path | None = None) -> Vector:
    """Read a vector by name (T01) from a folder, or by path; VectorError if that fails.

    Without a folder, tests/vectors of the source tree that this package lies in is taken.
    """
    path = Path(name_or_path)
    if path.suffix != ".json":
        folder = folder or Path(__file__).parents[3] / "tests" / "vectors"
        path = folder / f"{name_or_path}.json"
    if not path.is_file():
        raise VectorError(f"no vector at {path}; give the path of a vector's JSON file")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        runs = [_run(data, run) for run in data["runs"]]
        return Vector(data["id"], data["title"], data["story"], runs, data)
    except (KeyError, ValueError, TypeError) as error:
        raise VectorError(f"{path} is not a vector: {error!r}") from error


def feed(model: RecoveryModel, event: Event) -> None:
    """Give one event to a model."""
    match event:
        case Transmission():
            model.data_sent(event)
        case Feedback():
            model.feedback_arrived(event)
        case ForwardTsn():
            model.forward_tsn_sent(event)
        case RttMeasurement():
            model.rtt_measured(event)
        case TsnReset():
            model.tsn_reset(event)


def _run(data: dict[str, Any], run: dict[str, Any]) -> Run:
    # A null replaces the warm start: a path without any measurement.
    paths = run.get("paths", data.get("paths", {DEFAULT_PATH: {}}))
    parsed = [
        _event(event, frame) for frame, event in enumerate(run.get("events", data["events"]), 1)
    ]
    changes = {key: str(value) for key, value in run.get("parameters", {}).items()}
    return Run(
        profile=Profile(run["profile"]),
        changes=changes,
        events=[event for event in parsed if event is not None],
        warm=[_warm(name, path) for name, path in paths.items() if path is not None],
        expected=run["expected"],
    )


def _warm(name: str, values: dict[str, Any]) -> WarmStart:
    known = {**WARM, **values}
    return WarmStart(
        path=name,
        srtt_ns=milliseconds(known["srtt"]),
        rttvar_ns=milliseconds(known["rttvar"]),
        min_rtt_ns=milliseconds(known["min_rtt"]),
        path_min_rtt_ns=milliseconds(known.get("path_min_rtt", known["min_rtt"])),
        reordering_seen=known.get("reordering_seen", False),
        reo_wnd_mult=known.get("reo_wnd_mult", 1),
    )


def _event(event: dict[str, Any], frame: int) -> Event | None:
    at_ns = milliseconds(event["at"])
    path = event.get("path", DEFAULT_PATH)
    if "send" in event:
        chunks = tuple(_chunk(chunk) for chunk in event["send"])
        return Transmission(frame, at_ns, path, chunks)
    if "sack" in event:
        return None if event.get("lost") else _feedback(event, frame, at_ns)
    if "forward_tsn" in event:
        return ForwardTsn(frame, at_ns, Tsn(event["forward_tsn"]))
    if "rtt" in event:
        return RttMeasurement(at_ns, path, milliseconds(event["rtt"]), RttTag(event["tag"]))
    if "tsn_reset" in event:
        return TsnReset(at_ns, Tsn(event["tsn_reset"]))
    if "outside" in event:
        return None
    raise ValueError(f"event {frame} is of no known kind")


def _chunk(chunk: int | dict[str, Any]) -> DataChunk:
    if isinstance(chunk, int):
        return DataChunk(Tsn(chunk), CHUNK_BYTES)
    return DataChunk(
        Tsn(chunk["tsn"]), chunk.get("bytes", CHUNK_BYTES), ack_now=chunk.get("i", False)
    )


def _feedback(event: dict[str, Any], frame: int, at_ns: int) -> Feedback:
    return Feedback(
        frame=frame,
        time_ns=at_ns,
        cum_tsn=Tsn(event["sack"]),
        gaps=_blocks(event.get("gaps", [])),
        nr_gaps=_blocks(event.get("nr_gaps", [])),
        dups=tuple(Tsn(tsn) for tsn in event.get("dups", [])),
        a_rwnd_bytes=event.get("a_rwnd"),
        kind=SackKind(event.get("kind", "sack")),
        all_non_renegable=event.get("all_non_renegable", False),
        lists_cut=event.get("lists_cut", False),
        overtaken=event.get("overtaken", False),
    )


def _blocks(blocks: list[list[int]]) -> tuple[tuple[Tsn, Tsn], ...]:
    return tuple((Tsn(first), Tsn(last)) for first, last in blocks)
