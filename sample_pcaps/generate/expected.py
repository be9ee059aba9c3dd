# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.generate.expected [NAME…]: the engine's rows for the samples, as goldens.

Writes NAME.expected.ndjson, one row for each DATA chunk at the sender's tap with the columns that
are decided, and below NAME.md where these and the truth differ. What is written is to be read
before it is committed.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import sctp_rack

from bench.accuracy.count import count
from bench.accuracy.truths import Run, runs_in

FOLDER = Path(__file__).resolve().parent.parent
TAP = "sender"

#: What a golden has of a row; absent where it is null.
COLUMNS = (
    *("frame", "dir", "tsn", "copy", "kind", "cause", "verdict", "verdict_class"),
    *("outcome", "probe"),
)

HEADING = "## Where sctp-rack and the truth differ"
_INTRODUCTION = """
At the sender's tap, by `make samples-expected`; what is *undetermined* here could be known.

| frame | TSN | of | sctp-rack | truth |
|--:|--:|---|---|---|
"""

Row = Mapping[str, Any]


def runs() -> dict[str, Run]:
    """The samples with truth, by name."""
    return {run.name: run for run in runs_in(FOLDER)}


def rows_of(run: Run) -> list[Row]:
    """What the engine says today."""
    capture = sctp_rack.read(run.capture(TAP), tables=["transmissions"], keylog=run.keylog)
    return [
        {column: row[column] for column in COLUMNS if row[column] is not None}
        for row in capture.transmissions
    ]


def golden_of(name: str) -> list[Row]:
    """What the file says."""
    return [json.loads(line) for line in _file(name).read_text().splitlines()]


def differences(golden: Iterable[Row], rows: Iterable[Row]) -> list[str]:
    """One line for each DATA chunk of which `rows` say something else than `golden`."""
    before, now = ({(row["frame"], row["tsn"]): row for row in part} for part in (golden, rows))
    found = []
    for frame, tsn in sorted(before.keys() | now.keys()):
        old, new = before.get((frame, tsn)), now.get((frame, tsn))
        if old is None or new is None:
            changed = ["no row" if new is None else "a row more"]
        else:
            changed = [
                f"{column} {new.get(column, 'null')}, was {old.get(column, 'null')}"
                for column in COLUMNS
                if new.get(column) != old.get(column)
            ]
        if changed:
            found.append(f"frame {frame}, TSN {tsn}: {'; '.join(changed)}")
    return found


def section(run: Run, rows: Iterable[Row]) -> str:
    """What a story says of the differences between rows of a golden and the truth."""
    nothing = dict.fromkeys((*COLUMNS, "cause_class", "probe_class", "outcome_class"))
    mistakes = count(run, TAP, [{**nothing, "evidence": [], **row} for row in rows]).mistakes
    if not mistakes:
        return ""
    lines = [
        f"| {one.frame} | {one.tsn} | {one.what} | {one.said} | {one.true} |\n" for one in mistakes
    ]
    return f"\n{HEADING}\n{_INTRODUCTION}{''.join(lines)}"


def story(text: str, differing: str) -> str:
    """A story with that section at its end in place of the one that it has."""
    told, _, _ = text.partition(f"\n{HEADING}\n")
    return told + differing


def main(names: list[str]) -> int:
    """For the named samples, or for all."""
    known = runs()
    if unknown := sorted(set(names) - known.keys()):
        print(f"there is no sample {', '.join(unknown)}", file=sys.stderr)
        return 2
    for name in names or known:
        run, rows = known[name], rows_of(known[name])
        before = golden_of(name) if _file(name).exists() else []
        lines = [json.dumps(row, separators=(",", ":")) for row in rows]
        _file(name).write_text("\n".join(lines) + "\n")
        page, differing = FOLDER / f"{name}.md", section(run, rows)
        page.write_text(story(page.read_text(), differing))
        changed, wrong = len(differences(before, rows)), max(differing.count("\n| ") - 1, 0)
        print(f"{name}: {len(rows)} rows, {changed} changed; in {wrong} points not the truth")
    return 0


def _file(name: str) -> Path:
    return FOLDER / f"{name}.expected.ndjson"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
