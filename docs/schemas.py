# SPDX-License-Identifier: BSD-2-Clause
"""python docs/schemas.py [--check]: writes what `--json` writes as JSON Schema, one file a command.

Keys, types and what is said of them are those of the dataclasses that the commands write; words are
those of names.toml. With --check it exits 1 where one of the files is out of date.
"""

import inspect
import json
import re
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from sctp_rack.comparison.measures import Measures
from sctp_rack.comparison.text import DERIVED
from sctp_rack.limits.shares import LimitedDirection
from sctp_rack.names import ENUMS
from sctp_rack.story.story import Story
from sctp_rack.summary.show import SCHEMAS
from sctp_rack.summary.summary import Summary
from sctp_rack.what_if.what_if import WhatIf

FOLDER = Path(__file__).resolve().parent.parent / "analyzer" / "sctp_rack" / "schema"

DRAFT = "https://json-schema.org/draft/2020-12/schema"

#: Fields that hold words of an enum, or counts by word.
WORDS = {
    "Association.features": "feature",
    "Association.how_ended": "ended",
    "Association.how_started": "started",
    "CaptureFinding.code": "finding",
    "CaptureFinding.dir": "dir",
    "CaptureFinding.severity": "severity",
    "Data.kinds": "kind",
    "Delivery.messages": "message_state",
    "Judged.cause": "cause",
    "Judged.evidence": "evidence",
    "Judged.verdict": "verdict",
    "LimitedDirection.dir": "dir",
    "LimitedDirection.parts": "limit",
    "LimitedDirection.vantage": "vantage",
    "Measures.limits_ns": "limit",
    "Measures.vantages": "vantage",
    "OtherAcknowledgements.dir": "dir",
    "Pause.cause": "stall_cause",
    "ProbesSent.outcomes": "probe_outcome",
    "Recovery.cause_classes": "cause",
    "Recovery.causes": "cause",
    "Recovery.outcomes": "outcome",
    "Recovery.probes": "probe",
    "Recovery.spurious_cause_classes": "cause",
    "Recovery.spurious_causes": "cause",
    "Recovery.verdicts": "verdict",
    "Sacks.malformed": "sack_anomaly",
    "Share.limit": "limit",
    "Side.anomalies": "chunk_anomaly",
    "Side.anomalies_first": "chunk_anomaly",
    "Side.checksums": "checksum",
    "Side.checksums_first": "checksum",
    "Story.dir": "dir",
    "Story.vantage": "vantage",
    "Summary.skipped": "skip",
    "Summary.skipped_first": "skip",
    "Way.dup_capable": "answer",
    "Way.profile": "profile",
    "Way.sender_has_rack": "answer",
    "Way.told": "told_what",
    "Way.vantage": "vantage",
    "WithRack.dir": "dir",
    "WithRack.sender_has_rack": "answer",
}

Schema = dict[str, Any]

#: Keys that are there only where they say something.
OPTIONAL = {kind: {"of_time"} for kind in ("Measures", "Summary", "WhatIf")}


