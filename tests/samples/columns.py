# SPDX-License-Identifier: BSD-2-Clause
"""python -m tests.samples.columns: what the judge says of samples at each tap, column by column.

Writes columns.json: of a column with words how often it has each, of another one a digest. What is
written is to be read before it is committed.
"""

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from sctp_rack.binding.session import Session
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.tables import TABLES

from tests.captures import bundled, name_of

FILE = Path(__file__).with_name("columns.json")
JUDGED = (
    *("transmissions", "sacks", "rtt_samples", "rack_marks", "rack_state", "probes", "storms"),
    *("limits", "windows", "counts", "paths", "associations"),
)
DIGITS = 10

Said = dict[str, dict[str, Any]]


def said_of(path: Path) -> Said:
    """By table, then by column."""
    session = Session(str(path), list(JUDGED))
    values: dict[str, dict[str, list[Any]]] = {
        table: {column.name: [] for column in TABLES[table] if column.known == "later"}
        for table in JUDGED
    }
    for batch in session.batches():
        for table, of_table in values.items():
            columns = columns_of(table, batch)
            for name, so_far in of_table.items():
                so_far += list(columns[name])
    return {
        table: {name: _summed(table, name, column) for name, column in of_table.items()}
        for table, of_table in values.items()
        if any(of_table.values())
    }


def _summed(table: str, name: str, values: list[Any]) -> Any:
    [column] = [column for column in TABLES[table] if column.name == name]
    exact = [f"{value:.6g}" if isinstance(value, float) else value for value in values]
    text = json.dumps(exact, default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
    if not column.type.startswith("enum"):
        return digest
    return {**dict(sorted(Counter(str(value) for value in values).items())), "rows": digest}


def main() -> int:
    """All samples."""
    said = {name_of(path): said_of(path) for path in bundled()}
    lines = [f"{json.dumps(name)}: {json.dumps(of)}" for name, of in said.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
