# SPDX-License-Identifier: BSD-2-Clause
"""Tries to break the tool and says what came of it.

python -m bench.reliability            try everything, print the page
python -m bench.reliability --write    also write docs/reliability.md
python -m bench.reliability --shape copies_of_one   only this one, to look at it

Of fuzzing it tells what the last run of tests/fuzz/run.py left in build/fuzz.
"""

import argparse
import sys

from bench.reliability.fuzzing import last_run
from bench.reliability.limits import ROOT
from bench.reliability.measured import SEEDS, measure
from bench.reliability.page import Tried, page
from tests.commands import matrix
from tests.hostile.shapes import SHAPES

DOCUMENT = ROOT / "docs" / "reliability.md"


def main() -> int:
    """Once."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md")
    parser.add_argument("--shape", choices=[shape.name for shape in SHAPES], action="append")
    options = parser.parse_args()
    if options.write and options.shape:
        parser.error("--write needs all shapes")
    shapes = [shape for shape in SHAPES if shape.name in (options.shape or [shape.name])]
    measured = measure(shapes, () if options.shape else SEEDS)
    text = page(Tried(measured, [] if options.shape else matrix.tried(whole=True), last_run()))
    print(text)
    if options.write:
        DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
