# SPDX-License-Identifier: BSD-2-Clause
"""SSN/TSN resets (RFC 6525 section 5.2.4): TSNs begin anew, and nothing is lost by that."""

from pathlib import Path

import pytest
from sctp_rack.findings.find import find
from sctp_rack.names import Finding

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows, summary

FIRST = 1000
MODULUS = 1 << 32
#: What the answer tells the sender to go on with: as RFC 6525 has it, as usrsctp does, across the
#: wrap, near below what was sent.
NEXT = {
    "rfc6525": FIRST + 10 + (1 << 31),
    "usrsctp": FIRST + 10 + 4096,
    "wraps": MODULUS - 3,
    "below": FIRST - 500,
}

LOSS = {Finding.CAPTURE_LOSS, Finding.UNSEEN_TSNS, Finding.NUMBERING_JUMPS, Finding.RENEGING}

each_next = pytest.mark.parametrize("following", NEXT.values(), ids=NEXT)


def _send(talk: Talk, first: int, count: int, lost: int = -1) -> None:
    """Data from A, each acknowledged; one is lost behind the tap, and sent again after 3 others."""
    tsns = [(first + i) % MODULUS for i in range(count)]
    for i, tsn in enumerate(tsns):
        talk.say(A, B, sctp.data(tsn))
        if 0 <= lost <= i:
            cum = (tsns[lost] - 1) % MODULUS
            gaps = [(2, i - lost + 1)] if i > lost else []
            talk.say(B, A, sctp.sack(cum, gaps))
        else:
            talk.say(B, A, sctp.sack(tsn))
    if lost >= 0:
        talk.say(A, B, sctp.data(tsns[lost]))
        talk.say(B, A, sctp.sack(tsns[-1]))


def _reset(talk: Talk, following: int, own: int = FIRST, result: int = 1) -> None:
    talk.say(A, B, sctp.tsn_reset_request(1))
    talk.say(B, A, sctp.tsn_reset_response(1, own, following, result))


def _codes(path: Path) -> set[str]:
    return {finding.code for finding in find(summary(path))}


@each_next
def test_nothing_is_lost_or_sent_again_by_a_reset(following: int, tmp_path: Path) -> None:
    """Setup: ten TSNs, a reset, ten others; all arrive. Expectation: twenty originals, acknowledged
    at once, no mark, and no finding speaks of a hole or a jump."""
    talk = Talk()
    talk.handshake()
    _send(talk, FIRST, 10)
    _reset(talk, following)
    _send(talk, following, 10)
    path = talk.write(tmp_path)
    sent = rows(path, "transmissions")

    assert [row["kind"] for row in sent] == ["original"] * 20
    assert {(row["outcome"], row["outcome_class"]) for row in sent} == {("acked", 5)}
    assert [row["acked_frame"] for row in sent] == [row["frame"] + 1 for row in sent]
    assert [row["newly_acked"] for row in rows(path, "sacks")] == [1] * 20
    assert {row["rtxq_bytes"] for row in rows(path, "sacks")} == {0}
    assert rows(path, "rack_marks") == []
    assert _codes(path).isdisjoint(LOSS)
    data = summary(path).associations[0].a.data
    assert data is not None
    assert (data.resets, data.jumps, data.tsns) == (1, 0, 20)
    assert (data.lowest_tsn, data.highest_tsn) == (following, (following + 9) % MODULUS)


@each_next
def test_recovery_goes_on_after_a_reset(following: int, tmp_path: Path) -> None:
    """Setup: after the reset a TSN is lost and sent again at the third missing report.
    Expectation: that, and the samples of round trips, as without a reset."""
    talk = Talk()
    talk.handshake()
    _send(talk, FIRST, 10)
    _reset(talk, following)
    _send(talk, following, 6, lost=2)
    path = talk.write(tmp_path)
    again = [row for row in rows(path, "transmissions") if row["kind"] == "retransmission"]
    lost = [row for row in rows(path, "transmissions") if row["outcome"] == "lost"]
    samples = [row for row in rows(path, "rtt_samples") if row["tag"] != "handshake"]

    assert [(row["tsn"], row["copy"], row["cause"]) for row in again] == [
        ((following + 2) % MODULUS, 2, "fast")
    ]
    assert [row["frame"] for row in lost] == [again[0]["first_frame"]]
    assert len(samples) >= 15
    marks = {(row["tsn"], row["resolution"]) for row in rows(path, "rack_marks")}
    assert marks == {((following + 2) % MODULUS, "true_loss")}


def test_a_first_packet_lost_before_the_tap_is_missed(tmp_path: Path) -> None:
    """Setup: the first TSN after the reset never passes the tap before it is sent again.
    Expectation: its copy that does is a retransmission."""
    talk, following = Talk(), NEXT["rfc6525"]
    talk.handshake()
    _send(talk, FIRST, 4)
    _reset(talk, following)
    for i in range(1, 4):
        talk.say(A, B, sctp.data(following + i))
        talk.say(B, A, sctp.sack(following - 1, [(2, 1 + i)]))
    talk.say(A, B, sctp.data(following))
    talk.say(B, A, sctp.sack(following + 3))
    kinds = {row["tsn"]: row["kind"] for row in rows(talk.write(tmp_path), "transmissions")}

    assert kinds[following] == "retransmission"
    assert kinds[following + 1] == "original"


