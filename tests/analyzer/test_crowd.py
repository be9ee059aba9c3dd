# SPDX-License-Identifier: BSD-2-Clause
"""Associations that nobody looks at by themselves: they change nothing of what is said of all."""

import io
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.findings.find import find
from sctp_rack.findings.looks import crowd_of, others_of
from sctp_rack.many.figures import CaptureRow, Figures
from sctp_rack.recovery.gathering import TABLES
from sctp_rack.summary.of_session import summarise
from sctp_rack.summary.opening import Headline
from sctp_rack.summary.show import write_text
from sctp_rack.summary.summary import Association, Summary

from tests.builder import sctp
from tests.builder.talk import ABORT, INIT_ACK, A, B, End, Talk, init, shutdown, summary
from tests.captures import bundled, name_of
from tests.hostile.shape import Shape
from tests.hostile.shapes import SHAPES

ERROR, HEARTBEAT, SHUTDOWN_ACK, SHUTDOWN_COMPLETE = 9, 4, 8, 14
SECOND = 1_000_000


def said(one: Summary) -> tuple[str, object, CaptureRow]:
    """The text, all findings, and the row of the capture beside others."""
    headline = Headline(one)
    figures = Figures(one, headline)

    def look(association: Association) -> None:
        headline.add(association)
        figures.add(association)

    text, findings = io.StringIO(), find(one, look)
    write_text(one, findings, text)
    return text.getvalue(), findings, figures.row(findings)


def each_by_itself(one: Summary) -> Summary:
    """Without a crowd."""
    return replace(one, associations=list(one.associations))


def assert_the_same(path: Path) -> None:
    """With a crowd and without."""
    one = summarise(Session(str(path), TABLES))
    assert said(one) == said(each_by_itself(one))


@pytest.mark.parametrize("path", bundled(), ids=name_of)
def test_a_crowd_changes_nothing_of_what_is_said_of_a_sample(path: Path) -> None:
    assert_the_same(path)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_crowd_changes_nothing_of_what_is_said_of_a_hostile_capture(
    tmp_path: Path, shape: Shape
) -> None:
    if shape.file is not None:
        pytest.skip("what differs is its file, not its associations")
    assert_the_same(shape.make(tmp_path, 24_000).path)


def plain(talk: Talk, a: End = A, b: End = B) -> None:
    """From its INIT to its SHUTDOWN COMPLETE."""
    talk.handshake(a, b)
    talk.say(a, b, sctp.data(1000))
    talk.say(a, b, sctp.data(1001))
    talk.say(b, a, sctp.sack(1001))
    talk.say(a, b, shutdown(999))
    talk.say(b, a, sctp.chunk(SHUTDOWN_ACK, 0, b""))
    talk.say(a, b, sctp.chunk(SHUTDOWN_COMPLETE, 0, b""))


def ends(number: int) -> tuple[End, End]:
    """Two that no other association has."""
    return (
        End(f"10.0.0.{number}", 5000, 0xA0000000 + number),
        End(f"10.0.1.{number}", 6000, 0xB0000000 + number),
    )


def test_of_associations_alike_nobody_looks_at_any(tmp_path: Path) -> None:
    talk = Talk()
    for number in range(1, 31):
        plain(talk, *ends(number))
    one = summary(talk.write(tmp_path))
    crowd = crowd_of(one.associations)

    assert list(others_of(one.associations)) == []
    assert (crowd.talking, crowd.chunks, crowd.bytes, crowd.tsns, crowd.acked) == (
        *(30, 60, one.associations[0].a.data.bytes * 30),  # type: ignore[union-attr]
        *(60, 60),
    )
    assert said(one) == said(each_by_itself(one))


def test_of_those_that_send_most_the_first_are_told(tmp_path: Path) -> None:
    """Setup: 24 associations; the later half send twice as much."""
    talk = Talk()
    for number in range(1, 25):
        a, b = ends(number)
        talk.handshake(a, b)
        for tsn in range(1000, 1004 if number > 12 else 1002):
            talk.say(a, b, sctp.data(tsn))
            talk.say(b, a, sctp.sack(tsn))
    one = summary(talk.write(tmp_path))
    text, *_ = said(one)

    assert list(others_of(one.associations)) == []
    assert [f"\nAssociation {number}:" in text for number in range(24)] == [
        *[False] * 12,
        *[True] * 8,
        *[False] * 4,
    ]
    assert said(one) == said(each_by_itself(one))


