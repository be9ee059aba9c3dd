# SPDX-License-Identifier: BSD-2-Clause
"""How columns are read from the fields of C rows, and in which rows they are null."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sctp_rack._core import lib
from sctp_rack.binding.addresses import path_text
from sctp_rack.binding.rows import NO_ASSOCIATION, NO_PATH, NO_TIME, NO_WORD, Batch, Rows
from sctp_rack.binding.words import chunk_name, words_of
from sctp_rack.columns.vectors import Lists, Numbers, Spans, Texts, Vector, Words, gather
from sctp_rack.tables import Column

Reader = Callable[[Column, Rows, Batch], Vector]
Condition = Callable[[Rows], npt.NDArray[np.bool_]]


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


def has(field: str) -> Condition:
    bit = words_of("data_field").index(field)
    return lambda rows: (rows["present"] >> bit & 1) != 0


def has_chunk(rows: Rows) -> npt.NDArray[np.bool_]:
    there: npt.NDArray[np.bool_] = rows["has_chunk"] != 0
    return there


def has_window(rows: Rows) -> npt.NDArray[np.bool_]:
    there: npt.NDArray[np.bool_] = rows["kind"] != lib.SR_SACK_KIND_SHUTDOWN
    return there


def counts(rows: Rows) -> npt.NDArray[np.bool_]:
    """It has an association, and its packet was not seen before."""
    there: npt.NDArray[np.bool_] = followed(rows) & (rows["repeats"] == 0)
    return there


def has_profile(rows: Rows) -> npt.NDArray[np.bool_]:
    there: npt.NDArray[np.bool_] = rows["profile"] != NO_WORD
    return there


def has_tag(side: str) -> Condition:
    return lambda rows: rows[f"vtag_{side}_known"] != 0


def has_delivered(rows: Rows) -> npt.NDArray[np.bool_]:
    """RACK knows a transmission that arrived."""
    there: npt.NDArray[np.bool_] = rows["rack_xmit_ns"] != NO_TIME
    return there


def sender(rows: Rows) -> npt.NDArray[np.uint8]:
    return rows["from"]


def receiver(rows: Rows) -> npt.NDArray[np.uint8]:
    return 1 - rows["from"]


def share(column: Column, rows: Rows, batch: Batch) -> Vector:
    """The field of the same name, null below 0."""
    return number(column, rows, batch).where(rows[column.name] >= 0)


def joined(_column: Column, rows: Rows, _batch: Batch) -> Vector:
    """A number from 1; null at 0."""
    return Numbers(None, rows["joined"] - 1).where(rows["joined"] != 0)


def of_i_data(rows: Rows) -> npt.NDArray[np.bool_]:
    return has("mid")(rows)


def of_data(rows: Rows) -> npt.NDArray[np.bool_]:
    return ~has("mid")(rows)
