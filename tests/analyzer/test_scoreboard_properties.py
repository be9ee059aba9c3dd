# SPDX-License-Identifier: BSD-2-Clause
"""What must not matter: where the TSNs begin, and what carries the packets."""

import dataclasses
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builder import sctp
from tests.builder.talk import (
    RAW,
    A,
    B,
    Carrier,
    Row,
    Talk,
    in_ipv4,
    in_ipv6,
    in_udp,
    in_udp_over_ipv6,
    rows,
)

TABLES = ("transmissions", "sacks")
START = 1000  #: of the TSNs that are written down


@dataclasses.dataclass(frozen=True)
class Said:
    """A packet; TSNs are offsets from where its direction begins."""

    from_a: bool
    data: list[int]
    cum: int | None
    gaps: list[tuple[int, int]]
    nr_gaps: list[tuple[int, int]]
    ident: int
    later_us: int


tsns = st.integers(0, 60)
blocks = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4)
said = st.builds(
    Said,
    from_a=st.booleans(),
    data=st.lists(st.one_of(tsns, tsns, st.integers(0, 2**32 - 1)), max_size=3),
    cum=st.one_of(st.none(), tsns, st.integers(0, 2**32 - 1)),
    gaps=blocks,
    nr_gaps=blocks,
    ident=st.integers(0, 2),
    later_us=st.sampled_from([0, 10, 999, 1000, 50_000]),
)
talks = st.lists(said, max_size=40)


def exported(
    talk: list[Said], shift: int = 0, carrier: Carrier = in_ipv4, idents: bool = True
) -> dict[str, list[Row]]:
    """The rows of a capture of `talk` whose TSNs are all shifted."""
    capture = Talk(carrier, RAW)

    def at(offset: int) -> int:
        return (START + shift + offset) % 2**32

    for one in talk:
        source, to = (A, B) if one.from_a else (B, A)
        chunks = [sctp.data(at(offset)) for offset in one.data]
        if one.cum is not None:
            chunks.insert(0, sctp.nr_sack(at(one.cum), one.gaps, one.nr_gaps, [at(one.cum + 2)]))
        capture.say(source, to, *chunks, ident=one.ident if idents else 0, later_us=one.later_us)
    with tempfile.TemporaryDirectory() as folder:
        path = capture.write(Path(folder))
        return {table: rows(path, table) for table in TABLES}


def shifted_back(found: dict[str, list[Row]], shift: int) -> dict[str, list[Row]]:
    def back(value: object) -> object:
        if isinstance(value, list):
            return [back(one) for one in value]
        assert isinstance(value, int)
        return (value - shift) % 2**32

    names = {"tsn", "cum_tsn", "gaps", "nr_gaps", "dups", "reneged"}
    return {
        table: [
            {name: back(value) if name in names else value for name, value in row.items()}
            for row in of_table
        ]
        for table, of_table in found.items()
    }


def without_path(found: dict[str, list[Row]]) -> dict[str, list[Row]]:
    return {table: [row | {"path": ""} for row in found[table]] for table in TABLES}


@given(talks, st.one_of(st.integers(0, 2**32 - 1), st.integers(2**32 - START - 100, 2**32 - 1)))
@settings(max_examples=150, deadline=None)
def test_where_the_tsns_begin_changes_nothing_but_the_tsns(talk: list[Said], shift: int) -> None:
    assert shifted_back(exported(talk, shift), shift) == exported(talk)


@given(talks)
@settings(max_examples=150, deadline=None)
def test_udp_encapsulation_changes_nothing(talk: list[Said]) -> None:
    assert exported(talk, carrier=in_udp) == exported(talk)


@given(talks)
@settings(max_examples=150, deadline=None)
def test_ipv6_changes_nothing_but_the_path_where_ipv4_has_no_identification_either(
    talk: list[Said],
) -> None:
    expected = without_path(exported(talk, idents=False))

    assert without_path(exported(talk, carrier=in_ipv6)) == expected
    assert without_path(exported(talk, carrier=in_udp_over_ipv6)) == expected


@given(talks)
@settings(max_examples=150, deadline=None)
def test_every_copy_names_an_earlier_frame_with_its_tsn(talk: list[Said]) -> None:
    seen: dict[tuple[str, int], dict[int, int]] = {}
    for row in exported(talk)["transmissions"]:
        copies = seen.setdefault((row["dir"], row["tsn"]), {})
        if row["prev_frame"] is not None:
            assert row["prev_frame"] <= row["frame"]
            assert copies[row["prev_frame"]] in (row["copy"], row["copy"] - 1)
        if row["first_frame"] is not None:
            assert row["first_frame"] == row["frame"] or copies[row["first_frame"]] == 1
        copies[row["frame"]] = row["copy"]
