# SPDX-License-Identifier: BSD-2-Clause
"""A file out of which packets without data were filtered is recognised, and nothing made up."""

import struct
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.findings.find import find
from sctp_rack.names import Finding, Severity
from sctp_rack.summary.opening import headline

from tests.builder import layers, sctp
from tests.builder.talk import COOKIE_ECHO, A, B, End, Talk, in_ipv4, init, rows, summary
from tests.captures import COLLECTION, bundled, needs_collection

SECOND = 1_000_000
FORWARD_TSN = 192
MADE_UP = {
    Finding.STUCK_SENDER,
    Finding.CAPTURE_LOSS,
    Finding.RARE_ACKNOWLEDGEMENTS,
    Finding.LATE_ACKNOWLEDGEMENTS,
    Finding.UNSEEN_TSNS,
    Finding.TIME_JUMPS_FORWARD,
    Finding.ONE_WAY,
}


def codes(path: Path) -> list[str]:
    """Of the findings."""
    return [finding.code for finding in find(summary(path))]


def signalling(*, bare: bool = False, pause_us: int = 3 * SECOND, last: int = 12) -> Talk:
    """Requests and answers with their SACKs, some TSNs never shown, the last request unanswered."""
    talk = Talk()
    for at in range(last):
        talk.say(A, B, sctp.sack(501 + 2 * at), sctp.data(1000 + 2 * at), later_us=pause_us)
        if bare:
            talk.say(B, A, sctp.sack(1000 + 2 * at))
        talk.say(B, A, sctp.sack(1001 + 2 * at), sctp.data(503 + 2 * at))
    talk.say(A, B, sctp.data(1000 + 2 * last))
    talk.say(A, B, sctp.data(1001 + 2 * last), later_us=60 * SECOND)
    return talk


def test_a_filtered_file_says_so_and_nothing_that_is_made_up(tmp_path: Path) -> None:
    path = signalling().write(tmp_path)
    findings = find(summary(path))

    assert findings[0].code == Finding.FILTERED and findings[0].severity == Severity.WARNING
    assert "none of 26 SCTP packets is without" in findings[0].text
    assert not MADE_UP & {finding.code for finding in findings}


def test_the_first_line_of_a_filtered_file_claims_nothing(tmp_path: Path) -> None:
    assert headline(summary(signalling().write(tmp_path))) == (
        "26 DATA chunks; packets without DATA were filtered out of the file, so what was lost, and "
        "why anything came again, cannot be told."
    )


def test_in_a_filtered_file_no_loss_no_mark_and_no_round_trip_is_made_up(tmp_path: Path) -> None:
    path = signalling().write(tmp_path)

    assert rows(path, "rack_marks") == rows(path, "probes") == rows(path, "rtt_samples") == []
    assert not any(row["rtt_ns"] for row in rows(path, "sacks"))
    assert {row["outcome"] for row in rows(path, "transmissions")} <= {"acked", "unresolved"}


def test_what_is_sent_again_in_a_filtered_file_stays_open(tmp_path: Path) -> None:
    talk = signalling()
    talk.say(B, A, sctp.data(527))
    talk.say(B, A, sctp.data(527), later_us=3 * SECOND)
    path = talk.write(tmp_path)
    (again,) = (row for row in rows(path, "transmissions") if row["kind"] == "retransmission")

    assert summary(path).filtered
    assert (again["verdict"], again["cause"]) == ("undetermined", "unknown")
    assert (again["verdict_class"], again["cause_class"], again["evidence"]) == (1, 1, [])
    assert again["outcome"] == "unresolved"


def test_one_packet_without_data_shows_that_it_is_not_filtered(tmp_path: Path) -> None:
    assert Finding.FILTERED not in codes(signalling(bare=True).write(tmp_path))


def test_sacks_that_all_ride_along_in_time_are_no_reason(tmp_path: Path) -> None:
    talk = Talk()
    for at in range(50):
        talk.say(A, B, sctp.sack(500 + at), sctp.data(1000 + at))
        talk.say(B, A, sctp.sack(1000 + at), sctp.data(501 + at))

    assert codes(talk.write(tmp_path)) == []


