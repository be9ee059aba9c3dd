# SPDX-License-Identifier: BSD-2-Clause
"""Findings about senders, receivers and the capture appear where they should, and only there."""

import struct
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.findings import looks
from sctp_rack.findings.behaviour import behaviour
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.names import Finding, Severity

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, summary

SECOND = 1_000_000
SHUTDOWN_COMPLETE = 14


def sack(cum: int, window: int) -> bytes:
    """A SACK with this a_rwnd."""
    return sctp.chunk(sctp.SACK, 0, struct.pack(">IIHH", cum, window, 0, 0))


def found(talk: Talk, folder: Path) -> dict[str, CaptureFinding]:
    """By code; no code twice."""
    capture = summary(talk.write(folder))
    findings = looks.found(capture.associations, behaviour(capture))
    assert len({finding.code for finding in findings}) == len(findings)
    return {finding.code: finding for finding in findings}


def transfer(talk: Talk, first: int, last: int) -> None:
    """Two chunks, one acknowledgement, and so on."""
    for tsn in range(first, last, 2):
        talk.say(A, B, sctp.data(tsn))
        talk.say(A, B, sctp.data(tsn + 1))
        talk.say(B, A, sctp.sack(tsn + 1))


@pytest.mark.parametrize("whole", [True, False])
def test_a_clean_capture_has_none(tmp_path: Path, whole: bool) -> None:
    talk = Talk()
    if whole:
        talk.handshake()
    talk.say(B, A, sctp.sack(20))
    transfer(talk, 21 if whole else 41, 101)

    assert found(talk, tmp_path) == {}


def test_what_was_in_flight_when_the_capture_began_is_no_loss_of_the_capture(
    tmp_path: Path,
) -> None:
    talk = Talk()
    talk.say(A, B, sctp.data(10))  # sent again
    talk.say(B, A, sctp.sack(15))
    talk.say(A, B, sctp.data(31))
    talk.say(B, A, sctp.sack(25))
    talk.say(B, A, sctp.sack(31))
    transfer(talk, 32, 60)

    assert found(talk, tmp_path) == {}


@pytest.mark.parametrize("whole", [True, False])
def test_what_was_acknowledged_and_never_captured_was_missed(tmp_path: Path, whole: bool) -> None:
    talk = Talk()
    if whole:
        talk.handshake()
    transfer(talk, 1, 11)
    talk.say(A, B, sctp.data(13))
    frame = talk.say(B, A, sctp.sack(13))
    finding = found(talk, tmp_path)[Finding.CAPTURE_LOSS]

    assert finding.frames == [frame]
    assert "2 TSNs acknowledged and never captured" in finding.text


def test_a_chunk_that_the_capture_has_late_was_not_missed(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    transfer(talk, 1, 11)
    talk.say(B, A, sctp.sack(12))
    frame = talk.say(A, B, sctp.data(11), sctp.data(12), later_us=100)
    findings = found(talk, tmp_path)

    assert list(findings) == [Finding.INVERTED_ORDER]
    assert findings[Finding.INVERTED_ORDER].frames == [frame]


def test_chunks_captured_twice_are_counted(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 6):
        talk.say(A, B, sctp.data(tsn), ident=tsn)
        talk.say(A, B, sctp.data(tsn), ident=tsn, later_us=3)
    talk.say(B, A, sctp.sack(5))
    findings = found(talk, tmp_path)

    assert list(findings) == [Finding.CAPTURE_DUPLICATES]
    assert "5 packets captured twice" in findings[Finding.CAPTURE_DUPLICATES].text


def test_a_closed_window_is_timed(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1))
    talk.say(B, A, sack(1, 0))
    talk.say(B, A, sack(1, 1000), later_us=100_000)
    talk.say(A, B, sctp.data(2))
    closes = talk.say(B, A, sack(2, 0))
    talk.say(B, A, sack(2, 0), later_us=SECOND)
    opens = talk.say(B, A, sack(2, 1000), later_us=SECOND)
    findings = found(talk, tmp_path)

    assert list(findings) == [Finding.ZERO_WINDOW]
    assert findings[Finding.ZERO_WINDOW].frames == [closes, opens]
    assert "closed 2 times, for at least 2.0 s" in findings[Finding.ZERO_WINDOW].text


def test_acknowledgements_that_come_late_are_no_more_than_a_note(tmp_path: Path) -> None:
    """Nothing follows that would tell them from data that is taken back."""
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    talk.say(B, A, sctp.sack(1))
    talk.say(B, A, sctp.sack(1))

    assert found(talk, tmp_path)[Finding.RENEGING].severity == Severity.NOTE


def test_marks_without_end_are_left_out(tmp_path: Path) -> None:
    """Setup: 300 chunks are acknowledged and taken back 1,250 times, a mark for each. Expectation:
    those beyond the limit (docs/architecture.md) are counted in a finding, and what is taken back
    beyond another one in a second."""
    talk = Talk()
    talk.handshake()
    for tsn in range(1000, 1300):
        talk.say(A, B, sctp.data(tsn), later_us=50)
    for number in range(5000):
        talk.say(B, A, sctp.sack(999, [(2, 300 if number % 4 == 0 else 2)]), later_us=50)
    path = talk.write(tmp_path)
    capture = sctp_rack.read(path)

    assert [f.severity for f in capture.findings if f.code == Finding.MARK_LIMIT] == [
        Severity.WARNING
    ]
    assert len(capture.table("rack_marks")) <= 28 * 300 + 28672
    assert [f.severity for f in capture.findings if f.code == Finding.ENDLESS_RENEGING] == [
        Severity.WARNING
    ]
    assert sum(len(row["reneged"] or []) for row in capture.table("sacks")) <= 16 * 5300


