# SPDX-License-Identifier: BSD-2-Clause
"""SCTP inside DTLS with the keys of the session: the packets that the run's truth tells of, and the
rows of the same packets in clear."""

import json
import subprocess
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from sctp_rack.readers.tshark import TsharkSource

from tests.builder.files import RESOLUTION, Pcapng
from tests.builder.layers import UDP, ipv4, udp
from tests.captures import COLLECTION, SAMPLE, needs_collection
from tests.commands.called import called
from tests.readers.rows import Rows, rows_of, without

TRUTH = COLLECTION / "truth"
KEYLOG = TRUTH / "pion_dtls.keylog"
RAW = 101
TAPS = ("sender", "middle", "receiver")


def capture_at(tap: str) -> Path:
    return TRUTH / f"pion_dtls.{tap}.pcapng"


def decrypted(tap: str) -> Rows:
    return rows_of(capture_at(tap), keylog=str(KEYLOG))


def by_tshark(tap: str) -> TsharkSource:
    return TsharkSource(str(capture_at(tap)), keylog=str(KEYLOG))


@needs_collection
def test_tshark_decrypts_the_same() -> None:
    assert decrypted("middle") == rows_of(capture_at("middle"), by_tshark("middle"))


@needs_collection
@pytest.mark.parametrize("tap", TAPS)
def test_every_transmission_of_the_truth_is_there_in_its_frame(tap: str) -> None:
    truth = json.loads((TRUTH / "pion_dtls.truth.json").read_text())
    told = [
        (sent["frames"][tap], sent["dir"], sent["tsn"], sent["bytes"])
        for sent in truth["transmissions"]
        if sent["frames"][tap] is not None
    ]

    rows = decrypted(tap)

    seen = [(row["frame"], row["dir"], row["tsn"], row["bytes"]) for row in rows["transmissions"]]
    assert truth["network_duplicates"] == []
    assert sorted(seen) == sorted(told)
    assert {row["checksum"] for row in rows["chunks"]} == {"crc32c"}
    assert {row["encapsulation"] for row in rows["chunks"]} == {"dtls"}
    assert {row["path"] for row in rows["chunks"]} == {
        *("10.34.1.10>192.168.66.20", "192.168.66.20>10.34.1.10")
    }


@needs_collection
@pytest.mark.parametrize("tap", TAPS)
def test_the_same_packets_in_clear_give_the_same_rows(tap: str, tmp_path: Path) -> None:
    clear = Pcapng()
    clear.interface(RAW, options=[(RESOLUTION, bytes([9]))])  # nanoseconds
    for frame in by_tshark(tap).frames():
        datagram = udp(1, 1, b"handshake")
        ends, ident, hops = ["10.0.0.1"] * 2, 0, 64
        for packet in frame.packets:
            datagram = udp(9899, 9899, packet.data)
            ends = [str(IPv4Address(end[:4])) for end in (packet.src, packet.dst)]
            ident, hops = packet.id, packet.hop_limit
        in_ip = ipv4(UDP, datagram, ident=ident, hops=hops, src=ends[0], dst=ends[1])
        clear.packet(in_ip, ticks=frame.time_ns)
    path = tmp_path / "clear.pcapng"
    path.write_bytes(bytes(clear))

    rows = decrypted(tap)

    assert rows["transmissions"]
    differing = ("encapsulation", "features")  # in UDP
    assert without(rows, *differing) == without(rows_of(path), *differing)


@needs_collection
def test_a_key_log_alone_is_enough() -> None:
    result = called("analyze", capture_at("sender"), "--keylog", KEYLOG)

    assert result.returncode == 0
    assert b" of 22 retransmissions" in result.stdout


@needs_collection
def test_keys_inside_the_file_are_used(tmp_path: Path) -> None:
    with_keys = tmp_path / "keys.pcapng"
    inject = ["editcap", "--inject-secrets", f"tls,{KEYLOG}"]
    subprocess.run([*inject, capture_at("sender"), with_keys], check=True)

    rows = rows_of(with_keys)
    assert rows == rows_of(with_keys, TsharkSource(str(with_keys)))
    assert rows == decrypted("sender")


@needs_collection
def test_the_native_reader_says_how_to_decrypt() -> None:
    text = called("analyze", capture_at("sender")).stdout.decode()

    assert "`--keylog FILE` decrypts it" in text


@needs_collection
def test_keys_of_another_session_are_told_from_a_capture_without_sctp(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.keylog"
    wrong.write_text(f"CLIENT_RANDOM {'00' * 32} {'11' * 48}\n")

    text = called(
        *("analyze", "--reader", "tshark"), capture_at("sender"), "--keylog", wrong
    ).stdout.decode()

    assert "508 frames hold DTLS" in text
    assert "tshark cannot decrypt it" in text
    assert "First: frame 7" in text


def test_a_key_log_with_a_reader_that_decrypts_nothing_is_a_wrong_call() -> None:
    result = called("analyze", "--reader", "log", "--keylog", __file__, __file__)

    assert result.returncode == 2
    assert b"native and tshark do" in result.stderr


def test_a_key_log_that_is_not_there_is_an_error() -> None:
    result = called("analyze", "--keylog", "/nowhere/keys.log", SAMPLE)

    assert result.returncode == 3
    assert b"/nowhere/keys.log: No such file" in result.stderr
