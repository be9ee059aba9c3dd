# SPDX-License-Identifier: BSD-2-Clause
"""Which C row each table comes from, and how each of its columns is read from it.

A new column is one entry here, a new table one `Layout`; its type is that of names.toml. Columns of
names.toml without an entry are null.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack._core import lib
from sctp_rack.addresses import path_text
from sctp_rack.messages import ROW as MESSAGE
from sctp_rack.rows import NO_ASSOCIATION, NO_PATH, NO_TIME, NO_WORD, Batch, Rows, row_dtype
from sctp_rack.tables import Column
from sctp_rack.vectors import Lists, Numbers, Spans, Texts, Vector, Words, gather
from sctp_rack.words import chunk_name, words_of

Reader = Callable[[Column, Rows, Batch], Vector]
Condition = Callable[[Rows], npt.NDArray[np.bool_]]


@dataclass(frozen=True)
class Layout:
    """A table: the C type of its rows, or what it has of its own, and how its columns are read."""

    row: str | np.dtype[np.void]
    columns: dict[str, Reader]

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Of a row."""
        return row_dtype(self.row) if isinstance(self.row, str) else self.row


def number(column: Column, rows: Rows, _batch: Batch) -> Vector:
    """The field of the same name."""
    return Numbers(None, rows[column.name])


def number_in(field: str) -> Reader:
    """As `number`, of another field."""

    def read(_column: Column, rows: Rows, _batch: Batch) -> Vector:
        return Numbers(None, rows[field])

    return read


def null_at(nothing: int) -> Reader:
    """The field of the same name, null where it is `nothing`."""

    def read(column: Column, rows: Rows, batch: Batch) -> Vector:
        return number(column, rows, batch).where(rows[column.name] != nothing)

    return read


def when(condition: Condition, reader: Reader) -> Reader:
    """As `reader` has it, null where the condition does not hold."""

    def read(column: Column, rows: Rows, batch: Batch) -> Vector:
        return reader(column, rows, batch).where(condition(rows))

    return read


def flag(column: Column, rows: Rows, _batch: Batch) -> Vector:
    """0 or 1; null at 255."""
    return Numbers(None, rows[column.name] == 1).where(rows[column.name] != NO_WORD)


def word(column: Column, rows: Rows, _batch: Batch) -> Vector:
    """The word of an enum with that number; null at 255."""
    codes = rows[column.name]
    return _words(column, codes).where(codes != NO_WORD)


def word_list(column: Column, rows: Rows, _batch: Batch) -> Vector:
    """The words of a bit mask over an enum, in its order."""
    masks = rows[column.name]
    some = np.flatnonzero(masks)
    bits = np.arange(masks.dtype.itemsize * 8, dtype=masks.dtype)
    at, codes = np.nonzero(masks[some, None] >> bits & 1)
    counts = np.bincount(some[at], minlength=len(rows))
    return Lists(None, _offsets(counts), _words(column, codes))


def word_in(field: str) -> Reader:
    """As `word`, of another field."""

    def read(column: Column, rows: Rows, _batch: Batch) -> Vector:
        return _words(column, rows[field]).where(rows[field] != NO_WORD)

    return read


def counted_word(_column: Column, rows: Rows, _batch: Batch) -> Vector:
    """The word of the enum that the row counts by."""
    enums = words_of("count_what")
    starts = np.cumsum([0, *(len(words_of(enum)) for enum in enums)])
    spelled = [one for enum in enums for one in words_of(enum)]
    return Words(None, starts[rows["what"]] + rows["word"], spelled)


def text_of(field: str) -> Reader:
    """The text of the pool that begins at `field`."""

    def read(_column: Column, rows: Rows, batch: Batch) -> Vector:
        ends = (rows[field] + rows[f"{field}_length"]).tolist()
        texts = [
            batch.text[at:end].decode() for at, end in zip(rows[field].tolist(), ends, strict=True)
        ]
        return Words(None, np.arange(len(texts)), texts)

    return read


