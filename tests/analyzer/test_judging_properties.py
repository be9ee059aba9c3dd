# SPDX-License-Identifier: BSD-2-Clause
"""What the judge says depends on nothing but what was said, and of a talk in which all goes well it
says nothing."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from sctp_rack.columns.layout import LAYOUTS

from tests.analyzer.test_bookkeeping_properties import Said, talks
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.readers.rows import Rows, rows_of, without

#: Columns with a TSN, or with pairs of them.
TSNS = {"tsn", "cum_tsn", "rack_tsn", "first_tsn", "last_tsn"}
LISTS = {"gaps", "nr_gaps", "dups", "reneged"}


def rows_of_talk(talk: Talk) -> Rows:
    """All tables."""
    with tempfile.TemporaryDirectory() as folder:
        return rows_of(talk.write(Path(folder)))


def capture_of(talk: list[Said], start: int) -> Talk:
    """TSNs begin at `start`."""

    def at(offset: int) -> int:
        return (start + offset) % 2**32

    capture = Talk()
    capture.handshake()
    for one in talk:
        source, to = (A, B) if one.from_a else (B, A)
        chunks = [sctp.data(at(offset)) for offset in one.data]
        if one.cum is not None:
            dups = [at(offset) for offset in one.dups]
            if one.nr_gaps:
                chunks.insert(0, sctp.nr_sack(at(one.cum), one.gaps, one.nr_gaps, dups))
            else:
                chunks.insert(0, sctp.sack(at(one.cum), one.gaps, dups))
        capture.say(source, to, *chunks, ident=one.ident, later_us=one.later_us)
    return capture


def from_one(value: Any, start: int) -> Any:
    """A TSN, or lists of them, as if the first were 1000."""
    if isinstance(value, list):
        return [from_one(one, start) for one in value]
    return value if value is None else (value - start + 1000) % 2**32


def moved(rows: Rows, start: int) -> Rows:
    """Without the marks of pion, which compares TSNs as numbers, and what chunks hold."""
    changed: Rows = {}
    for table, all_rows in rows.items():
        changed[table] = [
            {
                name: from_one(value, start) if name in TSNS | LISTS else value
                for name, value in row.items()
            }
            for row in all_rows
            if not (table == "rack_marks" and row["profile"] == "pion")
        ]
    return without(changed, "value")


@given(talks)
@settings(max_examples=60, deadline=None)
def test_judging_twice_gives_the_same_rows(talk: list[Said]) -> None:
    capture = capture_of(talk, 1000)

    assert rows_of_talk(capture) == rows_of_talk(capture)


@given(talks, st.sampled_from([1, 2**31 - 15, 2**31, 2**32 - 35, 2**32 - 15, 2**32 - 1]))
@settings(max_examples=60, deadline=None)
def test_where_the_tsns_begin_changes_no_row_but_its_tsns(talk: list[Said], start: int) -> None:
    here, there = (rows_of_talk(capture_of(talk, begin)) for begin in (1000, start))

    assert moved(here, 1000) == moved(there, start)


@st.composite
def undisturbed(draw: st.DrawFn) -> Talk:
    """A sends packets of one to three chunks, at most eight in flight; B acknowledges every one or
    every second, or after 200 ms, and nothing is lost, late, or sent twice."""
    loop_us = draw(st.sampled_from([200, 10_000, 80_000]))
    every = draw(st.integers(1, 2))
    bursts = draw(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=8), max_size=12))
    pauses_us = st.sampled_from([100, 1_000, 50_000, 3_000_000])
    talk = Talk()
    talk.handshake()
    tsn = draw(st.sampled_from([1, 77, 2**32 - 5]))
    start = tsn
    for burst in bursts:
        later_us = draw(pauses_us)
        answers = []
        for number, chunks in enumerate(burst):
            said = [sctp.data((tsn + i) % 2**32) for i in range(chunks)]
            tsn += chunks
            talk.say(A, B, *said, later_us=later_us)
            later_us = 20
            if number % every == every - 1:
                answers.append((tsn - 1) % 2**32)
        lone = len(burst) % every > 0
        for number, cum in enumerate(answers):
            talk.say(B, A, sctp.sack(cum), later_us=20 if number else loop_us)
        if lone:
            talk.say(B, A, sctp.sack((tsn - 1) % 2**32), later_us=200_000 + loop_us)
    assert tsn - start < 2**16
    return talk


@given(undisturbed())
@settings(max_examples=60, deadline=None)
def test_where_nothing_is_lost_and_nothing_sent_twice_there_is_nothing_to_say(talk: Talk) -> None:
    rows = rows_of_talk(talk)

    for row in rows["transmissions"]:
        assert (row["kind"], row["outcome"]) == ("original", "acked")
        assert row["verdict"] is row["cause"] is row["probe"] is None
    assert rows["probes"] == rows["storms"] == []
    for association in rows["associations"]:
        assert association["lost_tsns_a2b"] in (0, None)
    assert {row["what"] for row in rows["counts"]} <= {"kind", "outcome"}


def test_every_table_is_compared() -> None:
    assert {"probes", "storms", "counts", "associations", "rack_marks"} <= set(LAYOUTS)
