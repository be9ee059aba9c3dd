# SPDX-License-Identifier: BSD-2-Clause
"""python -m tests.metamorphic [CHANGE…]: counts the rows that each change changes in the bundled
captures, by table and column; `*` where that may be so."""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.captures import bundled
from tests.metamorphic.changes import CHANGES
from tests.metamorphic.packets import packets_of
from tests.metamorphic.rows import Place, compared, tables_of


def main() -> int:
    """Prints a table for each change that has any."""
    wanted = sys.argv[1:]
    before = {path: tables_of(path) for path in bundled()}
    for change in CHANGES:
        if wanted and change.name not in wanted:
            continue
        rows: Counter[Place] = Counter()
        captures: Counter[Place] = Counter()
        for path in before:
            with tempfile.TemporaryDirectory() as folder:
                changed = change.make(packets_of(path), Path(folder))
                found = compared(before[path], changed)
            rows += found
            captures += Counter(found.keys())
        print(f"{change.name}: {'nothing' if not rows else ''}")
        for place, count in sorted(rows.items()):
            allowed = "*" if change.allows(place, rows) else " "
            print(f"  {allowed} {'.'.join(place):40} {count:7,} rows in {captures[place]} captures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