def test_a_receiver_that_has_not_yet_got_the_first_tsn_misses_nothing(tmp_path: Path) -> None:
    """RFC 9260 section 3.3.4: it reports the one before."""
    talk = Talk()
    talk.handshake()
    for tsn in range(1000, 1004):
        talk.say(A, B, sctp.data(tsn), later_us=50)
    talk.say(B, A, sctp.sack(999, [(2, 2)]))
    talk.say(B, A, sctp.sack(1003), later_us=100)
    transfer(talk, 1004, 1024)

    assert Finding.CAPTURE_LOSS not in found(talk, tmp_path)


def test_data_that_is_taken_back_is_named(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    frame = talk.say(B, A, sctp.sack(1))
    talk.say(B, A, sctp.sack(1))
    talk.say(A, B, *(sctp.data(tsn) for tsn in range(2, 6)))
    talk.say(B, A, sctp.sack(5))
    findings = found(talk, tmp_path)

    assert list(findings) == [Finding.RENEGING]
    assert findings[Finding.RENEGING].frames == [frame]
    assert "3 TSNs (class 4) taken back" in findings[Finding.RENEGING].text


def _gap(
    tmp_path: Path, pause_us: int, *after: tuple[int, int, bytes]
) -> dict[str, CaptureFinding]:
    """A transfer, one more TSN, a pause, and what follows it."""
    talk = Talk()
    talk.handshake()
    transfer(talk, 1, 31)
    talk.say(A, B, sctp.data(31))
    for first, (later_us, side, chunk) in enumerate(after):
        ends = (A, B) if side == 0 else (B, A)
        talk.say(*ends, chunk, later_us=later_us + (pause_us if first == 0 else 0))
    return found(talk, tmp_path)


def test_time_that_passes_without_a_timer_is_a_step_of_the_clock(tmp_path: Path) -> None:
    """Setup: a TSN is acknowledged 5 s after it was sent, the next frame of the capture, and was
    not sent again though the timeout is 1 s. Expectation: the frame is named."""
    findings = _gap(tmp_path, 5 * SECOND, (0, 1, sctp.sack(31)))
    finding = findings[Finding.TIME_JUMPS_FORWARD]

    assert finding.severity == "warning"
    assert "5.0 s pass without a frame while data is outstanding" in finding.text
    assert len(finding.frames) == 1


@pytest.mark.parametrize(
    "after",
    [
        ((0, 0, sctp.data(31)), (10_000, 1, sctp.sack(31))),
        ((0, 0, sctp.data(32)), (10_000, 1, sctp.sack(32))),
        ((-3 * SECOND, 1, sctp.sack(31)),),
        ((0, 1, sctp.sack(40)),),
    ],
    ids=["sent_again", "goes_on", "too_short", "capture_loss"],
)
def test_a_pause_is_no_step_of_the_clock(
    after: tuple[tuple[int, int, bytes], ...], tmp_path: Path
) -> None:
    assert Finding.TIME_JUMPS_FORWARD not in _gap(tmp_path, 5 * SECOND, *after)


def test_rare_and_late_acknowledgements_are_noted(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for first in range(1, 201, 5):
        for tsn in range(first, first + 5):
            talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(first + 4))
    talk.say(A, B, sctp.data(201))
    talk.say(B, A, sctp.sack(201), later_us=700_000)

    assert set(found(talk, tmp_path)) == {
        Finding.RARE_ACKNOWLEDGEMENTS,
        Finding.LATE_ACKNOWLEDGEMENTS,
    }


@pytest.mark.parametrize(("silence_s", "stuck"), [(2, False), (60, True)])
def test_a_sender_that_keeps_data_and_falls_silent_is_stuck(
    tmp_path: Path, silence_s: int, stuck: bool
) -> None:
    talk = Talk()
    talk.handshake()
    transfer(talk, 1, 21)
    frame = talk.say(A, B, sctp.data(21))
    talk.say(B, A, sctp.cookie_ack(), later_us=silence_s * SECOND)
    findings = found(talk, tmp_path)

    assert list(findings) == ([Finding.STUCK_SENDER] if stuck else [])
    if stuck:
        assert findings[Finding.STUCK_SENDER].frames == [frame]


def test_a_sender_whose_association_is_over_is_not_stuck(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    transfer(talk, 1, 21)
    talk.say(A, B, sctp.data(21))
    talk.say(B, A, sctp.chunk(SHUTDOWN_COMPLETE, 0, b""))
    talk.say(B, A, sctp.cookie_ack(), later_us=100 * SECOND)

    assert found(talk, tmp_path) == {}


def test_a_sender_that_backs_off_is_not_stuck(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    transfer(talk, 1, 21)
    talk.say(A, B, sctp.data(21))
    for wait in (1, 2, 4, 8):
        talk.say(A, B, sctp.data(21), later_us=wait * SECOND)
    talk.say(B, A, sctp.cookie_ack(), later_us=15 * SECOND)

    assert found(talk, tmp_path) == {}
