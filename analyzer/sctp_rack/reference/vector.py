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
    Event,
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

DEFAULT_PATH = "p0"
CHUNK_BYTES = 1000
WARM = {"srtt": "100", "rttvar": "0", "min_rtt": "100"}

# The keys that each kind of event may have besides its own and these two.
EVERY_EVENT = {"at", "tap_at"}
EVENT_KEYS = {
    "send": {"path", "lost", "wire_bytes", "blind_bytes"},
    "sack": {
        *("gaps", "nr_gaps", "dups", "a_rwnd", "kind", "all_non_renegable"),
        *("lost", "overtaken", "lists_cut", "packets"),
    },
    "forward_tsn": set[str](),
    "rtt": {"path", "tag"},
    "tsn_reset": set[str](),
    "outside": set[str](),
}
CHUNK_KEYS = {"tsn", "bytes", "i"}
PATH_KEYS = {*WARM, "path_min_rtt", "reordering_seen", "reo_wnd_mult"}
RUN_KEYS = {"profile", "parameters", "expected", "events", "paths"}
VECTOR_KEYS = {
    *("id", "title", "story", "source", "corrected", "chosen", "tap", "paths", "events", "runs"),
    *("verdicts", "not_checked"),
}


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


#: Where vectors are looked up by name: setup.py copies those of the source tree.
_FOLDERS = (
    Path(__file__).parent / "vectors",
    Path(__file__).parents[3] / "tests" / "vectors",
)


@dataclass(frozen=True, slots=True)
class Vector:
    """A test vector. `data` is the whole file."""

    name: str
    title: str
    story: str
    runs: list[Run]
    not_checked: list[str]
    data: dict[str, Any]


def load(name_or_path: str, folder: Path | None = None) -> Vector:
    """Read a vector by name (T01) from a folder, or by path; VectorError if that fails.

    Without a folder, the vectors that are installed with the package are taken, or tests/vectors of
    the source tree that it lies in.
    """
    path = Path(name_or_path)
    if path.suffix != ".json":
        folder = folder or next(filter(Path.is_dir, _FOLDERS), _FOLDERS[0])
        path = folder / f"{name_or_path}.json"
    if not path.is_file():
        raise VectorError(f"no vector at {path}; give the path of a vector's JSON file")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        _known("a vector", data, VECTOR_KEYS)
        name, title, story = (_text(data[key], key) for key in ("id", "title", "story"))
        runs = [_run(data, run, number) for number, run in enumerate(data["runs"], 1)]
        not_checked = [_text(text, "not_checked") for text in data["not_checked"]]
        if not not_checked:
            raise ValueError("not_checked is empty")
        return Vector(name, title, story, runs, not_checked, data)
    except KeyError as error:
        raise VectorError(f"{path} is not a vector: the key {error} is missing") from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise VectorError(f"{path} is not a vector: {error}") from error


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


def _known(what: str, values: object, known: set[str]) -> None:
    if not isinstance(values, dict):
        raise ValueError(f"{what} is not an object in braces: {values!r}")
    if unknown := sorted(set(values) - known):
        raise ValueError(f"{what} has no key {unknown[0]!r}; there are {', '.join(sorted(known))}")


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a text: {value!r}")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is not a whole number from 0 up")
    return value


def _flag(values: dict[str, Any], key: str) -> bool:
    if not isinstance(value := values.get(key, False), bool):
        raise ValueError(f"{key} is neither true nor false: {value!r}")
    return value


def _tsn(value: object) -> Tsn:
    return Tsn(_whole(value))


def _run(data: dict[str, Any], run: dict[str, Any], number: int) -> Run:
    where = f"run {number}"
    _known(where, run, RUN_KEYS)
    # A null replaces the warm start: a path without any measurement.
    paths = run.get("paths", data.get("paths", {DEFAULT_PATH: {}}))
    _known("paths", paths, set(paths))
    changes = {key: str(value) for key, value in run.get("parameters", {}).items()}
    for key in ("marks", "expectations"):
        if key not in run["expected"]:
            raise ValueError(f"{where} does not say which {key} are expected")
    parsed = Run(
        profile=Profile(run["profile"]),
        changes=changes,
        events=_events(run.get("events", data["events"])),
        warm=[_warm(name, path) for name, path in paths.items() if path is not None],
        expected=run["expected"],
    )
    try:
        _ = parsed.parameters, parsed.until_ns
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    return parsed


