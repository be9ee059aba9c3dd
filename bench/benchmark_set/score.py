#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""score.py ANSWERS [--captures FOLDER] [--partial] [--json]: how right a tool is on these captures.

ANSWERS is a table with a row for each DATA or I-DATA chunk of each capture, as NDJSON (one object a
line) or CSV (.csv, with a head). README.md says what its columns are, bench/accuracy/count.py what
counts as right. Plain Python from 3.11 on is all that is needed.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.accuracy.count import Row, count
from bench.accuracy.tally import Question, Tally, total
from bench.accuracy.truths import TAPS, Run, runs_in

HERE = Path(__file__).resolve().parent
WORDS = ("kind", "verdict", "cause", "probe", "outcome")
CLASSES = ("verdict_class", "cause_class", "probe_class", "outcome_class")
NUMBERS = ("frame", "tsn", "chunk", *CLASSES)
#: Words of `kind` where a tool says none.
PLAIN = "original"


def answers_in(path: Path) -> dict[str, list[Row]]:
    """Of a file. Raises `ValueError` for what is no answer."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            return answers_of(csv.DictReader(file))
        return answers_of(json.loads(line) for line in file if line.strip())


def answers_of(records: Iterable[dict[str, Any]]) -> dict[str, list[Row]]:
    """By capture, chunks of a frame in their order. Raises `ValueError` for what is no answer."""
    by_capture: dict[str, list[Row]] = defaultdict(list)
    for number, said in enumerate(records, 1):
        try:
            by_capture[Path(said["capture"]).name].append(_row(said))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"answer {number}: {error!r}") from error
    for rows in by_capture.values():
        rows.sort(key=lambda row: (row["frame"], row["chunk"] or 0))
    return by_capture


def tallies(
    folder: Path, answers: dict[str, list[Row]], partial: bool = False
) -> Iterator[tuple[Run, str, Tally]]:
    """Of each capture; with `partial` of those that have answers alone."""
    for run in runs_in(folder):
        for tap in TAPS:
            name = run.capture(tap).name
            if not partial or name in answers:
                yield run, tap, count(run, tap, answers.get(name, []))


def results(counted: list[tuple[Run, str, Tally]]) -> dict[str, dict[str, Any]]:
    """By stack and tap, and all together."""
    groups: dict[str, list[Tally]] = defaultdict(list)
    for run, tap, tally in counted:
        for name in (f"{run.stack}, {tap}", f"{run.stack}, all", f"all, {tap}", "all, all"):
            groups[name].append(tally)
    return {name: figures(total(groups[name])) for name in sorted(groups)}


def figures(tally: Tally) -> dict[str, Any]:
    """Counts, and what follows from them."""
    return {
        "rows": tally.rows,
        "missing": tally.missing,
        "extra": tally.extra,
        "questions": {name: _question(one) for name, one in sorted(tally.questions.items())},
        "shares": {name: [one.part, one.of] for name, one in sorted(tally.shares.items())},
        "classes": {
            f"{column} {level}": [one.part, one.of]
            for (column, level), one in sorted(tally.calibration.items(), key=str)
        },
        "causes": {f"{true} -> {said}": n for (true, said), n in sorted(tally.causes.items())},
        "verdicts": {f"{true} -> {said}": n for (true, said), n in sorted(tally.verdicts.items())},
    }


def text_of(found: dict[str, dict[str, Any]]) -> str:
    """A table: right of what is claimed / found of what can be known, in percent."""
    titles = ("retransmission", "spurious", "needed", "loss", "probe")
    lines = [f"{'stack, tap':40}" + "".join(f"{title:>17}" for title in titles) + f"{'cause':>9}"]
    for name, one in found.items():
        cells = [_pair(one["questions"].get(title)) for title in titles]
        part, of = one["shares"].get("cause", (0, 0))
        lines.append(f"{name:40}" + "".join(f"{cell:>17}" for cell in cells))
        lines[-1] += f"{100 * part / of:9.1f}" if of else f"{'-':>9}"
    return "\n".join(lines) + "\n"


def main() -> int:
    """Exit status 2 where the answers cannot be read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answers", type=Path, metavar="ANSWERS")
    parser.add_argument("--captures", type=Path, default=HERE / "captures", metavar="FOLDER")
    parser.add_argument("--partial", action="store_true", help="count captures with answers alone")
    parser.add_argument("--json", action="store_true", help="all figures")
    arguments = parser.parse_args()
    try:
        answers = answers_in(arguments.answers)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    found = results(list(tallies(arguments.captures, answers, arguments.partial)))
    print(json.dumps(found, indent=1) if arguments.json else text_of(found), end="")
    return 0


def _row(said: dict[str, Any]) -> Row:
    row: Row = {name: said.get(name) or None for name in WORDS}
    for name in NUMBERS:
        value = said.get(name)
        row[name] = None if value in (None, "") else int(value)
    if row["frame"] is None or row["tsn"] is None:
        raise ValueError("frame and tsn are needed")
    row["kind"] = row["kind"] or PLAIN
    row["outcome"] = row["outcome"] or "unresolved"
    row["evidence"] = []
    return row


def _question(one: Question) -> dict[str, Any]:
    return {
        "right": one.right,
        "wrong": one.wrong,
        "missed": one.missed,
        "precision": one.precision,
        "recall": one.recall,
    }


def _pair(one: dict[str, Any] | None) -> str:
    if one is None:
        return "-"
    return " / ".join(
        "-" if value is None else f"{100 * value:.1f}"
        for value in (one["precision"], one["recall"])
    )


if __name__ == "__main__":
    sys.exit(main())
