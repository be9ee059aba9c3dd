# SPDX-License-Identifier: BSD-2-Clause
"""Which words a query compares columns of words with: one that the column never has is an error.

The parser of DuckDB tells. A column that the query names anew may hold anything.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sctp_rack.errors import UsageError
from sctp_rack.fleet.rows import STATUSES
from sctp_rack.names import MEANINGS
from sctp_rack.tables import TABLES
from sctp_rack.wording.glossary import never

_COMPARE = frozenset(f"COMPARE_{one}" for one in ("EQUAL", "NOTEQUAL", "IN", "NOT_IN"))

#: What makes a name another thing than a column of the dataset.
_NAMES = ("alias", "aliases", "column_name_alias")


def check_words(connection: Any, sql: str) -> None:
    """Raises `UsageError` with the words that the column has."""
    ((tree,),) = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    nodes = list(_nodes(json.loads(tree)))
    renamed = {name for node in nodes for name in _named(node)}
    known = _words()
    for node in nodes:
        for column, word in _compared(node):
            words = known.get(column)
            if words and column not in renamed and word not in words:
                raise UsageError(never(column, word, words))


def _words() -> Mapping[str, Sequence[str]]:
    """Of each column that holds words, whatever its table."""
    held: dict[str, list[str]] = {"status": list(STATUSES)}
    for columns in TABLES.values():
        for column in columns:
            kind, _, enum = column.type.partition(":")
            if kind == "enum":
                words = held.setdefault(column.name, [])
                words += (word for word in MEANINGS[enum] if word not in words)
    return held


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for one in tree:
            yield from _nodes(one)


def _named(node: Mapping[str, Any]) -> Iterator[str]:
    for name in _NAMES:
        value = node.get(name, "")
        yield from value if isinstance(value, list) else [value]


def _compared(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if node.get("type") not in _COMPARE:
        return
    sides = node.get("children") or [node["left"], node["right"]]
    columns = [one["column_names"][-1] for one in sides if one["type"] == "COLUMN_REF"]
    for one in sides:
        # DuckDB 1 tells a value of a type, DuckDB 2 a literal of a kind.
        text = one.get("value", {}).get("value") or one.get("literal", {}).get("text")
        if len(columns) == 1 and one["type"] == "VALUE_CONSTANT" and text and isinstance(text, str):
            yield columns[0], text
