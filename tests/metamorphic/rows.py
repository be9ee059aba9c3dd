# SPDX-License-Identifier: BSD-2-Clause
"""Rows of a changed capture, told as those of the capture before, and where the two differ."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sctp_rack.binding.session import Session
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.tables import TABLES

Columns = dict[str, list[Any]]
Tables = dict[str, Columns]

#: Columns with a frame, a TSN, lists of TSNs, a time since 1970.
FRAMES = {
    *("frame", "first_frame", "prev_frame", "trigger_frame", "acked_frame", "resolved_frame"),
    *("repeats", "dup_frame"),
    *("by_frame", "last_frame", "begin_frame", "end_frame"),
}
TSNS, TSN_LISTS = (
    {"tsn", "cum_tsn", "rack_tsn", "first_tsn", "last_tsn"},
    {"gaps", "nr_gaps", "dups", "reneged"},
)
TIMES = {
    *("time_ns", "acked_time_ns", "anchor_ns", "rack_xmit_ns", "sent_ns", "delivered_ns"),
    *("begin_ns", "end_ns"),
}
#: `probes` has a duration of that name.
TIMES_OF = {"rack_state": {*TIMES, "pto_ns"}}

#: What tells a row of a table from the others; of the other tables it is its place.
KEYS = {
    **dict.fromkeys(("transmissions", "sacks", "chunks"), ("frame", "chunk")),
    "rack_state": ("frame", "chunk", "profile"),
    "rtt_samples": ("frame", "dir", "rtt_ns"),
    "rack_marks": ("profile", "dir", "tsn", "copy", "by_frame", "trigger"),
    "counts": ("dir", "what", "name"),
    "paths": ("dir", "path"),
    "associations": ("assoc",),
    "probes": ("frame", "tsn"),
    "storms": ("frame", "dir"),
    "limits": ("begin_frame", "dir"),
    "windows": ("begin_frame", "dir"),
    "messages": ("dir", "first_tsn", "sid", "mid"),
}

#: A table, and a column or what is said of all its rows.
Place = tuple[str, str]
MISSING, ADDED = "(missing rows)", "(added rows)"


@dataclass
class Changed:
    """A changed capture."""

    path: Path
    #: Frame of the capture that was changed, by frame of this one. 0 is no frame of it; negative:
    #: the frame is there twice, and this is the repetition.
    frame_of: Sequence[int]
    later_ns: int = 0  #: all times
    higher_tsns: int = 0
    strings: Mapping[str, str] = field(default_factory=dict)  #: of this capture, as they were there
    back: Mapping[Place, Callable[[Any], Any]] = field(default_factory=dict)  #: values
    options: Mapping[str, Any] = field(default_factory=dict)  #: of `Session`
    ends_at: int | None = None  #: frame behind which nothing is left


def tables_of(path: Path, **options: Any) -> Tables:
    """All rows, column by column."""
    session = Session(str(path), list(LAYOUTS), **options)
    tables: Tables = {table: {} for table in LAYOUTS}
    for batch in session.batches():
        for table in LAYOUTS:
            for name, values in columns_of(table, batch).items():
                tables[table].setdefault(name, []).extend(values)
    assert session.end.message is None, session.end.message
    return tables


def told_as_before(changed: Changed) -> Tables:
    """Its rows with the frames, TSNs and times of the capture before the change."""
    tables = tables_of(changed.path, **changed.options)
    frames: dict[int | None, int | None] = dict(enumerate(changed.frame_of, 1))
    frames[None] = None
    ours = _ours(tables["chunks"], frames)
    return {table: _told(changed, table, rows, frames, ours) for table, rows in tables.items()}


def _ours(chunks: Columns, frames: Mapping[int | None, int | None]) -> dict[int | None, int]:
    """Numbers of the associations that were there before."""
    ours: dict[int | None, int] = {}
    for frame, association in zip(chunks["frame"], chunks["assoc"], strict=True):
        if frames[frame] and association is not None and association not in ours:
            ours[association] = len(ours)
    return ours


def _told(
    changed: Changed,
    table: str,
    rows: Columns,
    frames: Mapping[int | None, int | None],
    ours: Mapping[int | None, int],
) -> Columns:
    kept = range(len(next(iter(rows.values()), [])))
    if "frame" in rows:
        at = [frames[frame] for frame in rows["frame"]]
        kept = [i for i in kept if at[i] is None or at[i] > 0]  # type: ignore[assignment, operator]
    if "assoc" in rows:
        kept = [i for i in kept if rows["assoc"][i] in ours]  # type: ignore[assignment]
    told: Columns = {}
    for name, values in rows.items():
        one = [values[i] for i in kept]
        if name in FRAMES:
            one = [frames[value] for value in one]
        elif name == "assoc":
            one = [ours[value] for value in one]
        elif name in TIMES_OF.get(table, TIMES):
            one = [value if value is None else value - changed.later_ns for value in one]
        elif name in TSNS | TSN_LISTS or name == "value":
            one = [_lower(value, changed.higher_tsns) for value in one]
        if (table, name) in changed.back:
            back = changed.back[table, name]
            one = [value if value is None else back(value) for value in one]
        if changed.strings and any(isinstance(value, str | dict) for value in one):
            one = [_replaced(value, changed.strings) for value in one]
        told[name] = one
    return told


def _lower(value: Any, by: int) -> Any:
    if isinstance(value, dict):  # of `chunks`
        return {name: _lower(one, by) if "tsn" in name else one for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_lower(one, by) for one in value]
    return value if value is None or not by else (value - by) % 2**32


def _replaced(value: Any, strings: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _replaced(one, strings) for name, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, strings) for one in value]
    if isinstance(value, str):
        for new, old in strings.items():
            value = value.replace(new, old)
    return value


def compared(before: Tables, changed: Changed) -> Counter[Place]:
    """How many rows differ, by table and column."""
    found: Counter[Place] = Counter()
    after = told_as_before(changed)
    for table, rows in before.items():
        others = after[table]
        if changed.ends_at is not None and "frame" in rows:
            rows = _until(rows, changed.ends_at)
            if table == "transmissions":
                others = _where_open(rows, others, changed.ends_at)
        if rows == others:
            continue
        places, other_places = _places(table, rows), _places(table, others)
        found[table, MISSING] += len(places.keys() - other_places.keys())
        found[table, ADDED] += len(other_places.keys() - places.keys())
        shared = [(places[key], other_places[key]) for key in places.keys() & other_places.keys()]
        for name, values in rows.items():
            found[table, name] += sum(values[i] != others[name][j] for i, j in shared)
    return +found


def _until(rows: Columns, frame: int) -> Columns:
    kept = [i for i, at in enumerate(rows["frame"]) if at is None or at <= frame]
    return {name: [values[i] for i in kept] for name, values in rows.items()}


def _where_open(rows: Columns, others: Columns, frame: int) -> Columns:
    """`others`, but of the rows that were not resolved at that frame what is known later is that of
    `rows`."""
    later = {column.name for column in TABLES["transmissions"] if column.known == "later"}
    told: Columns = {}
    for name, values in others.items():
        told[name] = values
        if name in later:
            told[name] = [
                before if resolved is None or resolved > frame else value
                for value, before, resolved in zip(
                    values, rows[name], rows["resolved_frame"], strict=True
                )
            ]
    return told


def _places(table: str, rows: Columns) -> dict[Any, int]:
    columns = [rows.get(name, []) for name in KEYS[table]]
    seen: Counter[Any] = Counter()
    places = {}
    for at, key in enumerate(zip(*columns, strict=True)):
        seen[key] += 1
        places[key, seen[key]] = at
    return places
