# SPDX-License-Identifier: BSD-2-Clause
"""A table as a notebook draws it: its first and its last rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from sctp_rack.wording import html

#: Rows at the beginning, and at the end.
ENDS = 5


def drawn(name: str, shown: Sequence[Mapping[str, Any]], columns: Sequence[str], count: int) -> str:
    """HTML of the first and last of so many rows, without the columns that are null in all these.

    `shown` has `ENDS` of each, or all rows where there are no more.
    """
    names = [column for column in columns if any(row[column] is not None for row in shown)]
    rows = [[_text(row[column]) for column in names] for row in shown]
    if count > len(shown):
        rows.insert(ENDS, ["⋮"] * len(names))
    hidden = len(columns) - len(names)
    note = f"{count:,} rows" + (f"; {hidden} columns are null in those shown" if hidden else "")
    return html.block(html.title(name, note), html.table(names, rows))


def _text(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
