# SPDX-License-Identifier: BSD-2-Clause
"""What is said of ICMP errors that quote SCTP, of unanswered HEARTBEATs, of fragments left over."""

import struct
from pathlib import Path

import pytest
from click.testing import CliRunner
from sctp_rack.commands.cli import cli
from sctp_rack.findings.find import find
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import found
from sctp_rack.findings.unreachable import unreachable
from sctp_rack.names import Finding, Severity

from tests.builder import layers, sctp
from tests.builder.files import Pcapng
from tests.builder.talk import ABORT, RAW, A, B, End, Talk, init, summary
from tests.captures import COLLECTION, needs_collection

SECOND = 1_000_000
HEARTBEAT, HEARTBEAT_ACK = 4, 5
PACKET = sctp.packet(sctp.data(1), sport=5000, dport=6000)
OTHER = End("10.0.1.1", A.port, A.vtag)


def written(folder: Path, *frames: bytes) -> Path:
    """Raw IP frames, 10 ms apart."""
    file = Pcapng()
    file.interface(RAW)
    for at, frame in enumerate(frames):
        file.packet(frame, ticks=1_700_000_000 * SECOND + at * 10_000)
    path = folder / "icmp.pcapng"
    path.write_bytes(bytes(file))
    return path


def of(path: Path) -> list[CaptureFinding]:
    """What is said of packets that get nowhere."""
    capture = summary(path)
    return found(capture.associations, unreachable(capture))


def error_v4(kind: int, code: int, quoted: bytes = PACKET, rest: bytes = bytes(4)) -> bytes:
    """From 10.0.0.9, about a packet from 10.0.0.1:5000 to 10.0.0.2:6000."""
    quote = layers.ipv4(layers.SCTP, quoted)
    message = struct.pack(">BBH", kind, code, 0) + rest + quote
    return layers.ipv4(layers.ICMP, message, src="10.0.0.9", dst="10.0.0.1")


def error_v6(kind: int, code: int, rest: bytes = bytes(4)) -> bytes:
    """Likewise."""
    quote = layers.ipv6(layers.SCTP, PACKET)
    message = struct.pack(">BBH", kind, code, 0) + rest + quote
    return layers.ipv6(layers.ICMPV6, message, src="2001:db8::9", dst="2001:db8::1")


@pytest.mark.parametrize(
    ("frame", "what"),
    [
        (error_v4(3, 0), "network unreachable"),
        (error_v4(3, 1), "host unreachable"),
        (error_v4(3, 2), "protocol unreachable"),
        (error_v4(3, 3), "port unreachable"),
        (error_v4(3, 13), "prohibited"),
        (error_v4(3, 99), "destination unreachable"),
        (error_v4(11, 0), "hop limit exceeded"),
        (error_v4(11, 1), "reassembly time exceeded"),
        (error_v4(12, 0), "parameter problem"),
        (error_v6(1, 0), "network unreachable"),
        (error_v6(1, 3), "host unreachable"),
        (error_v6(1, 4), "port unreachable"),
        (error_v6(1, 1), "prohibited"),
        (error_v6(3, 0), "hop limit exceeded"),
        (error_v6(4, 1), "protocol unreachable"),
        (error_v6(4, 0), "parameter problem"),
    ],
)
def test_an_icmp_error_says_what_is_unreachable(tmp_path: Path, frame: bytes, what: str) -> None:
    (finding,) = of(written(tmp_path, frame, frame))
    source = "10.0.0.1" if frame[0] >> 4 == 4 else "[2001:db8::1]"

    assert (finding.severity, finding.code) == (Severity.WARNING, Finding.ICMP_UNREACHABLE)
    assert finding.frames == [1, 2]
    assert finding.text.startswith(f"ICMP says '{what}' of 2 SCTP packets from {source}:5000 to ")


@pytest.mark.parametrize(
    ("frame", "mtu"),
    [
        (error_v4(3, 4, rest=struct.pack(">HH", 0, 1400)), "1,400"),
        (error_v6(2, 0, rest=struct.pack(">I", 1280)), "1,280"),
    ],
)
def test_a_packet_that_is_too_big_is_told_with_the_mtu(
    tmp_path: Path, frame: bytes, mtu: str
) -> None:
    (finding,) = of(written(tmp_path, frame))

    assert (finding.severity, finding.code) == (Severity.WARNING, Finding.ICMP_TOO_BIG)
    assert f"whose MTU is {mtu} bytes, of 1 SCTP packet" in finding.text


@pytest.mark.parametrize("kind", [4, 5])
def test_a_source_quench_and_a_redirect_drop_nothing(tmp_path: Path, kind: int) -> None:
    (finding,) = of(written(tmp_path, error_v4(kind, 1)))

    assert (finding.severity, finding.code) == (Severity.NOTE, Finding.ICMP_QUOTES)


def test_a_quote_that_is_cut_is_told_without_ports(tmp_path: Path) -> None:
    (finding,) = of(written(tmp_path, error_v4(3, 3, quoted=PACKET[:2])))

    assert "from 10.0.0.1 to 10.0.0.2, by 10.0.0.9" in finding.text


def test_quotes_of_other_protocols_are_none_of_our_business(tmp_path: Path) -> None:
    quote = layers.ipv4(layers.UDP, layers.udp(1, 2, b"other"))
    frame = layers.ipv4(layers.ICMP, layers.icmp(3, 3, quote))

    assert of(written(tmp_path, frame)) == []


def test_more_kinds_of_errors_than_are_kept_are_counted(tmp_path: Path) -> None:
    frames = [
        error_v4(3, 3, quoted=sctp.packet(sctp.data(1), sport=port)) for port in range(1, 101)
    ]
    told, others = of(written(tmp_path, *frames))

    assert "of 64 SCTP packets" in told.text and "63 other pairs of ends" in told.text
    assert others.text.startswith("36 frames are ICMP errors that quote an SCTP packet too")


