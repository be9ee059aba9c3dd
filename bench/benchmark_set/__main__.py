# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.benchmark_set [FOLDER] [--random N] [--to FOLDER]: packs captures with truth, the
scorer and baselines as benchmark-set-VERSION.tar.gz, for others to measure their tools on.

Without a FOLDER: random runs of the seeds that are only reported, made first unless they are there.
"""

import argparse
import sys
from pathlib import Path

from bench.accuracy.__main__ import tshark_version
from bench.accuracy.random_runs import make
from bench.accuracy.truths import files_in
from bench.benchmark_set.pack import ROOT, archive, files_of

_RUNS = 300


def main() -> int:
    """Exit status 1 where the folder has no captures with truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    parser.add_argument("--random", type=int, default=_RUNS, metavar="N", help="make N runs for it")
    parser.add_argument("--to", type=Path, default=ROOT / "build")
    arguments = parser.parse_args()
    folder = arguments.folder or make(arguments.random)[0]
    if not files_in(folder):
        print(f"{folder} has no captures with truth", file=sys.stderr)
        return 1
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    name = f"benchmark-set-{version}"
    files = files_of(folder, version, tshark_version())
    path = arguments.to / f"{name}.tar.gz"
    path.write_bytes(archive(files, name))
    print(f"{path}: {len(files):,} files, {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
