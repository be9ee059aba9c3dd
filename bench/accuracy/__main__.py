# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.accuracy [FOLDER...] [--write]: measures captures with truth, prints the page or
writes docs/accuracy.md.

Without a FOLDER: the committed samples, the collection beside the project where it is present, and
signalling that is generated.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from bench.accuracy.measure import Measured, measure, measure_begun_later
from bench.accuracy.page import page
from bench.accuracy.signalling.measure import measure as measure_signalling
from bench.accuracy.signalling.setting import FIRST_TO_REPORT

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "accuracy.md"
SAMPLES = ROOT / "sample_pcaps"
COLLECTION = ROOT.parent / "shared" / "captures" / "truth"
#: Originals of generated signalling that are looked at; they take some 20 s.
_SIGNALLING = 300_000
_TITLES = {
    SAMPLES: "The committed samples",
    COLLECTION: "The development set, which is not part of the project",
}


def main() -> int:
    """Exit status 1 where a folder has no captures with truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    arguments = parser.parse_args()
    folders = [folder.resolve() for folder in arguments.folders]
    if not folders:
        folders = [SAMPLES, COLLECTION]
        if not COLLECTION.is_dir():
            print(f"left out: {COLLECTION} is not there", file=sys.stderr)
            folders.remove(COLLECTION)
    sets: list[tuple[str, list[Measured]]] = []
    for folder in folders:
        measured = measure(folder)
        if not measured:
            print(f"{folder} has no captures with truth", file=sys.stderr)
            return 1
        sets.append((_TITLES.get(folder, folder.name), measured))
    later = [(_TITLES.get(folder, folder.name), measure_begun_later(folder)) for folder in folders]
    signalling = None if arguments.folders else measure_signalling(FIRST_TO_REPORT, _SIGNALLING)
    text = page(sets, _tshark_version(), later, signalling)
    if arguments.write:
        DOCUMENT.write_text(text)
    else:
        print(text, end="")
    return 0


def _tshark_version() -> str:
    done = subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.partition(" (Git")[0].partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
