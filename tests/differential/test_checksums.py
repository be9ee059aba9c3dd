# SPDX-License-Identifier: BSD-2-Clause
"""What we say of checksums, against google-crc32c, zlib and tshark."""

import random
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.columns.of_rows import columns_of

from tests.builder import sctp
from tests.builder.files import pcap
from tests.builder.layers import SCTP, UDP, ipv4, ipv6, udp
from tests.builder.sctp import Checksum, adler32, crc32c, wrong, zero

RAW = 101


def write(path: Path, frames: Iterable[bytes], **options: int) -> Path:
    """RAW IP in a pcap file."""
    path.write_bytes(pcap(frames, RAW, **options))  # type: ignore[arg-type]
    return path


def packets(checksums: Sequence[Checksum], vtag: int = 1) -> list[bytes]:
    """SCTP packets of one side with these checksums."""
    return [
        sctp.packet(sctp.data(100 + index), checksum=checksum, vtag=vtag)
        for index, checksum in enumerate(checksums)
    ]


def column(path: Path, table: str, name: str, *, verify_checksum: bool = False) -> list[str]:
    """A column of all rows."""
    session = Session(str(path), (table,), verify_checksum=verify_checksum)
    found = [value for batch in session.batches() for value in columns_of(table, batch)[name]]
    assert session.end.message is None
    return found


def shown_by_tshark(path: Path, algorithm: str) -> list[str]:
    """tshark's verdict on every frame's checksum."""
    command = ["tshark", "-o", f"sctp.checksum:{algorithm}", "-r", str(path)]
    command += ["-T", "fields", "-e", "sctp.checksum.status"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [{"0": "bad", "1": "good", "2": "unverified"}[line] for line in shown.split()]


KINDS: dict[str, Checksum] = {"crc32c": crc32c, "adler32": adler32, "zero": zero, "wrong": wrong}


def test_each_kind_of_checksum_has_its_word(tmp_path: Path) -> None:
    frames = [ipv4(SCTP, packet) for packet in packets(list(KINDS.values()))]
    assert column(write(tmp_path / "kinds.pcap", frames), "chunks", "checksum") == list(KINDS)


@pytest.mark.parametrize(
    ("algorithm", "theirs"),
    [
        ("CRC-32c", ["good", "bad", "bad", "bad"]),
        ("Adler-32", ["bad", "good", "bad", "bad"]),
    ],
)
def test_tshark_finds_the_same_ones_right(
    algorithm: str, theirs: list[str], tmp_path: Path
) -> None:
    frames = [ipv4(SCTP, packet) for packet in packets(list(KINDS.values()))]
    assert shown_by_tshark(write(tmp_path / "kinds.pcap", frames), algorithm) == theirs


def test_right_checksums_of_every_length_are_right_to_us_and_tshark(tmp_path: Path) -> None:
    noise = random.Random(1)
    lengths = [*range(1, 300), 1400, 8999, 65000]
    frames = [
        ipv4(SCTP, sctp.packet(sctp.data(index, noise.randbytes(length)), sport=1 + index))
        for index, length in enumerate(lengths)
    ]
    path = write(tmp_path / "lengths.pcap", frames)
    assert column(path, "chunks", "checksum") == ["crc32c"] * len(lengths)
    assert shown_by_tshark(path, "CRC-32c") == ["good"] * len(lengths)


def test_every_flipped_bit_makes_the_checksum_wrong(tmp_path: Path) -> None:
    right = sctp.packet(sctp.data(100, b"some user data"))
    flipped = []
    for bit in range(8 * len(right)):
        packet = bytearray(right)
        packet[bit // 8] ^= 1 << bit % 8
        flipped.append(ipv4(SCTP, bytes(packet)))
    path = write(tmp_path / "flipped.pcap", flipped)
    session = Session(str(path), ("chunks",))
    rows = [columns_of("chunks", batch) for batch in session.batches()]
    words = {
        frame: word
        for table in rows
        for frame, word in zip(table["frame"], table["checksum"], strict=True)
    }
    assert words == dict.fromkeys(range(1, len(flipped) + 1), "wrong")
    assert shown_by_tshark(path, "CRC-32c") == ["bad"] * len(flipped)


@pytest.mark.parametrize(
    ("checksums", "words"),
    [
        ([crc32c, crc32c], ["good", "good"]),
        ([adler32, adler32], ["good", "good"]),
        ([zero, zero], ["zero", "zero"]),
        ([wrong, wrong, wrong], ["unverified"] * 3),
        ([wrong, crc32c, wrong], ["unverified", "good", "bad"]),
        ([adler32, wrong], ["good", "bad"]),
        ([zero, wrong, crc32c, zero, wrong], ["zero", "unverified", "good", "zero", "bad"]),
    ],
    ids=lambda value: " ".join(getattr(item, "__name__", item) for item in value),
)
def test_a_wrong_checksum_is_bad_only_from_a_side_that_was_right_before(
    checksums: list[Checksum], words: list[str], tmp_path: Path
) -> None:
    path = write(tmp_path / "one.pcap", [ipv4(SCTP, packet) for packet in packets(checksums)])
    assert column(path, "transmissions", "crc") == words


def test_the_other_side_says_nothing_about_offload_on_this_one(tmp_path: Path) -> None:
    (right,), (offloaded,) = packets([crc32c], vtag=1), packets([wrong], vtag=2)
    there = ipv4(SCTP, right)
    back = ipv4(SCTP, offloaded, src="10.0.0.2", dst="10.0.0.1")
    path = write(tmp_path / "two.pcap", [there, back, there, back])
    assert column(path, "transmissions", "crc") == ["good", "unverified"] * 2


def test_asked_to_verify_we_call_every_wrong_checksum_bad(tmp_path: Path) -> None:
    frames = [ipv4(SCTP, packet) for packet in packets([wrong, zero, adler32, wrong, crc32c])]
    path = write(tmp_path / "verify.pcap", frames)
    words = column(path, "transmissions", "crc", verify_checksum=True)
    assert words == ["bad", "zero", "good", "bad", "good"]


def test_a_cut_packet_cannot_be_verified_unless_its_checksum_is_zero(tmp_path: Path) -> None:
    checksums = [crc32c, wrong, zero]
    whole = [ipv4(SCTP, packet) for packet in packets(checksums)]
    path = write(tmp_path / "cut.pcap", [frame[:-1] for frame in whole], wire=len(whole[0]))
    assert column(path, "chunks", "checksum") == ["cut", "cut", "zero"]
    assert column(path, "transmissions", "crc", verify_checksum=True) == [
        *("unverified", "unverified", "zero")
    ]
    assert shown_by_tshark(path, "CRC-32c") == ["unverified"] * 3


@pytest.mark.parametrize("below", ["IPv6", "UDP", "padding", "total length 0"])
def test_the_checksum_covers_the_packet_and_nothing_else(below: str, tmp_path: Path) -> None:
    (packet,) = packets([crc32c])
    frame = {
        "IPv6": ipv6(SCTP, packet),
        "UDP": ipv4(UDP, udp(9899, 9899, packet)) + bytes(7),
        "padding": ipv4(SCTP, packet) + b"\x55" * 9,
        "total length 0": ipv4(SCTP, packet, total=0),
    }[below]
    path = write(tmp_path / "below.pcap", [frame])
    assert column(path, "chunks", "checksum") == ["crc32c"]
    assert shown_by_tshark(path, "CRC-32c") == ["good"]
