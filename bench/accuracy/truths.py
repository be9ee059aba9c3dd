# SPDX-License-Identifier: BSD-2-Clause
"""Which captures have a truth, in either form of the truth file, and what kind of run it was."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

TAPS = ("sender", "middle", "receiver")

#: Stacks that report duplicate TSNs when they receive (RFC 9260 section 3.3.4); pion and
#: its ports, sctp-proto and webrtc-rs, never do.
_REPORTS_DUPLICATES = ("usrsctp", "dcsctp", "linux", "aiortc", "npm-sctp", "werift")
#: Stacks whose decisions nobody replays.
_WITHOUT_PROFILE = ("aiortc", "sctp-proto", "webrtc-rs", "npm-sctp", "werift")
#: The first pion with RACK.
_PION_RACK = (1, 9)

#: The lists of a document; a line of NAME.truth.ndjson says of which it is, in the singular.
_LISTS = ("transmissions", "network_duplicates", "capture_duplicates", "stack_marks", "probes")

Record = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """A run of two stacks: its truth document (docs/samples.md) and where its captures are."""

    folder: Path
    document: Record

    @property
    def name(self) -> str:
        return str(self.document["name"])

    @property
    def stack(self) -> str:
        """With its version, and the receiver's where that is another one."""
        name, peer = self.document["stack"], self._peer
        spelled = f"{name} {self.document['stack_version']}"
        return spelled if peer == name else f"{spelled} to {peer}"

    @property
    def sender(self) -> str:
        """The stack of the main data flow, without its version."""
        return str(self.document["stack"])

    @property
    def receiver(self) -> str:
        """`dup-reporting` or `silent`: whether the receiver tells of duplicates."""
        return "dup-reporting" if self._peer in _REPORTS_DUPLICATES else "silent"

    @property
    def _peer(self) -> str:
        return str(self.document.get("receiver_stack", self.document["stack"]))

    @property
    def profile(self) -> str | None:
        """The profile of docs/tables.md that replays its sender; None where none does."""
        name = str(self.document["stack"])
        version = tuple(int(part) for part in self.document["stack_version"].split("."))
        without = name in _WITHOUT_PROFILE or (name == "pion" and version < _PION_RACK)
        return None if without else name

    @property
    def encapsulation(self) -> str:
        """What lies below SCTP."""
        return str(self.document["encapsulation"])

    @property
    def ip_id(self) -> str:
        """How the hosts number their packets, a word of `signalling.setting.IP_IDS`: one counter
        for each flow unless the truth says otherwise."""
        if self.encapsulation in ("ip6", "udp6"):
            return "IPv6"
        return str(self.document["capture_options"].get("ip_id") or "flow")

    @property
    def keylog(self) -> Path | None:
        name = self.document.get("keylog")
        return self.folder / name if name else None

    def capture(self, tap: str) -> Path:
        """The file of a tap."""
        return self.folder / str(self.document["captures"][tap])

    @cached_property
    def repeated(self) -> list[tuple[Record, str]]:
        """What the network or the capture repeats, and the `kind` that it is to be called."""
        return [
            (record, kind)
            for kind in ("network_duplicate", "capture_duplicate")
            for record in self.document.get(f"{kind}s", ())
        ]


def runs_in(folder: Path) -> Iterator[Run]:
    """Each NAME.truth.ndjson (one record a line) and NAME.truth.json (one object), by name."""
    return (run_of(path) for path in files_in(folder))


def files_in(folder: Path) -> list[Path]:
    """The truth files of a folder, by name."""
    return sorted([*folder.glob("*.truth.ndjson"), *folder.glob("*.truth.json")])


def run_of(path: Path) -> Run:
    """The run of a truth file."""
    if path.suffix == ".json":
        return Run(path.parent, json.loads(path.read_text(encoding="utf-8")))
    document: Record = {name: [] for name in _LISTS}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        kind = record.pop("record")
        if kind == "run":
            document |= record
        else:
            document.setdefault(f"{kind}s", []).append(record)
    return Run(path.parent, document)


def is_lost(record: Record) -> bool:
    """This copy did not arrive, or the receiving stack threw it away."""
    fate = str(record["fate"])
    return fate == "discarded" or fate.startswith("dropped")