def tsn_list(pool: str, count: str, *before: str, pairs: int = 0) -> Reader:
    """`count` numbers of the pool, from the index `pool` on and behind `before` pairs.

    These are themselves pairs where `pairs` is 1.
    """

    def read(_column: Column, rows: Rows, batch: Batch) -> Vector:
        starts = rows[pool].astype(np.int64)
        for name in before:
            starts += 2 * rows[name].astype(np.int64)
        values, offsets = gather(batch.numbers, starts, rows[count].astype(np.int64) << pairs)
        if pairs:
            return Lists(None, offsets >> 1, Spans(None, values.reshape(-1, 2)))
        return Lists(None, offsets, Numbers(None, values))

    return read


def range_list(pool: str, count: str, *before: str) -> Reader:
    """As `tsn_list`, of pairs of first and last."""
    return tsn_list(pool, count, *before, pairs=1)


def json_text(_column: Column, rows: Rows, batch: Batch) -> Vector:
    """JSON in the pool of text; null without."""
    pool = np.frombuffer(batch.text, dtype=np.uint8)
    data, offsets = gather(pool, rows["text"], rows["text_length"].astype(np.int64))
    return Texts(None, offsets, data).where(rows["text_length"] != 0)


def path(_column: Column, rows: Rows, batch: Batch) -> Vector:
    """Addresses where there are any, else the sides; null without an association either."""
    numbers = rows["path"]
    numbered = numbers != NO_PATH
    used = np.flatnonzero(np.bincount(numbers[numbered], minlength=1))
    used = used[used < len(batch.paths)]
    texts = [path_text(one) for one in batch.paths[used].tolist()]
    spelled = [text for text in texts if text is not None]
    # By the number of a path: its text, or that it has none.
    code = np.full(len(batch.paths) + 1, -1, dtype=np.int32)
    with_text = [at for at, text in zip(used.tolist(), texts, strict=True) if text is not None]
    code[with_text] = np.arange(len(spelled), dtype=np.int32)
    codes = code[np.where(numbered, numbers, len(batch.paths))]
    sides = len(spelled) + rows["from"].astype(np.int32)
    by_side = codes < 0
    read = Words(None, np.where(by_side, sides, codes), [*spelled, "a>b", "b>a"])
    return read.where(~by_side | followed(rows))


def direction(data_from: Callable[[Rows], npt.NDArray[np.uint8]]) -> Reader:
    """Of the data that this side sent; null without an association."""

    def read(column: Column, rows: Rows, _batch: Batch) -> Vector:
        return _words(column, data_from(rows)).where(followed(rows))

    return read


def type_name(_column: Column, rows: Rows, _batch: Batch) -> Vector:
    """Of the chunk's type; null for an unknown one."""
    names = [chunk_name(kind) for kind in range(256)]
    known = np.array([name is not None for name in names])
    return Words(None, rows["type"], [name or "" for name in names]).where(known[rows["type"]])


def _words(column: Column, codes: npt.NDArray[np.integer]) -> Words:
    return Words(None, codes, words_of(column.type.partition(":")[2]))


def _offsets(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.int32]:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)


def followed(rows: Rows) -> npt.NDArray[np.bool_]:
    """It has an association."""
    there: npt.NDArray[np.bool_] = rows["assoc"] != NO_ASSOCIATION
    return there


def _has(field: str) -> Condition:
    bit = words_of("data_field").index(field)
    return lambda rows: (rows["present"] >> bit & 1) != 0


def _has_chunk(rows: Rows) -> npt.NDArray[np.bool_]:
    there: npt.NDArray[np.bool_] = rows["has_chunk"] != 0
    return there


def _has_window(rows: Rows) -> npt.NDArray[np.bool_]:
    there: npt.NDArray[np.bool_] = rows["kind"] != lib.SR_SACK_KIND_SHUTDOWN
    return there


def _counts(rows: Rows) -> npt.NDArray[np.bool_]:
    """It has an association, and its packet was not seen before."""
    there: npt.NDArray[np.bool_] = followed(rows) & (rows["repeats"] == 0)
    return there


def _has_profile(rows: Rows) -> npt.NDArray[np.bool_]:
    there: npt.NDArray[np.bool_] = rows["profile"] != NO_WORD
    return there


def _has_tag(side: str) -> Condition:
    return lambda rows: rows[f"vtag_{side}_known"] != 0


def _sender(rows: Rows) -> npt.NDArray[np.uint8]:
    return rows["from"]


def _share(column: Column, rows: Rows, batch: Batch) -> Vector:
    """The field of the same name, null below 0."""
    return number(column, rows, batch).where(rows[column.name] >= 0)


