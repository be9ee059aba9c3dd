# SPDX-License-Identifier: BSD-2-Clause
"""A capture as tshark reads it: number, time, lengths, link type, bytes and comments of each
frame."""

import json
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

_LAYERS = "frame pkt_comment"
_NAMES = ("frame.time_epoch", "frame.encap_type", "frame.len", "frame.cap_len")


@dataclass(frozen=True)
class Frame:
    """`facts` are its time, link type and lengths."""

    number: int
    facts: tuple[str | None, ...]
    content: str
    comments: tuple[str, ...]

    def without_comments(self) -> "Frame":
        return replace(self, comments=())


def frames_of(path: Path, *options: str) -> list[Frame]:
    """Every frame; a file that breaks is read up to there."""
    command = ["tshark", "-n", *options, "-r", str(path), "-T", "json", "-x", "-j", _LAYERS]
    text = subprocess.run(command, capture_output=True, check=False).stdout.decode(errors="replace")
    if not text.strip():
        return []
    records = json.loads(text, object_pairs_hook=list)
    return [
        _frame(number, dict(dict(record)["_source"])["layers"])
        for number, record in enumerate(records, start=1)
    ]


def _frame(number: int, layers: list[tuple[str, Any]]) -> Frame:
    named = dict(layers)
    fields = dict(named.get("frame", []))  # a system call has none
    content = named.get("frame_raw", [""])[0]
    facts = tuple(fields.get(name) for name in _NAMES)
    said = named.get("pkt_comment", [])
    comments = tuple(text for name, text in said if name == "frame.comment")
    return Frame(number, facts, content, comments)