def _events(events: list[dict[str, Any]]) -> list[Event]:
    parsed: list[Event] = []
    last_ns = 0
    for frame, event in enumerate(events, 1):
        try:
            at_ns = milliseconds(event["at"])
            if at_ns < last_ns:
                raise ValueError(f"{event['at']} ms is before the event above it")
            read = _event(event, frame, at_ns)
        except KeyError as error:
            raise ValueError(f"event {frame}: the key {error} is missing") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise ValueError(f"event {frame}: {error}") from error
        last_ns = at_ns
        if read is not None:
            parsed.append(read)
    return parsed


def _warm(name: str, values: dict[str, Any]) -> WarmStart:
    _known(f"path {name}", values, PATH_KEYS)
    known = {**WARM, **values}
    return WarmStart(
        path=name,
        srtt_ns=milliseconds(known["srtt"]),
        rttvar_ns=milliseconds(known["rttvar"]),
        min_rtt_ns=milliseconds(known["min_rtt"]),
        path_min_rtt_ns=milliseconds(known.get("path_min_rtt", known["min_rtt"])),
        reordering_seen=_flag(known, "reordering_seen"),
        reo_wnd_mult=_whole(known.get("reo_wnd_mult", 1)),
    )


def _event(event: dict[str, Any], frame: int, at_ns: int) -> Event | None:
    kind = next((kind for kind in EVENT_KEYS if kind in event), None)
    if kind is None:
        raise ValueError(f"it is none of {', '.join(EVENT_KEYS)}")
    _known(f"a {kind}", event, EVERY_EVENT | {kind} | EVENT_KEYS[kind])
    path = _text(event.get("path", DEFAULT_PATH), "path")
    if "send" in event:
        chunks = tuple(_chunk(chunk) for chunk in event["send"])
        return Transmission(frame, at_ns, path, chunks)
    if "sack" in event:
        return None if _flag(event, "lost") else _feedback(event, frame, at_ns)
    if "forward_tsn" in event:
        return ForwardTsn(frame, at_ns, _tsn(event["forward_tsn"]))
    if "rtt" in event:
        return RttMeasurement(at_ns, path, milliseconds(event["rtt"]), RttTag(event["tag"]))
    if "tsn_reset" in event:
        return TsnReset(at_ns, _tsn(event["tsn_reset"]))
    return None


def _chunk(chunk: int | dict[str, Any]) -> DataChunk:
    if isinstance(chunk, int):
        return DataChunk(_tsn(chunk), CHUNK_BYTES)
    _known("a chunk", chunk, CHUNK_KEYS)
    return DataChunk(
        _tsn(chunk["tsn"]), _whole(chunk.get("bytes", CHUNK_BYTES)), ack_now=_flag(chunk, "i")
    )


def _feedback(event: dict[str, Any], frame: int, at_ns: int) -> Feedback:
    return Feedback(
        frame=frame,
        time_ns=at_ns,
        cum_tsn=_tsn(event["sack"]),
        gaps=_blocks(event.get("gaps", [])),
        nr_gaps=_blocks(event.get("nr_gaps", [])),
        dups=tuple(_tsn(tsn) for tsn in event.get("dups", [])),
        a_rwnd_bytes=None if event.get("a_rwnd") is None else _whole(event["a_rwnd"]),
        kind=SackKind(event.get("kind", "sack")),
        all_non_renegable=_flag(event, "all_non_renegable"),
        lists_cut=_flag(event, "lists_cut"),
        overtaken=_flag(event, "overtaken"),
        packets=_whole(event.get("packets", 0)),
    )


def _blocks(blocks: list[list[int]]) -> tuple[tuple[Tsn, Tsn], ...]:
    return tuple((_tsn(first), _tsn(last)) for first, last in blocks)
