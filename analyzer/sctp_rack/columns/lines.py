# SPDX-License-Identifier: BSD-2-Clause
"""Columns as lines of text: how each value is spelled in NDJSON and in CSV."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sctp_rack.columns.vectors import Lists, Nulls, Numbers, Spans, Texts, Vector, Words, listed

_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True)
class Spelling:
    """What a format writes for a null, a word, the elements of a list, a whole list or JSON."""

    null: str
    word: Callable[[str], str]
    separator: str
    nested: Callable[[str], str]
    json_text: Callable[[str], str]


def _csv_cell(text: str) -> str:
    """Quoted where it must be."""
    return f'"{text.replace(chr(34), 2 * chr(34))}"' if set(text) & set(',"\r\n') else text


NDJSON = Spelling("null", _json, ",", str, str)
CSV = Spelling("", _csv_cell, ", ", _csv_cell, lambda text: _csv_cell(json.dumps(json.loads(text))))


def ndjson_lines(columns: Mapping[str, Vector], capture: str | None = None) -> str:
    """One object for each row, with the name of the capture where it is told."""
    pairs = [] if capture is None else [f'"capture":{_literally(_json(capture))}']
    pairs += (f"{_json(name)}:%s" for name in columns)
    return _lines("{" + ",".join(pairs) + "}\n", columns.values(), NDJSON)


def csv_lines(columns: Mapping[str, Vector], capture: str | None = None) -> str:
    """One line for each row, with the name of the capture where it is told."""
    cells = [] if capture is None else [_literally(_csv_cell(capture))]
    cells += ("%s" for _ in columns)
    return _lines(",".join(cells) + "\n", columns.values(), CSV)


def _literally(text: str) -> str:
    """In a template."""
    return text.replace("%", "%%")


def _lines(template: str, columns: Iterable[Vector], spelling: Spelling) -> str:
    """`template` has a place for each column; what is null throughout goes into it at once."""
    cells = [None if isinstance(one, Nulls) else _cells(one, spelling) for one in columns]
    template %= tuple(spelling.null if one is None else "%s" for one in cells)
    rows = zip(*(one for one in cells if one is not None), strict=True)
    return "".join(map(template.__mod__, rows))


def _cells(column: Vector, spelling: Spelling) -> list[Any]:
    """What is written for each row, as a str or an int."""
    match column:
        case Words():
            words = [spelling.word(word) for word in column.words]
            return column.spelled([*words, spelling.null])
        case Numbers():
            cells = _numbers(column)
        case Lists():
            cells = _lists(column, spelling)
        case Texts():
            cells = [text and spelling.json_text(text) for text in column.texts()]
    for at in column.nulls():
        cells[at] = spelling.null
    return cells


def _numbers(column: Numbers) -> list[Any]:
    if column.values.dtype == np.bool_:
        return ["true" if value else "false" for value in column]
    return listed(column.values)


def _lists(column: Lists, spelling: Spelling) -> list[Any]:
    items, separator = _items(column, spelling), spelling.separator
    cells = ["[]"] * len(column)
    ends = column.offsets
    for row in np.flatnonzero(ends[1:] > ends[:-1]).tolist():
        cells[row] = spelling.nested(f"[{separator.join(items[ends[row] : ends[row + 1]])}]")
    return cells


def _items(column: Lists, spelling: Spelling) -> list[str]:
    match column.items:
        case Spans(values=values):
            span = f"[%d{spelling.separator}%d]"
            return [span % (first, last) for first, last in values.tolist()]
        case Words(words=words):
            return column.items.spelled([*map(_json, words), ""])
        case Numbers(values=values):
            return list(map(str, values.tolist()))