def _joined(_column: Column, rows: Rows, _batch: Batch) -> Vector:
    """A number from 1; null at 0."""
    return Numbers(None, rows["joined"] - 1).where(rows["joined"] != 0)


#: Of the two columns of an association, one for each direction.
_DIRECTION_FIGURES: dict[str, Reader] = {
    "chunks": number,
    "bytes": number,
    "acked_bytes": number,
    "goodput": null_at(NO_TIME),
    "lost_tsns": null_at(NO_TIME),
    "rtxq_util": _share,
    "rtxq_util_loss": _share,
}

_WHEN: dict[str, Reader] = {
    "frame": number,
    "time_ns": null_at(NO_TIME),
    "assoc": null_at(NO_ASSOCIATION),
    "path": path,
}

_PLACE: dict[str, Reader] = {**_WHEN, "chunk": number}


def _of_i_data(rows: Rows) -> npt.NDArray[np.bool_]:
    return _has("mid")(rows)


def _of_data(rows: Rows) -> npt.NDArray[np.bool_]:
    return ~_has("mid")(rows)


#: Tables by name: those of the core in the order of its enum sr_table, then those made of them.
LAYOUTS: dict[str, Layout] = {
    "transmissions": Layout(
        "struct sr_transmission_row",
        {
            **_PLACE,
            "dir": direction(lambda rows: rows["from"]),
            "tsn": number,
            "copy": when(followed, number),
            "bytes": number,
            "sid": when(_has("sid"), number),
            "ssn": when(_has("ssn"), number),
            "mid": when(_has("mid"), number),
            "fsn": when(_has("fsn"), number),
            "ppid": when(_has("ppid"), number),
            "flags": number,
            "first_frame": null_at(0),
            "prev_frame": null_at(0),
            "crc": word,
            "kind": when(followed, word),
            **{name: when(followed, word) for name in ("cause", "probe", "verdict", "outcome")},
            **{f"{name}_class": null_at(0) for name in ("cause", "probe", "verdict", "outcome")},
            "trigger_frame": null_at(0),
            "evidence": when(followed, word_list),
            "acked_frame": null_at(0),
            "acked_time_ns": null_at(NO_TIME),
            "resolved_frame": null_at(0),
        },
    ),
    "sacks": Layout(
        "struct sr_sack_row",
        {
            **_PLACE,
            "dir": direction(lambda rows: 1 - rows["from"]),
            "kind": word,
            "cum_tsn": number,
            "a_rwnd": when(_has_window, number),
            "gaps": range_list("lists", "gaps"),
            "nr_gaps": range_list("lists", "nr_gaps", "gaps"),
            "dups": tsn_list("lists", "dups", "gaps", "nr_gaps"),
            "flags": number,
            "newly_acked": when(followed, number),
            "newly_acked_bytes": when(followed, number),
            "malformed": word_list,
            "repeats": null_at(0),
            "rtt_ns": null_at(NO_TIME),
            "rtt_tag": word,
            "outstanding_bytes": when(_counts, number_in("rtxq_necessary_bytes")),
            "rtxq_bytes": when(_counts, number),
            "rtxq_necessary_bytes": when(_counts, number),
            "stale": when(_counts, flag),
            "truncated": when(_counts, flag),
            "reneged": tsn_list("reneged", "reneged_count"),
            "reneged_class": null_at(0),
        },
    ),
    "chunks": Layout(
        "struct sr_chunk_row",
        {
            **_PLACE,
            "sport": number,
            "dport": number,
            "vtag": number,
            "encapsulation": word,
            "checksum": word,
            "type": when(_has_chunk, number),
            "name": when(_has_chunk, type_name),
            "flags": when(_has_chunk, number),
            "length": when(_has_chunk, number),
            "value": json_text,
            "malformed": word_list,
            "repeats": null_at(0),
        },
    ),
    "rtt_samples": Layout(
        "struct sr_rtt_sample_row",
        {
            **_WHEN,
            "dir": direction(_sender),
            "rtt_ns": null_at(NO_TIME),
            "tag": word,
        },
    ),
    "rack_marks": Layout(
        "struct sr_rack_mark_row",
        {
            **_WHEN,
            "dir": direction(_sender),
            "profile": word,
            "tsn": number,
            "copy": number,
            "frame": null_at(0),
            "by_frame": null_at(0),
            "trigger": word,
            **{
                name: null_at(NO_TIME)
                for name in ("reo_wnd_ns", "rack_rtt_ns", "min_rtt_ns", "sender_lead_ns")
            },
            "resolution": word,
        },
    ),
    "rack_state": Layout(
        "struct sr_rack_state_row",
        {
            "frame": number,
            "chunk": number,
            "profile": word,
            **{
                name: null_at(NO_TIME)
                for name in (
                    "srtt_ns",
                    "rttvar_ns",
                    "min_rtt_ns",
                    "rack_rtt_ns",
                    "rack_xmit_ns",
                    "reo_wnd_ns",
                    "rto_ns",
                    "pto_ns",
                )
            },
            "rack_tsn": when(lambda rows: rows["rack_xmit_ns"] != NO_TIME, number),
            **{
                name: when(_has_profile, reader)
                for name, reader in (
                    ("reordering_seen", flag),
                    ("in_recovery", flag),
                    ("flight_bytes", number),
                    ("cwnd_hint_bytes", number),
                )
            },
        },
    ),
    "probes": Layout(
        "struct sr_probe_row",
        {
            "assoc": number,
            "dir": direction(_sender),
            "path": path,
            "tsn": number,
            "frame": number,
            "kind": word,
            "class": null_at(0),
            "anchor_ns": null_at(NO_TIME),
            "pto_ns": null_at(NO_TIME),
            "outcome": word,
        },
    ),
    "storms": Layout(
        "struct sr_storm_row",
        {
            "assoc": number,
            "dir": direction(_sender),
            "path": path,
            "frame": number,
            "time_ns": null_at(NO_TIME),
            "retransmissions": number,
            "spurious": number,
            "bytes_wasted": number,
            "recent": number,
            "avoidable": number,
            "duration_ns": null_at(NO_TIME),
        },
    ),
    "counts": Layout(
        "struct sr_count_row",
        {
            "assoc": number,
            "dir": direction(_sender),
            "what": word,
            "name": counted_word,
            "transmissions": number,
            "tsns": number,
            "bytes": number,
        },
    ),
    "paths": Layout(
        "struct sr_path_row",
        {
            "assoc": number,
            "dir": direction(_sender),
            "path": path,
            "vantage": word,
            "vantage_class": null_at(0),
            **{
                name: null_at(NO_TIME)
                for name in (
                    "loop_lo_ns",
                    "loop_hi_ns",
                    "srtt_ns",
                    "min_rtt_ns",
                    "rto_ns",
                    "reordering_max_ns",
                )
            },
            "reordering_max_tsn": number,
            "profile": word,
            "profile_score": _share,
            "sender_has_rack": word,
            "dup_capable": word,
            "told": word_list,
        },
    ),
    "associations": Layout(
        "struct sr_association_row",
        {
            "assoc": number,
            "a": text_of("a"),
            "b": text_of("b"),
            "vtag_a": when(_has_tag("a"), number),
            "vtag_b": when(_has_tag("b"), number),
            "features": word_list,
            "first_frame": number,
            "last_frame": number,
            "packets": number,
            "how_started": word_in("started"),
            "how_ended": word_in("ended"),
            **{
                f"{name}_{way}": reader
                for way in words_of("dir")
                for name, reader in _DIRECTION_FIGURES.items()
            },
            "joined": _joined,
        },
    ),
    "messages": Layout(
        MESSAGE,
        {
            "assoc": number,
            "dir": direction(_sender),
            "sid": number,
            "ssn": when(_of_data, number),
            "mid": when(_of_i_data, number),
            "ppid": when(_has("ppid"), number),
            **dict.fromkeys(("unordered", "begins", "ends"), flag),
            **dict.fromkeys(
                ("first_frame", "first_tsn", "last_tsn", "chunks", "bytes", "retransmissions"),
                number,
            ),
            **{name: null_at(NO_TIME) for name in ("sent_ns", "delivered_ns", "latency_ns")},
            "state": word_in("state"),
            "waited_for": word,
        },
    ),
}

#: The tables of the core.
CORE_TABLES = tuple(name for name, layout in LAYOUTS.items() if isinstance(layout.row, str))
