# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.generate.check FOLDER: whether the truth of each run there is the truth.

Exit status 1 where it is not; what is wrong is named with its file and frame."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path

from .. import truth
from ..run import TAPS
from .checked import Checked, Fault, Record
from .counters import compared
from .rules import broken, captures_of
from .seen import Capture, Frame, frames_of_each

_SHOWN = 5  #: of a run
_TOGETHER = 24  #: runs that are read together: three files each, all open at once


def check(path: Path) -> list[Fault]:
    """All that is wrong with the run of a truth file."""
    return check_together([path])[0]


def check_together(paths: Sequence[Path]) -> list[list[Fault]]:
    """All that is wrong with the run of each truth file."""
    documents = [truth.read(path) for path in paths]
    captures = [_captures(*one) for one in zip(documents, paths, strict=True)]
    seen = iter(frames_of_each([capture for three in captures for capture in three]))
    return [
        _faults(document, path, {tap: next(seen) for tap in TAPS})
        for document, path in zip(documents, paths, strict=True)
    ]


def _captures(document: Record, path: Path) -> list[Capture]:
    keylog, cut = document["keylog"], "snaplen" in document["capture_options"]
    keys = path.with_name(str(keylog)) if keylog else None
    files = captures_of(document, path.parent)
    return [Capture(files[tap], keys, cut) for tap in TAPS]


def _faults(document: Record, path: Path, seen: dict[str, list[Frame] | str]) -> list[Fault]:
    frames = {tap: one for tap, one in seen.items() if isinstance(one, list)}
    if unreadable := {tap: one for tap, one in seen.items() if isinstance(one, str)}:
        return [Fault(document["captures"][tap], None, why) for tap, why in unreadable.items()]
    run = Checked(document, frames)
    faults = list(broken(run))
    counters = path.with_name(f"{document['name']}.counters.json")
    if counters.exists():
        faults += compared(run, json.loads(counters.read_text()), counters.name)
    return faults


def main() -> int:
    """Prints what is wrong."""
    parser = argparse.ArgumentParser(prog="sample_pcaps.generate.check", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    arguments = parser.parse_args()
    paths = sorted(arguments.folder.glob("*.truth.ndjson"))
    some = [paths[first : first + _TOGETHER] for first in range(0, len(paths), _TOGETHER)]
    found: Counter[bool] = Counter()
    with ProcessPoolExecutor(max_workers=arguments.jobs) as pool:
        for faults in chain.from_iterable(pool.map(check_together, some)):
            found[bool(faults)] += 1
            for fault in faults[:_SHOWN]:
                print(fault)
            if len(faults) > _SHOWN:
                print(f"  and {len(faults) - _SHOWN} more")
    print(f"{len(paths)} runs, {found[True]} with faults", file=sys.stderr)
    return int(found[True] > 0 or not paths)


if __name__ == "__main__":
    sys.exit(main())