def _aborts(talk: Talk) -> None:
    talk.handshake()
    talk.say(B, A, sctp.chunk(ABORT, 0, b""))


def _errs(talk: Talk) -> None:
    talk.handshake()
    talk.say(B, A, sctp.chunk(ERROR, 0, struct.pack(">HH", 8, 4)))


def _sends_again(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(A, B, sctp.data(1000), later_us=3 * SECOND)
    talk.say(B, A, sctp.sack(1000))


def _leaves_a_tsn_out(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(A, B, sctp.data(1002))


def _acknowledges_what_nobody_saw(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1005))


def _says_something_else(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000, payload=b"this"))
    talk.say(A, B, sctp.data(1000, payload=b"that"))


def _waits_for_its_cookie(talk: Talk) -> None:
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, init(B, INIT_ACK))


def _comes_twice(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000), ident=77)
    talk.say(A, B, sctp.data(1000), ident=77, later_us=10)


def _has_a_wrong_checksum(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000), checksum=lambda _packet: 0x01020304)


def _cannot_be_decoded(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, b"\0\0\0\2")


def _contradicts_itself(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.chunk(sctp.SACK, 0, struct.pack(">IIHHHH", 1000, 9999, 1, 0, 3, 2)))


def _is_acknowledged_in_part(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))
    talk.say(A, B, sctp.data(1001))


def _closes_its_window(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.chunk(sctp.SACK, 0, struct.pack(">IIHH", 1000, 0, 0, 0)))
    talk.say(B, A, sctp.chunk(sctp.SACK, 0, struct.pack(">IIHH", 1000, 9999, 0, 0)))


def _acknowledges_late(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(A, B, sctp.data(1001))
    talk.say(B, A, sctp.sack(1001))
    talk.say(A, B, sctp.data(1002))
    talk.say(B, A, sctp.sack(1002), later_us=SECOND)


def _overtakes_its_acknowledgement(talk: Talk) -> None:
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(A, B, sctp.data(1001))
    talk.say(B, A, sctp.sack(1001))
    talk.say(B, A, sctp.sack(1000))


def _goes_on(talk: Talk) -> None:
    talk.handshake()
    for tsn in range(1000, 1007):
        talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(tsn))


@pytest.mark.parametrize(
    "tells",
    [
        _aborts,
        _errs,
        _sends_again,
        _leaves_a_tsn_out,
        _acknowledges_what_nobody_saw,
        _says_something_else,
        _waits_for_its_cookie,
        _comes_twice,
        _has_a_wrong_checksum,
        _cannot_be_decoded,
        _contradicts_itself,
        _is_acknowledged_in_part,
        _closes_its_window,
        _acknowledges_late,
        _overtakes_its_acknowledgement,
        _goes_on,
    ],
    ids=lambda tells: tells.__name__.strip("_"),
)
def test_who_tells_something_is_looked_at(tmp_path: Path, tells: Callable[[Talk], None]) -> None:
    talk = Talk()
    plain(talk, *ends(1))
    tells(talk)
    plain(talk, *ends(2))
    one = summary(talk.write(tmp_path))

    assert [other.assoc for other in others_of(one.associations)] == [1]
    assert said(one) == said(each_by_itself(one))


def test_inits_that_nobody_answers_are_counted_in_the_crowd(tmp_path: Path) -> None:
    talk = Talk()
    for number in range(1, 12):
        a, b = ends(number)
        talk.say(a, b, init(a), vtag=0)
    plain(talk, *ends(12))
    talk.say(*ends(12), sctp.chunk(HEARTBEAT, 0, b""), later_us=3 * SECOND)
    one = summary(talk.write(tmp_path))
    text, *_ = said(one)

    assert len(crowd_of(one.associations).unanswered) == 11
    assert "INIT was never answered in 11 associations" in text
    assert said(one) == said(each_by_itself(one))
