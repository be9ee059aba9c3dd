# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.accuracy [FOLDER...] [--random N] [--write]: measures captures with truth, and
prints how far to trust a verdict, or writes docs/accuracy.md and docs/accuracy-details.md.

The page answers from the FOLDERs; with --random from so many runs of the seeds that are only
reported, which are made first; else from the committed samples, and the collection beside the
project where it is present.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from bench.accuracy.details import COMMITTED, details
from bench.accuracy.groups import added
from bench.accuracy.measure import BESIDE, Measured, measure, measure_begun_later
from bench.accuracy.mistakes import mistakes_table
from bench.accuracy.page import Source, page
from bench.accuracy.random_runs import make, make_unfamiliar
from bench.accuracy.signalling.measure import measure as measure_signalling
from bench.accuracy.signalling.setting import FIRST_TO_REPORT

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "accuracy.md"
DETAILS = ROOT / "docs" / "accuracy-details.md"
SAMPLES = ROOT / "sample_pcaps"
COLLECTION = ROOT.parent / "shared" / "captures" / "truth"
#: Originals of generated signalling that are looked at; they take some 20 s.
_SIGNALLING = 300_000
_TITLES = {
    SAMPLES: COMMITTED,
    COLLECTION: "The development set, which is not part of the project",
}


def main() -> int:
    """Exit status 1 where a folder has no captures with truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="make N runs for it")
    parser.add_argument(
        "--beside", type=int, default=BESIDE, metavar="N", help="runs that Wireshark reads, too"
    )
    parser.add_argument("--mistakes", action="store_true", help="list each mistake below the page")
    parser.add_argument("--write", action="store_true", help="write both pages into docs/")
    arguments = parser.parse_args()
    if arguments.folders and (arguments.random or arguments.write):
        parser.error("FOLDERs are printed, with neither --random nor --write")
    folders = [folder.resolve() for folder in arguments.folders] or _known()
    about = "Real stacks on a simulated link ([samples.md](samples.md))."
    if arguments.random:
        folder, about = make(arguments.random)
        reported = _measured(folder, arguments.beside)
    needed = [] if arguments.random and not arguments.write else folders
    sets = [(folder, _measured(folder, arguments.beside)) for folder in needed]
    for folder, measured in sets:
        if not measured:
            print(f"{folder} has no captures with truth", file=sys.stderr)
            return 1
    if not arguments.random:
        reported = [one for _, measured in sets for one in measured]
    signalling = None if arguments.folders else measure_signalling(FIRST_TO_REPORT, _SIGNALLING)
    tshark = tshark_version()
    unfamiliar = None
    if arguments.random:
        folder, of_it = make_unfamiliar()
        unfamiliar = Source(of_it, _measured(folder, 0))
    text = page(Source(about, reported), tshark, signalling, unfamiliar)
    if not arguments.write:
        print(text, end="")
        if arguments.mistakes:
            print("\n## Each mistake\n", mistakes_table(added(reported).mistakes), sep="\n", end="")
        return 0
    DOCUMENT.write_text(text, encoding="utf-8")
    titled = [(_TITLES[folder], measured) for folder, measured in sets]
    later = [(_TITLES[folder], measure_begun_later(folder)) for folder in folders]
    DETAILS.write_text(details(titled, tshark, later, signalling), encoding="utf-8")
    return 0


def _known() -> list[Path]:
    if COLLECTION.is_dir():
        return [SAMPLES, COLLECTION]
    print(f"left out: {COLLECTION} is not there", file=sys.stderr)
    return [SAMPLES]


def _measured(folder: Path, beside: int) -> list[Measured]:
    """And says how long that took."""
    begun = time.monotonic()
    measured = measure(folder, beside)
    print(
        f"{folder.name}: {len(measured):,} captures in {time.monotonic() - begun:.0f} s",
        file=sys.stderr,
    )
    return measured


def tshark_version() -> str:
    """Its name and version."""
    done = subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.partition(" (Git")[0].partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
