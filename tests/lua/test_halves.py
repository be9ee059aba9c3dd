# SPDX-License-Identifier: BSD-2-Clause
"""The drop-in says as the engine which association and side data is of: of halves that are joined
late, of sides with one tag, and of one TSN with different user data."""

import random
import struct
from pathlib import Path

import pytest

from tests.analyzer import test_halves as halves
from tests.analyzer.test_conflicting import SAME, data
from tests.builder.talk import A, B, End, Talk, rows
from tests.captures import COLLECTION, needs_collection
from tests.lua import drop_in

COLUMNS = ("tsn", "kind", "copy", "prev_frame")


def check(path: Path) -> None:
    """Kind, copy and place of every chunk are the same."""
    ours = [
        (
            *(row["frame"], row["chunk"], association["assoc"], direction["dir"]),
            *(row.get(name) for name in COLUMNS),
        )
        for association in drop_in.judged(path)
        for direction in association["directions"]
        for row in direction["transmissions"]
    ]
    theirs = [
        tuple(row[name] for name in ("frame", "chunk", "assoc", "dir", *COLUMNS))
        for row in rows(path, "transmissions")
    ]
    assert sorted(ours, key=str) == sorted(theirs, key=str)


def test_halves_that_are_joined_late_have_the_rows_of_one(tmp_path: Path) -> None:
    check(halves.early_halves(apart=True).write(tmp_path))


def test_halves_of_translated_addresses_are_one(tmp_path: Path) -> None:
    check(halves.translated_halves().write(tmp_path))


@pytest.mark.parametrize("seed", range(12))
def test_talks_on_the_same_ports_are_told_apart(seed: int, tmp_path: Path) -> None:
    dice, talk = random.Random(seed), Talk()
    talks = halves.conversations(dice, 4)
    for _ in range(40):
        dice.choice(talks).step(talk, dice)
    for one in talks:
        one.ask(talk, dice)
    check(talk.write(tmp_path))


@pytest.mark.parametrize("b", [End("10.0.0.2", A.port, A.vtag), End(A.address, A.port, A.vtag)])
def test_sides_with_one_tag_are_told_apart(b: End, tmp_path: Path) -> None:
    check(halves.both_ways(A, b, 2**32 - 5, 7_000_000).write(tmp_path))


def test_another_chunk_under_a_tsn_is_no_copy(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, SAME)
    talk.say(A, B, data(7, b"payload?"), later_us=1_000_000)
    talk.say(A, B, data(7, b"longer payload"), later_us=1_000_000, ident=77)
    talk.say(A, B, data(7, b"longer payload"), later_us=100, ident=77)
    talk.say(A, B, data(8, b"payload!"), later_us=1_000_000)
    talk.say(A, B, data(8, b"payload!", flags=0x0B), later_us=1_000_000)
    check(talk.write(tmp_path))


def test_point_codes_are_no_addresses(tmp_path: Path) -> None:
    talk, m3ua = Talk(), 3
    label = struct.pack(">IIBBBB", 2057, 1298, 3, 0, 0, 5)
    body = struct.pack(">HH", 0x0210, 4 + len(label) + 8) + label + bytes(8)
    message = struct.pack(">BBBBI", 1, 0, 1, 1, 8 + len(body)) + body
    talk.handshake()
    talk.say(A, B, data(1, message, ppid=m3ua))
    path = talk.write(tmp_path)

    (association,) = drop_in.judged(path)
    (row,) = (row for each in association["directions"] for row in each["transmissions"])
    assert row["path"] == f"{A.address}>{B.address}"


@needs_collection
@pytest.mark.parametrize("name", halves.ONE)
def test_halves_in_real_captures_are_those_of_the_engine(name: str) -> None:
    check(COLLECTION / "real" / name)
