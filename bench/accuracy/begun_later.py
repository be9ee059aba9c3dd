# SPDX-License-Identifier: BSD-2-Clause
"""A run as it looks to who begins to capture in the middle of it: without handshake, stack unknown.

Frames before a transmission are cut off, and truth says so: what was sent again and has a copy
before the cut cannot be said to be knowable any more.
"""

import subprocess
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

from bench.accuracy.truths import TAPS, Record, Run

#: Parts of the transmissions of a run that are cut off.
SHARES = (0.2, 0.35, 0.5, 0.7)

_LAST = 1 << 30


def begun_later(run: Run, share: float, folder: Path) -> Run:
    """The run without the first `share` of its transmissions; its captures are written to `folder`.

    Raises `CalledProcessError` where editcap fails.
    """
    document = deepcopy(run.document)
    sent: list[Record] = document["transmissions"]
    begins_ns = sent[int(len(sent) * share)]["t_ns"]
    cut = {tap: _cut(sent, tap, begins_ns) for tap in TAPS}
    for tap in TAPS:
        name = f"{run.capture(tap).stem}-{share}.pcapng"
        kept = f"{cut[tap] + 1}-{_LAST}"
        subprocess.run(
            ["editcap", "-r", str(run.capture(tap)), str(folder / name), kept], check=True
        )
        document["captures"][tap] = name
    _forget_what_began_before(sent, cut)
    for name in ("transmissions", "network_duplicates", "probes"):
        for record in document.get(name, ()):
            record["frames"] = {
                tap: frame - cut[tap] if frame and frame > cut[tap] else None
                for tap, frame in record["frames"].items()
            }
    document["capture_duplicates"] = [
        {**record, "frames": {tap: frame - cut[tap]}}
        for record in document.get("capture_duplicates", ())
        for tap, frame in record["frames"].items()
        if record["first_frame"] > cut[tap]
    ]
    document["stack_marks"] = [
        mark for mark in document.get("stack_marks", ()) if mark["t_ns"] >= begins_ns
    ]
    return replace(run, folder=folder, document=document)


def _cut(sent: list[Record], tap: str, begins_ns: int) -> int:
    """The last frame that is cut off."""
    frames = [one["frames"][tap] for one in sent if one["t_ns"] >= begins_ns]
    return min((frame for frame in frames if frame), default=1) - 1


def _forget_what_began_before(sent: list[Record], cut: dict[str, int]) -> None:
    before: set[tuple[str, str, int]] = set()
    for record in sent:
        for tap, last in cut.items():
            tsn = tap, record["dir"], record["tsn"]
            frame = record["frames"][tap]
            if frame and frame <= last:
                before.add(tsn)
            for name in ("knowable", "knowable_outcome"):
                if tsn in before and record.get(name):
                    record[name][tap] = None
