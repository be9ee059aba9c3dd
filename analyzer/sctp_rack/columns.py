# SPDX-License-Identifier: BSD-2-Clause
"""From the core's fixed-width rows to the columns of names.toml, as lists of Python values."""

import functools
import ipaddress
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi, lib
from sctp_rack.names import ENUMS
from sctp_rack.session import Batch, Rows
from sctp_rack.tables import TABLES

Column = Sequence[Any]

#: Where the core has no time: its SR_NO_TIME.
NO_TIME = -(1 << 63)
_NO_ASSOCIATION = (1 << 32) - 1

#: Path of a packet without IP, by the side that sent it.
_SIDES = ("a>b", "b>a")


def columns_of(table: str, batch: Batch) -> dict[str, Column]:
    """Every column of `table` in order; columns that nothing computes yet are all None."""
    rows = batch.tables[table]
    known = _BUILDERS[table](rows, batch)
    empty = [None] * len(rows)
    return {column.name: known.get(column.name, empty) for column in TABLES[table]}


@functools.lru_cache(maxsize=65536)
def path_text(path: bytes) -> str | None:
    """`src>dst`, IPv6 in brackets; None where no IP header lies below."""
    source, destination = address_text(path[:17]), address_text(path[17:])
    return None if source is None or destination is None else f"{source}>{destination}"


def address_text(address: bytes) -> str | None:
    """Of 16 bytes and a family."""
    if address[16] == 4:
        return str(ipaddress.IPv4Address(address[:4]))
    if address[16] == 6:
        return f"[{ipaddress.IPv6Address(address[:16])}]"
    return None


def words(enum: str, mask: int) -> list[str]:
    """The words of a bit mask over an enum, in its order."""
    return [word for bit, word in enumerate(_words(enum)) if mask >> bit & 1]


@functools.cache
def _words(enum: str) -> list[str]:
    return [member.value for member in ENUMS[enum]]


def _common(rows: Rows, batch: Batch) -> dict[str, Column]:
    return {
        "frame": rows["frame"].tolist(),
        "chunk": rows["chunk"].tolist(),
        "time_ns": _where(rows["time_ns"] != NO_TIME, rows["time_ns"]),
        "assoc": _where(rows["assoc"] != _NO_ASSOCIATION, rows["assoc"]),
        "path": _paths(rows, batch),
    }


def _paths(rows: Rows, batch: Batch) -> Column:
    """Addresses where there are any, else the sides; None without an association either."""
    texts: list[str | None] = [path_text(path) for path in batch.paths.tolist()]
    return [
        (texts[path] if path < len(texts) else None)
        or (None if assoc == _NO_ASSOCIATION else _SIDES[side])
        for path, assoc, side in zip(
            rows["path"].tolist(), rows["assoc"].tolist(), rows["from"].tolist(), strict=True
        )
    ]


def _directions(rows: Rows, data_from: npt.NDArray[np.uint8]) -> Column:
    spelled = _words("dir")
    known = (rows["assoc"] != _NO_ASSOCIATION).tolist()
    return [
        spelled[side] if so else None for side, so in zip(data_from.tolist(), known, strict=True)
    ]


def _plain(rows: Rows, names: Sequence[str]) -> dict[str, Column]:
    return {name: rows[name].tolist() for name in names}


def _enum(rows: Rows, name: str, enum: str) -> dict[str, Column]:
    spelled = _words(enum)
    return {name: [spelled[value] for value in rows[name].tolist()]}


def _flags(rows: Rows, name: str, enum: str) -> dict[str, Column]:
    return {name: [words(enum, mask) if mask else [] for mask in rows[name].tolist()]}


def _where(there: npt.NDArray[np.bool_], values: npt.NDArray[Any]) -> Column:
    return [
        value if so else None for value, so in zip(values.tolist(), there.tolist(), strict=True)
    ]


def _transmissions(rows: Rows, batch: Batch) -> dict[str, Column]:
    optional: dict[str, Column] = {}
    for bit, field in enumerate(_words("data_field")):
        optional[field] = _where((rows["present"] >> bit & 1) != 0, rows[field])
    followed = rows["assoc"] != _NO_ASSOCIATION
    return {
        **_common(rows, batch),
        "dir": _directions(rows, rows["from"]),
        "copy": _where(followed, rows["copy"]),
        "first_frame": _where(rows["first_frame"] != 0, rows["first_frame"]),
        "prev_frame": _where(rows["prev_frame"] != 0, rows["prev_frame"]),
        **_plain(rows, ("tsn", "bytes", "flags")),
        **_enum(rows, "crc", "crc"),
        "kind": [
            word if so else None
            for word, so in zip(_enum(rows, "kind", "kind")["kind"], followed.tolist(), strict=True)
        ],
        **optional,
    }


def _sacks(rows: Rows, batch: Batch) -> dict[str, Column]:
    numbers = batch.numbers.tolist()
    gaps: list[list[list[int]]] = []
    nr_gaps: list[list[list[int]]] = []
    dups: list[list[int]] = []
    for at, gap_count, nr_gap_count, dup_count in zip(
        *(rows[name].tolist() for name in ("lists", "gaps", "nr_gaps", "dups")), strict=True
    ):
        nr_at = at + 2 * gap_count
        dups_at = nr_at + 2 * nr_gap_count
        gaps.append([numbers[i : i + 2] for i in range(at, nr_at, 2)])
        nr_gaps.append([numbers[i : i + 2] for i in range(nr_at, dups_at, 2)])
        dups.append(numbers[dups_at : dups_at + dup_count])
    followed = rows["assoc"] != _NO_ASSOCIATION
    return {
        **_common(rows, batch),
        "dir": _directions(rows, 1 - rows["from"]),
        "newly_acked": _where(followed, rows["newly_acked"]),
        "newly_acked_bytes": _where(followed, rows["newly_acked_bytes"]),
        **_plain(rows, ("cum_tsn", "flags")),
        **_enum(rows, "kind", "sack_kind"),
        **_flags(rows, "malformed", "sack_anomaly"),
        "a_rwnd": _where(rows["kind"] != lib.SR_SACK_KIND_SHUTDOWN, rows["a_rwnd"]),
        "gaps": gaps,
        "nr_gaps": nr_gaps,
        "dups": dups,
    }


def _chunks(rows: Rows, batch: Batch) -> dict[str, Column]:
    there = rows["has_chunk"] != 0
    types = _where(there, rows["type"])
    return {
        **_common(rows, batch),
        **_plain(rows, ("sport", "dport", "vtag")),
        **_enum(rows, "encapsulation", "encapsulation"),
        **_enum(rows, "checksum", "checksum"),
        **_flags(rows, "malformed", "chunk_anomaly"),
        "type": types,
        "name": [None if number is None else chunk_name(number) for number in types],
        "flags": _where(there, rows["flags"]),
        "length": _where(there, rows["length"]),
        "value": [
            json.loads(batch.text[at : at + length]) if length else None
            for at, length in zip(rows["text"].tolist(), rows["text_length"].tolist(), strict=True)
        ],
    }


@functools.cache
def chunk_name(number: int) -> str | None:
    """A chunk type as the RFCs write it; None for an unknown one."""
    name = lib.sr_chunk_type_name(number)
    return None if name == ffi.NULL else ffi.string(name).decode()


_BUILDERS: dict[str, Callable[[Rows, Batch], dict[str, Column]]] = {
    "transmissions": _transmissions,
    "sacks": _sacks,
    "chunks": _chunks,
}
