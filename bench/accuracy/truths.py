# SPDX-License-Identifier: BSD-2-Clause
"""Which captures have a truth, in either form of the truth file, and what kind of run it was."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sample_pcaps.generate import truth

TAPS = ("sender", "middle", "receiver")

#: Stacks that report duplicate TSNs when they receive (RFC 9260 section 3.3.4); pion never does.
_REPORTS_DUPLICATES = ("usrsctp", "dcsctp", "linux")
#: The first pion with RACK.
_PION_RACK = (1, 9)

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
    def receiver(self) -> str:
        """`dup-reporting` or `silent`: whether the receiver tells of duplicates."""
        return "dup-reporting" if self._peer in _REPORTS_DUPLICATES else "silent"

    @property
    def _peer(self) -> str:
        return str(self.document.get("receiver_stack", self.document["stack"]))

    @property
    def profile(self) -> str | None:
        """The profile of docs/tables.md that replays its sender; None for pion without RACK."""
        name = str(self.document["stack"])
        version = tuple(int(part) for part in self.document["stack_version"].split("."))
        return None if name == "pion" and version < _PION_RACK else name

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
    for path in sorted([*folder.glob("*.truth.ndjson"), *folder.glob("*.truth.json")]):
        document = truth.read(path) if path.suffix == ".ndjson" else json.loads(path.read_text())
        yield Run(folder, document)


def is_lost(record: Record) -> bool:
    """This copy did not arrive, or the receiving stack threw it away."""
    fate = str(record["fate"])
    return fate == "discarded" or fate.startswith("dropped")