def test_a_wait_in_which_the_data_is_sent_again_is_no_reason(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(B, A, sctp.data(500))
    talk.say(A, B, sctp.sack(500), sctp.data(1000))
    talk.say(A, B, sctp.data(1000), later_us=SECOND)
    talk.say(A, B, sctp.data(1000), later_us=2 * SECOND)
    talk.say(B, A, sctp.sack(1000), sctp.data(501))
    talk.say(A, B, sctp.sack(501), sctp.data(1001))

    assert Finding.FILTERED not in codes(talk.write(tmp_path))


@pytest.mark.parametrize(("wait_us", "filtered"), [(1_400_000, False), (1_600_000, True)])
def test_what_a_receiver_may_wait_is_no_reason(
    tmp_path: Path, wait_us: int, filtered: bool
) -> None:
    talk = Talk()
    talk.say(B, A, sctp.data(500))
    talk.say(A, B, sctp.sack(500), sctp.data(1000))
    talk.say(B, A, sctp.sack(1000), sctp.data(501), later_us=wait_us)
    talk.say(A, B, sctp.sack(501), sctp.data(1001))

    assert summary(talk.write(tmp_path)).filtered == filtered


def other_frames(packet: bytes, source: End, to: End, ident: int) -> bytes:
    """Packets of other hosts are no SCTP."""
    if source in (A, B):
        return in_ipv4(packet, source, to, ident)
    return layers.ipv4(layers.UDP, layers.udp(1, 2, b"other"), ident=ident)


def test_frames_without_sctp_show_how_long_nothing_came(tmp_path: Path) -> None:
    talk = Talk(other_frames)
    talk.say(B, A, sctp.data(500))
    talk.say(A, B, sctp.sack(500), sctp.data(1000))
    talk.say(B, A, sctp.sack(1000), sctp.data(501))
    assert codes(talk.write(tmp_path)) == []

    talk.say(End("10.9.9.9", 1, 1), B, b"", later_us=60 * SECOND)
    assert codes(talk.write(tmp_path)) == [Finding.FILTERED]


def test_what_the_sender_gave_up_is_no_reason(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(B, A, sctp.data(500))
    talk.say(A, B, sctp.sack(500), sctp.data(1000))
    talk.say(A, B, sctp.chunk(FORWARD_TSN, 0, struct.pack(">I", 1000)), sctp.data(1001))
    for at in range(40):
        talk.say(B, A, sctp.sack(999, [(2, 2 + at)]), sctp.data(501 + at), later_us=100_000)
        talk.say(A, B, sctp.sack(501 + at), sctp.data(1002 + at))

    assert not summary(talk.write(tmp_path)).filtered


def test_a_side_that_was_not_captured_is_no_reason(tmp_path: Path) -> None:
    talk = Talk()
    for at in range(20):
        talk.say(A, B, sctp.data(1000 + at), later_us=SECOND)

    assert codes(talk.write(tmp_path)) == [Finding.ONE_WAY]


def test_chunks_captured_twice_are_told_in_a_filtered_file_too(tmp_path: Path) -> None:
    talk = signalling()
    talk.say(B, A, sctp.data(700), ident=999)
    talk.say(B, A, sctp.data(700), ident=999, later_us=3)

    assert codes(talk.write(tmp_path)) == [Finding.FILTERED, Finding.CAPTURE_DUPLICATES]


@pytest.mark.parametrize("path", bundled(), ids=lambda path: path.name)
def test_no_whole_capture_is_taken_for_a_filtered_one(path: Path) -> None:
    session = Session(str(path), ["transmissions"])
    session.read_all()

    assert not session.filtered


def test_a_sack_above_what_was_seen_measures_nothing(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))
    talk.say(A, B, sctp.data(1001))
    missed = talk.say(B, A, sctp.sack(1003), later_us=7 * SECOND)
    talk.say(A, B, sctp.data(1004))
    talk.say(B, A, sctp.sack(1004))
    path = talk.write(tmp_path)
    by_frame = {row["frame"]: row for row in rows(path, "sacks")}

    assert by_frame[missed]["rtt_ns"] is None and by_frame[missed]["newly_acked"] == 1
    assert missed not in {row["frame"] for row in rows(path, "rtt_samples")}
    assert by_frame[missed + 2]["rtt_ns"] == 10_000_000


def test_a_sack_above_what_was_seen_measures_no_loop_either(tmp_path: Path) -> None:
    """Both loops take 40 ms, that to the receiver 30."""
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=40_000)
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1003), later_us=1_000)
    talk.say(A, B, sctp.data(1004))
    talk.say(B, A, sctp.sack(1004), later_us=30_000)
    (path,) = (row for row in rows(talk.write(tmp_path), "paths") if row["dir"] == "a2b")

    assert path["loop_hi_ns"] == 10_000_000


@needs_collection
@pytest.mark.parametrize(
    "name", ["real/open5gs_testregistration.pcapng", "wild/tcpdump_isup_bigendian.pcap"]
)
def test_real_captures_that_were_filtered_are_recognised(name: str) -> None:
    path = COLLECTION / name
    if not path.is_file():
        pytest.skip("this capture is not in the collection")
    found = codes(path)

    assert found[0] == Finding.FILTERED and not MADE_UP & set(found)
    assert rows(path, "rack_marks") == rows(path, "rtt_samples") == []