class Definitions:
    """Schemas of dataclasses and enums by name, each told once."""

    def __init__(self) -> None:
        self.told: dict[str, Schema] = {}

    def of(self, hint: Any, enum: str | None = None) -> Schema:
        """Of a type; `enum` is what its words are of, wherever they stand in it."""
        origin, arguments = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(one, enum) for one in arguments]}
        if origin in (list, Sequence):
            return {"type": "array", "items": self.of(arguments[0], enum)}
        if origin is dict:
            key, value = arguments
            names = {"pattern": "^[1-5]$"} if key is int else self.of(key, enum)
            return {
                "type": "object",
                "propertyNames": names,
                "additionalProperties": self.of(value),
            }
        if is_dataclass(hint):
            assert isinstance(hint, type)
            return self._dataclass(hint)
        if hint is str and enum:
            return self._enum(enum)
        plain = {str: "string", int: "integer", float: "number", bool: "boolean"}
        return {"type": "null" if hint is types.NoneType else plain[hint]}

    def _dataclass(self, kind: type) -> Schema:
        if kind.__name__ not in self.told:
            self.told[kind.__name__] = {}
            self.told[kind.__name__] = self.object(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def object(self, kind: type, **more: Schema) -> Schema:
        """Of a dataclass, with keys that it has not itself in front."""
        hints, said = get_type_hints(kind), dict(comments(kind))
        properties = dict(more)
        for field in fields(kind):
            one = self.of(hints[field.name], WORDS.get(f"{kind.__name__}.{field.name}"))
            about = said.get(field.name)
            properties[field.name] = {"description": about, **one} if about else one
        return {
            "description": inspect.getdoc(kind),
            "type": "object",
            "required": [
                name for name in properties if name not in OPTIONAL.get(kind.__name__, ())
            ],
            "properties": properties,
        }

    def _enum(self, enum: str) -> Schema:
        self.told.setdefault(enum, {"enum": [word.value for word in ENUMS[enum]]})
        return {"$ref": f"#/$defs/{enum}"}


def comments(kind: type) -> Iterator[tuple[str, str]]:
    """The fields of a dataclass that have a comment `#: …` above them, and what it says."""
    said: list[str] = []
    for line in inspect.getsource(kind).splitlines():
        text = line.strip()
        if text.startswith("#: ") or (text.startswith("# ") and said):
            said.append(text.lstrip("#: "))
        elif said:
            if name := re.match(r"(\w+): ", text):
                yield name[1], " ".join(said)
            said = []


def schemas() -> dict[str, Schema]:
    """By command."""
    return {
        "analyze": _analyze(),
        "explain": _explain(),
        "compare": _compare(),
        "limits": _limits(),
        "whatif": _what_if(),
    }


def _analyze() -> Schema:
    known = Definitions()
    summary = known.object(Summary, schema=_name("analyze"))
    failure = {
        "description": "A capture of which nothing could be read.",
        "type": "object",
        "required": ["schema", "capture", "error"],
        "properties": {
            "schema": _name("analyze"),
            "capture": {"type": "string"},
            "error": {"type": "string"},
        },
    }
    known.told |= {"Summary": summary, "Unreadable": failure}
    either = {"if": {"required": ["error"]}, "then": _ref("Unreadable"), "else": _ref("Summary")}
    return _whole("analyze", "One line of `sctp-rack analyze --json`.", either, known)


def _explain() -> Schema:
    known = Definitions()
    story = known.object(Story, schema=_name("explain"))
    return _whole("explain", "What `sctp-rack explain --json` writes.", story, known)


def _compare() -> Schema:
    known = Definitions()
    hints = {name: get_type_hints(getattr(Measures, name).fget)["return"] for name in DERIVED}
    one = known.object(Measures, capture={"type": "string"})
    derived = {
        name: {"description": inspect.getdoc(getattr(Measures, name)), **known.of(hint)}
        for name, hint in hints.items()
    }
    one["properties"] |= derived
    one["required"] += derived
    known.told["Measures"] = one
    texts = {"type": "array", "items": {"type": "string"}}
    properties = {
        "schema": _name("compare"),
        "captures": {
            "description": "The figures of each; the first is what the others are measured by.",
            "type": "array",
            "items": _ref("Measures"),
        },
        "verdicts": {"description": "One sentence for each but the first.", **texts},
        "cautions": {"description": "What makes the figures hard to compare.", **texts},
    }
    whole = {"type": "object", "required": list(properties), "properties": properties}
    return _whole("compare", "What `sctp-rack compare --json` writes.", whole, known)


def _limits() -> Schema:
    known = Definitions()
    directions = known.of(list[LimitedDirection])
    properties = {
        "schema": _name("limits"),
        "capture": {"type": "string"},
        "directions": {"description": "Those with data.", **directions},
    }
    whole = {"type": "object", "required": list(properties), "properties": properties}
    return _whole("limits", "What `sctp-rack limits --json` writes.", whole, known)


def _what_if() -> Schema:
    known = Definitions()
    whole = known.object(WhatIf, schema=_name("whatif"), capture={"type": "string"})
    return _whole("whatif", "What `sctp-rack whatif --json` writes.", whole, known)


def _whole(command: str, about: str, schema: Schema, known: Definitions) -> Schema:
    said = {**schema, "description": about}
    return {"$schema": DRAFT, "title": SCHEMAS[command], **said, "$defs": known.told}


def _name(command: str) -> Schema:
    return {"const": SCHEMAS[command]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def main(arguments: list[str]) -> int:
    """Writes the files, or with --check says whether they are what they should be."""
    status = 0
    for command, schema in schemas().items():
        path = FOLDER / f"{SCHEMAS[command]}.json"
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        if arguments == ["--check"]:
            if not path.exists() or path.read_text() != text:
                print(f"{path.name}: run `make schemas`", file=sys.stderr)
                status = 1
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