def test_an_answer_that_is_repeated_resets_once(tmp_path: Path) -> None:
    talk, following = Talk(), NEXT["usrsctp"]
    talk.handshake()
    _send(talk, FIRST, 10)
    _reset(talk, following)
    _send(talk, following, 5)
    _reset(talk, following)
    _send(talk, following + 5, 5)
    path = talk.write(tmp_path)

    assert {row["kind"] for row in rows(path, "transmissions")} == {"original"}
    assert {row["outcome"] for row in rows(path, "transmissions")} == {"acked"}
    assert _codes(path).isdisjoint(LOSS)


def test_a_reset_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    _send(talk, FIRST, 10)
    _reset(talk, NEXT["usrsctp"], result=2)
    _send(talk, FIRST + 10, 10)
    path = talk.write(tmp_path)

    assert {row["outcome"] for row in rows(path, "transmissions")} == {"acked"}
    assert _codes(path).isdisjoint(LOSS)
    data = summary(path).associations[0].a.data
    assert data is not None
    assert data.resets == 0


def test_what_is_outstanding_at_a_reset_is_given_up(tmp_path: Path) -> None:
    """Setup: two TSNs are not acknowledged when the sender asks for the reset (RFC 6525 section
    5.1.4, C2). Expectation: abandoned; not lost, not outstanding any more."""
    talk, following = Talk(), NEXT["rfc6525"]
    talk.handshake()
    _send(talk, FIRST, 5)
    talk.say(A, B, sctp.data(FIRST + 5))
    talk.say(A, B, sctp.data(FIRST + 6))
    _reset(talk, following)
    _send(talk, following, 5)
    path = talk.write(tmp_path)
    outcomes = [row["outcome"] for row in rows(path, "transmissions")]

    assert outcomes == ["acked"] * 5 + ["abandoned"] * 2 + ["acked"] * 5
    assert rows(path, "sacks")[-1]["outstanding_bytes"] == 0
    assert rows(path, "rack_marks") == []


def test_the_answering_side_is_numbered_anew_too(tmp_path: Path) -> None:
    """Setup: B, which answers, goes on with another TSN of its own as well."""
    talk, own = Talk(), FIRST + 50_000
    talk.handshake()
    for first in (FIRST, own):
        if first == own:
            _reset(talk, FIRST, own)
        for i in range(6):
            talk.say(B, A, sctp.data(first + i))
            talk.say(A, B, sctp.sack(first + i))
    path = talk.write(tmp_path)

    assert [row["kind"] for row in rows(path, "transmissions")] == ["original"] * 12
    assert {row["outcome"] for row in rows(path, "transmissions")} == {"acked"}
    assert _codes(path).isdisjoint(LOSS)


def _answered(talk: Talk, number: int, following: int) -> None:
    """Ten TSNs with an answer after five of them, which the sender does not heed."""
    _send(talk, FIRST, 5)
    talk.say(B, A, sctp.tsn_reset_response(number, FIRST, following))
    _send(talk, FIRST + 5, 5)


@pytest.mark.parametrize("asked", [None, 7])
def test_an_answer_that_nobody_asked_for_changes_nothing(asked: int | None, tmp_path: Path) -> None:
    """Setup: a response with the number of no request of the other side (RFC 6525 section 5.2.7).
    Expectation: the numbering goes on, nothing is given up or sent again."""
    talk = Talk()
    talk.handshake()
    if asked is not None:
        talk.say(A, B, sctp.tsn_reset_request(asked))
    talk.say(B, A, sctp.tsn_reset_request(8))
    _answered(talk, 8, NEXT["usrsctp"])
    path = talk.write(tmp_path)

    assert {row["kind"] for row in rows(path, "transmissions")} == {"original"}
    assert {row["outcome"] for row in rows(path, "transmissions")} == {"acked"}
    data = summary(path).associations[0].a.data
    assert data is not None
    assert data.resets == 0


def test_an_answer_with_a_wrong_checksum_changes_nothing(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    _send(talk, FIRST, 5)
    talk.say(A, B, sctp.tsn_reset_request(1))
    answer = sctp.tsn_reset_response(1, FIRST, NEXT["usrsctp"])
    talk.say(B, A, answer, checksum=sctp.wrong)
    _send(talk, FIRST + 5, 5)

    assert {row["outcome"] for row in rows(talk.write(tmp_path), "transmissions")} == {"acked"}


def test_what_was_asked_before_the_capture_is_answered_in_it(tmp_path: Path) -> None:
    """Setup: the capture begins between the request and its answer."""
    talk, following = Talk(), NEXT["rfc6525"]
    _send(talk, FIRST, 5)
    talk.say(B, A, sctp.tsn_reset_response(1, FIRST, following))
    _send(talk, following, 5)
    path = talk.write(tmp_path)

    assert {row["kind"] for row in rows(path, "transmissions")} == {"original"}
    assert {row["outcome"] for row in rows(path, "transmissions")} == {"acked"}
    assert _codes(path).isdisjoint(LOSS)
