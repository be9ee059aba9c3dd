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


def _word(rows: Rows, name: str, enum: str) -> Column:
    """The word of an enum, None where the core has no word."""
    spelled = _words(enum)
    return [spelled[value] if value != lib.SR_NO_WORD else None for value in rows[name].tolist()]


def _class(rows: Rows, name: str) -> Column:
    return _where(rows[name] != 0, rows[name])


def _ns(rows: Rows, name: str) -> Column:
    return _where(rows[name] != NO_TIME, rows[name])


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
    judged: dict[str, Column] = {}
    for name in ("cause", "probe", "verdict", "outcome"):
        judged[name] = _word(rows, name, name)
        judged[f"{name}_class"] = _class(rows, f"{name}_class")
    for name in ("trigger_frame", "acked_frame", "resolved_frame"):
        judged[name] = _where(rows[name] != 0, rows[name])
    return {
        **_common(rows, batch),
        **judged,
        "acked_time_ns": _ns(rows, "acked_time_ns"),
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
    lists = ("lists", "gaps", "nr_gaps", "dups")
    for at, gap_count, nr_gap_count, dup_count in zip(
        *(rows[name].tolist() for name in lists), strict=True
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
        "rtt_ns": _ns(rows, "rtt_ns"),
        "rtt_tag": _word(rows, "rtt_tag", "rtt_tag"),
        **{
            name: _where(followed, rows[name])
            for name in ("outstanding_bytes", "rtxq_bytes", "rtxq_necessary_bytes")
        },
        "stale": _where(followed, rows["stale"] != 0),
        "truncated": _where(followed, rows["truncated"] != 0),
        "reneged": [
            numbers[at : at + count]
            for at, count in zip(
                rows["reneged"].tolist(), rows["reneged_count"].tolist(), strict=True
            )
        ],
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


def _rtt_samples(rows: Rows, batch: Batch) -> dict[str, Column]:
    return {
        **_plain(rows, ("frame", "assoc")),
        "time_ns": _ns(rows, "time_ns"),
        "dir": _directions(rows, rows["from"]),
        "path": _paths(rows, batch),
        "rtt_ns": _ns(rows, "rtt_ns"),
        "tag": _word(rows, "tag", "rtt_tag"),
    }


def _counts(rows: Rows, _batch: Batch) -> dict[str, Column]:
    whats = _word(rows, "what", "count_what")
    return {
        **_plain(rows, ("assoc", "transmissions", "tsns", "bytes")),
        "dir": _directions(rows, rows["from"]),
        "what": whats,
        "name": [
            _words(what)[word] for what, word in zip(whats, rows["word"].tolist(), strict=True)
        ],
    }


def _paths_table(rows: Rows, batch: Batch) -> dict[str, Column]:
    times = ("loop_lo_ns", "loop_hi_ns", "srtt_ns", "min_rtt_ns", "rto_ns", "reordering_max_ns")
    return {
        **_plain(rows, ("assoc", "reordering_max_tsn")),
        "dir": _directions(rows, rows["from"]),
        "path": _paths(rows, batch),
        **{name: _ns(rows, name) for name in times},
        "vantage": _word(rows, "vantage", "vantage"),
        "vantage_class": _class(rows, "vantage_class"),
        "profile": _word(rows, "profile", "profile"),
        "profile_score": _where(rows["profile"] != lib.SR_NO_WORD, rows["profile_score"]),
        "sender_has_rack": _word(rows, "sender_has_rack", "answer"),
        "dup_capable": _word(rows, "dup_capable", "answer"),
    }


def _associations(rows: Rows, batch: Batch) -> dict[str, Column]:
    sums = ("chunks", "bytes", "acked_bytes")
    found: dict[str, Column] = {
        **_plain(rows, ("assoc", "first_frame", "last_frame", "packets")),
        **_flags(rows, "features", "feature"),
        "how_started": _word(rows, "started", "started"),
        "how_ended": _word(rows, "ended", "ended"),
    }
    for side in ("a", "b"):
        found[f"vtag_{side}"] = _where(rows[f"vtag_{side}_known"] != 0, rows[f"vtag_{side}"])
        found[side] = [
            batch.text[at : at + length].decode()
            for at, length in zip(rows[side].tolist(), rows[f"{side}_length"].tolist(), strict=True)
        ]
    for way in _words("dir"):
        found |= _plain(rows, [f"{name}_{way}" for name in sums])
        for name in ("goodput", "lost_tsns"):
            found[f"{name}_{way}"] = _ns(rows, f"{name}_{way}")
        for name in ("rtxq_util", "rtxq_util_loss"):
            found[f"{name}_{way}"] = _where(rows[f"{name}_{way}"] >= 0, rows[f"{name}_{way}"])
    return found


@functools.cache
def chunk_name(number: int) -> str | None:
    """A chunk type as the RFCs write it; None for an unknown one."""
    name = lib.sr_chunk_type_name(number)
    return None if name == ffi.NULL else ffi.string(name).decode()


_BUILDERS: dict[str, Callable[[Rows, Batch], dict[str, Column]]] = {
    "transmissions": _transmissions,
    "sacks": _sacks,
    "chunks": _chunks,
    "rtt_samples": _rtt_samples,
    "counts": _counts,
    "paths": _paths_table,
    "associations": _associations,
}