def test_what_icmp_quotes_is_no_packet_of_an_association(tmp_path: Path) -> None:
    assert summary(written(tmp_path, error_v4(3, 2))).packets == 0


def test_an_unreachable_host_fails_a_build(tmp_path: Path) -> None:
    path = written(tmp_path, layers.ipv4(layers.SCTP, PACKET), error_v4(3, 1))
    run = CliRunner().invoke(cli, ["analyze", "--fail-on", "warning", str(path)])

    assert run.exit_code == 1 and "host unreachable" in run.output


def test_where_icmp_says_why_an_init_has_no_answer_nothing_else_is_guessed(tmp_path: Path) -> None:
    packet = sctp.packet(init(A), sport=A.port, dport=B.port, vtag=0)
    frames = []
    for ident in (1, 2):
        sent = layers.ipv4(layers.SCTP, packet, ident=ident, src=A.address, dst=B.address)
        frames += [sent, error_v4(3, 2, quoted=packet)]
    said = {finding.code: finding for finding in find(summary(written(tmp_path, *frames)))}

    assert said[Finding.UNANSWERED_INIT].text.endswith(
        "(2 INITs to 10.0.0.2:6000): ICMP errors say why."
    )


def heartbeats(*, from_: End, count: int, answered: int = 0, end_us: int = 2 * SECOND) -> Talk:
    """An association that works, and questions on another path, of which some are answered."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))
    for at in range(count):
        information = struct.pack(">HHI", 1, 8, at)
        talk.say(from_, B, sctp.chunk(HEARTBEAT, 0, information), later_us=30 * SECOND)
        if at < answered:
            talk.say(B, from_, sctp.chunk(HEARTBEAT_ACK, 0, information))
    talk.say(A, B, sctp.data(1001), later_us=end_us)
    talk.say(B, A, sctp.sack(1001))
    return talk


def test_heartbeats_that_nobody_answers_are_a_path_that_does_not_work(tmp_path: Path) -> None:
    (finding,) = of(heartbeats(from_=OTHER, count=3).write(tmp_path))

    assert (finding.severity, finding.code) == (Severity.WARNING, Finding.UNANSWERED_HEARTBEATS)
    assert finding.frames == [7]
    assert "not answered: 3 HEARTBEATs in a row 10.0.1.1>10.0.0.2." in finding.text


def test_a_path_that_ceases_to_answer_is_told_from_its_last_answer_on(tmp_path: Path) -> None:
    (finding,) = of(heartbeats(from_=OTHER, count=5, answered=2).write(tmp_path))

    assert finding.frames == [11] and "3 HEARTBEATs in a row" in finding.text


@pytest.mark.parametrize(
    "talk",
    [
        heartbeats(from_=OTHER, count=3, answered=3),
        heartbeats(from_=OTHER, count=1),
        heartbeats(from_=OTHER, count=2, end_us=SECOND // 10),
        heartbeats(from_=A, count=3),
    ],
    ids=["answered", "one may be lost", "the answer may come", "data gets there"],
)
def test_other_heartbeats_are_no_finding(tmp_path: Path, talk: Talk) -> None:
    assert of(talk.write(tmp_path)) == []


def test_where_the_peer_was_not_captured_nothing_is_said_of_its_answers(tmp_path: Path) -> None:
    talk = Talk()
    for at in range(5):
        talk.say(A, B, sctp.chunk(HEARTBEAT, 0, struct.pack(">HHI", 1, 8, at)), later_us=SECOND)
    talk.say(A, B, sctp.chunk(ABORT, 0, b""), later_us=2 * SECOND)

    assert of(talk.write(tmp_path)) == []


def fragments_left_over(path: Path) -> int:
    """IP fragments that a finding counts."""
    return summary(path).fragments_left_over


def test_fragments_of_what_carries_no_sctp_are_no_finding(tmp_path: Path) -> None:
    sent = layers.ipv4(layers.SCTP, PACKET)
    piece = layers.ipv4(layers.UDP, layers.udp(1, 2, bytes(56)), ident=7, more=True)
    path = written(tmp_path, sent, piece)

    assert fragments_left_over(path) == 0
    assert Finding.FRAGMENTS_LEFT_OVER not in {finding.code for finding in find(summary(path))}


def test_fragments_of_sctp_and_of_what_carries_it_are_counted(tmp_path: Path) -> None:
    inside = layers.ipv4(layers.UDP, layers.udp(9899, 9899, PACKET))
    of_udp = layers.ipv4(layers.UDP, layers.udp(1, 2, bytes(56)), ident=7, more=True)
    of_sctp = layers.ipv4(layers.SCTP, bytes(64), ident=8, more=True)

    assert fragments_left_over(written(tmp_path, inside, of_udp, of_sctp)) == 2
    assert fragments_left_over(written(tmp_path, of_sctp)) == 1


@needs_collection
@pytest.mark.parametrize(
    ("name", "frames"),
    [
        ("real/pcapplusplus_ip-frag.pcap", [8, 10, 12]),
        ("wild/freediameter_capture.cap", [27, 43, 126]),
    ],
)
def test_real_captures_of_hosts_without_sctp_say_so(name: str, frames: list[int]) -> None:
    path = COLLECTION / name
    if not path.is_file():
        pytest.skip("this capture is not in the collection")
    said = {finding.code: finding for finding in find(summary(path))}
    finding = said[Finding.ICMP_UNREACHABLE]

    assert finding.frames == frames and "'protocol unreachable' of 3 SCTP packets" in finding.text
    assert Finding.FRAGMENTS_LEFT_OVER not in said
