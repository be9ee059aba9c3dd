# SPDX-License-Identifier: BSD-2-Clause
"""Of what a receiver takes back or PACKET-DROP names the drop-in says what the engine says."""

from pathlib import Path
from typing import Any

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows
from tests.lua import drop_in

COLUMNS = "frame tsn kind copy verdict verdict_class outcome outcome_class cause"
#: What holds whatever the sender is. Causes of one that is none of the known have a class less
#: in the engine alone (docs/lua.md).
CERTAIN = ("packet_drop", "renege")
#: Sooner than any timeout: of an RTO.Min of 100 ms the drop-in knows nothing (docs/lua.md).
SOON_US = 10_000
Row = tuple[Any, ...]


def _ours(path: Path) -> list[Row]:
    found = [
        row
        for association in drop_in.judged(path)
        for direction in association["directions"]
        for row in direction["transmissions"]
    ]
    return _told(found)


def _told(found: list[dict[str, Any]]) -> list[Row]:
    return [
        (
            *(row.get(name) for name in COLUMNS.split()),
            row.get("cause_class") if row.get("cause") in CERTAIN else None,
            _of_verdict(row.get("evidence") or []),
        )
        for row in sorted(found, key=lambda row: (row["frame"], row["chunk"]))
        if row["copy"] > 1
    ]


def _of_verdict(evidence: list[str]) -> list[str]:
    return [code for code in evidence if code.startswith("S")]


def _both(talk: Talk, folder: Path) -> tuple[list[Row], list[Row]]:
    path = talk.write(folder)
    return _ours(path), _told(rows(path, "transmissions"))


def _taken_back(*, by: list[bytes], again: bool) -> Talk:
    """The receiver reports duplicates, has 2 to 4, and says then what `by` says."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1))
    talk.say(A, B, sctp.data(1), later_us=1_000_000)
    talk.say(B, A, sctp.sack(1, [], [1]))
    for tsn in range(2, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    for each in by:
        talk.say(B, A, each)
    if again:
        talk.say(A, B, sctp.data(3), sctp.data(4), later_us=SOON_US)
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    talk.say(A, B, sctp.data(4), later_us=SOON_US)
    talk.say(B, A, sctp.sack(5))
    return talk


def test_what_two_sacks_leave_out_is_needed_again(tmp_path: Path) -> None:
    ours, theirs = _both(_taken_back(by=[sctp.sack(1, [(4, 4)])] * 2, again=True), tmp_path)

    assert ours == theirs
    assert [row[4] for row in ours if row[1] == 3] == ["needed"]
    assert [row[8] for row in ours if row[1] == 3] == ["renege"]


def test_one_sack_that_leaves_it_out_may_have_come_late(tmp_path: Path) -> None:
    ours, theirs = _both(_taken_back(by=[sctp.sack(1, [(4, 4)])], again=True), tmp_path)

    assert ours == theirs
    assert [row[4] for row in ours if row[1] == 3] == ["spurious"]


def test_what_was_not_sent_again_was_not_taken_back(tmp_path: Path) -> None:
    ours, theirs = _both(_taken_back(by=[sctp.sack(1, [(4, 4)])] * 2, again=False), tmp_path)

    assert ours == theirs
    assert [row[4] for row in ours if row[1] == 4] == ["spurious"]


def test_a_sack_without_room_for_all_blocks_takes_nothing_back(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 14):
        talk.say(A, B, sctp.data(tsn))
    full = [(2, 2), (4, 4), (6, 6), (8, 8)]
    talk.say(B, A, sctp.sack(1, [(10, 10), (12, 12)]))
    for _ in range(3):
        talk.say(B, A, sctp.sack(1, full))
    talk.say(A, B, sctp.data(11), sctp.data(13), later_us=SOON_US)
    talk.say(B, A, sctp.sack(13))
    ours, theirs = _both(talk, tmp_path)

    assert ours == theirs
    assert {row[4] for row in ours} == {"spurious"}


def test_a_packet_drop_chunk_says_which_copy_did_not_arrive(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1))
    talk.say(B, A, sctp.sack(1))
    talk.say(A, B, sctp.data(2), sctp.data(3))
    quoted = sctp.packet(sctp.data(2), sctp.data(3), sport=A.port, dport=B.port, vtag=B.vtag)
    talk.say(B, A, sctp.packet_drop(quoted))
    talk.say(A, B, sctp.data(2), sctp.data(3), later_us=10_000)
    talk.say(B, A, sctp.sack(3), later_us=30_000)
    ours, theirs = _both(talk, tmp_path)

    assert ours == theirs
    assert [(row[4], row[8], row[9]) for row in ours] == [("needed", "packet_drop", 5)] * 2
