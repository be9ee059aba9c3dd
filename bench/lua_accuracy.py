# SPDX-License-Identifier: BSD-2-Clause
"""Measures how often the Lua drop-in is right, by class, against captures with truth.

python -m bench.lua_accuracy [FOLDER...]   prints the tables; --mistakes lists what is wrong
python -m bench.lua_accuracy --write       writes them into docs/lua.md

Without a FOLDER: the committed samples, and the collection beside the project where it is present.
What counts as right is at the head of bench/accuracy/count.py; rows come through tshark.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.accuracy.__main__ import COLLECTION, ROOT, SAMPLES
from bench.accuracy.count import Row, count
from bench.accuracy.mistakes import mistakes_table
from bench.accuracy.tally import Share, Tally, total
from bench.accuracy.truths import TAPS, Run, runs_in
from tests.lua import drop_in

DOCUMENT = ROOT / "docs" / "lua.md"
BEGIN, END = "<!-- python -m bench.lua_accuracy --write: begin -->\n", "<!-- end -->\n"
#: Of the claims of a class so many are right at least (docs/verdicts.md).
PROMISED = {5: 1.0, 4: 0.97, 3: 0.85, 2: 0.60, 1: 0.0}
COLUMNS = ("verdict", "cause")
_TITLES = {SAMPLES: "the committed samples", COLLECTION: "the development set"}
_CLAIMS = ("verdict", "cause", "probe", "outcome")
_UNSAID: Row = {
    **dict.fromkeys(_CLAIMS),
    **{f"{claim}_class": None for claim in _CLAIMS},
    "evidence": [],
}


def tally_of(run: Run, tap: str) -> Tally:
    """What the drop-in says of the capture of one tap, against the truth."""
    keys = ("-o", f"tls.keylog_file:{run.keylog}") if run.keylog else ()
    associations = drop_in.judged(run.capture(tap), *keys)
    directions = [each for association in associations for each in association["directions"]]
    rows = [_UNSAID | row for each in directions for row in each["transmissions"]]
    return count(run, tap, rows)


def measure(folder: Path, taps: Sequence[str] = TAPS) -> dict[str, Tally]:
    """By tap, and `all` of them together."""
    runs = list(runs_in(folder))
    by_tap = {tap: total([tally_of(run, tap) for run in runs]) for tap in taps}
    return {**by_tap, "all": total(list(by_tap.values()))}


def table(by_tap: dict[str, Tally]) -> str:
    """The share that is right of the claims of each class, and of how many."""
    head = ["class", "promised", *(f"{column}s, {tap}" for column in COLUMNS for tap in by_tap)]
    lines = [head, ["---"] * len(head)]
    for level, promised in PROMISED.items():
        shares = [
            by_tap[tap].calibration.get((column, level)) for column in COLUMNS for tap in by_tap
        ]
        if any(shares):
            lines.append([str(level), f"{promised:.2f}", *map(_cell, shares)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(share: Share | None) -> str:
    """Never rounded up to 1."""
    if not share or share.value is None:
        return "–"
    return f"{int(share.value * 1000) / 1000:.3f} of {share.of:,}"


def _section(folders: list[Path], mistakes: bool) -> str:
    parts = []
    for folder in folders:
        measured = measure(folder)
        captures = len(list(runs_in(folder))) * len(TAPS)
        title = _TITLES.get(folder, folder.name)
        parts.append(f"{captures} captures of {title}:\n\n{table(measured)}")
        if mistakes:
            parts.append(mistakes_table(measured["all"].mistakes))
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--mistakes", action="store_true", help="list what is wrong")
    parser.add_argument("--write", action="store_true", help="write docs/lua.md")
    arguments = parser.parse_args()
    known = [SAMPLES, *([COLLECTION] if COLLECTION.is_dir() else [])]
    folders = [folder.resolve() for folder in arguments.folders] or known
    text = _section(folders, arguments.mistakes)
    if not arguments.write:
        print(text, end="")
        return 0
    before, begin, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
