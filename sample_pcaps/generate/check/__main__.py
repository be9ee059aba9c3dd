# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.generate.check FOLDER: whether the truth of each run there is the truth.

Exit status 1 where it is not; what is wrong is named with its file and frame."""

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .. import truth
from ..run import TAPS
from .counters import compared
from .rules import Checked, Fault, broken, captures_of
from .seen import frames_of

_SHOWN = 5  #: of a run


def check(path: Path) -> list[Fault]:
    """All that is wrong with the run of a truth file."""
    document = truth.read(path)
    keylog, options = document["keylog"], document["capture_options"]
    assert isinstance(options, dict)
    keys = path.with_name(str(keylog)) if keylog else None
    captures = captures_of(document, path.parent)
    cut = "snaplen" in options
    run = Checked(document, {tap: frames_of(captures[tap], keys=keys, cut=cut) for tap in TAPS})
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
    found: Counter[bool] = Counter()
    with ProcessPoolExecutor(max_workers=arguments.jobs) as pool:
        for faults in pool.map(check, paths, chunksize=4):
            found[bool(faults)] += 1
            for fault in faults[:_SHOWN]:
                print(fault)
            if len(faults) > _SHOWN:
                print(f"  and {len(faults) - _SHOWN} more")
    print(f"{len(paths)} runs, {found[True]} with faults", file=sys.stderr)
    return int(found[True] > 0 or not paths)


if __name__ == "__main__":
    sys.exit(main())
