# SPDX-License-Identifier: BSD-2-Clause
"""Packets whose chunks contradict themselves: where tshark shows something else, as listed in
docs/differences-from-tshark.md, and where both show the same."""

import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.files import pcap
from tests.builder.layers import IPV4, SCTP, ethernet, ipv4
from tests.builder.talk import INIT, rows
from tests.differential.our_rows import by_us
from tests.differential.tshark_oracle import Seen, by_tshark

HEARTBEAT, ERROR, UNKNOWN = 4, 9, 200
DATA, SACK = sctp.data(100), sctp.sack(5)
ACKNOWLEDGED = (1, 5, sctp.A_RWND, (), (), ())


def longer(chunk: bytes) -> bytes:
    """Its length says 40 bytes more than there are."""
    (length,) = struct.unpack(">H", chunk[2:4])
    return chunk[:2] + struct.pack(">H", length + 40) + chunk[4:]


def broken(kind: int) -> bytes:
    """A chunk that holds an element whose own length cannot be."""
    fixed = struct.pack(">IIHHI", 1, 65536, 10, 10, 1000) if kind == INIT else b""
    return sctp.chunk(kind, 0, fixed + struct.pack(">HH", 5, 2))


def seen(kinds: list[int], data: bool, sack: bool) -> Seen:
    """Chunks of these types in frame 1, the TSN of `DATA`, what `SACK` acknowledges."""
    return Seen(
        Counter((1, kind) for kind in kinds),
        Counter([(1, 100)] if data else []),
        Counter([ACKNOWLEDGED] if sack else []),
    )


@dataclass(frozen=True)
class Broken:
    """The chunks of a packet, what we see of it, why we stop, and what tshark sees."""

    chunks: list[bytes]
    ours: Seen
    theirs: Seen
    anomaly: str | None = None


LISTED = {
    "DATA longer than the packet": Broken(
        [SACK, longer(DATA)],
        seen([3, 0], False, True),
        seen([3, 0], True, True),
        "beyond_packet",
    ),
    "SACK longer than the packet": Broken(
        [DATA, longer(SACK)],
        seen([0, 3], True, False),
        seen([0, 3], True, True),
        "beyond_packet",
    ),
    "behind a SACK with more blocks than room": Broken(
        [sctp.chunk(sctp.SACK, 0, struct.pack(">IIHH", 5, sctp.A_RWND, 50, 0)), DATA],
        seen([3, 0], True, True),
        seen([3], False, True),
    ),
    "behind a SACK without its counts": Broken(
        [sctp.chunk(sctp.SACK, 0, struct.pack(">II", 5, sctp.A_RWND)), DATA],
        seen([3, 0], True, False),
        seen([3], False, True),
        "short_body",
    ),
    "behind an INIT with a broken parameter": Broken(
        [broken(INIT), DATA], seen([INIT, 0], True, False), seen([INIT], False, False)
    ),
    "behind a HEARTBEAT with a broken parameter": Broken(
        [broken(HEARTBEAT), DATA],
        seen([HEARTBEAT, 0], True, False),
        seen([HEARTBEAT], False, False),
    ),
    "behind an ERROR with a broken cause": Broken(
        [broken(ERROR), DATA], seen([ERROR, 0], True, False), seen([ERROR], False, False)
    ),
    "zero bytes behind the last chunk": Broken(
        [DATA, bytes(8)], seen([0, 0], True, False), seen([0], True, False), "length_below_header"
    ),
    "a chunk of length 0": Broken(
        [struct.pack(">BBH", HEARTBEAT, 0, 0), DATA],
        seen([HEARTBEAT], False, False),
        seen([], False, False),
        "length_below_header",
    ),
}

ALIKE = {
    "a control chunk longer than the packet": [DATA, longer(sctp.chunk(HEARTBEAT, 0, b"abcd"))],
    "an unknown chunk longer than the packet": [DATA, longer(sctp.chunk(UNKNOWN, 0, b"abcd"))],
    "DATA without room for its fields": [sctp.chunk(sctp.DATA, 3, struct.pack(">I", 100)), SACK],
    "two zero bytes behind the last chunk": [DATA, bytes(2)],
    "the last chunk without its padding": [SACK, sctp.data(100, b"abc")[:-1]],
}


def written(folder: Path, chunks: list[bytes]) -> Path:
    """One frame that holds them."""
    path = folder / "broken.pcap"
    path.write_bytes(pcap([ethernet(IPV4, ipv4(SCTP, sctp.packet(*chunks)))]))
    return path


@pytest.mark.parametrize("case", LISTED.values(), ids=LISTED)
def test_what_is_listed_is_where_tshark_shows_something_else(case: Broken, tmp_path: Path) -> None:
    path = written(tmp_path, case.chunks)

    assert by_us(path) == case.ours
    assert by_tshark(path) == case.theirs
    assert case.ours != case.theirs


@pytest.mark.parametrize("case", LISTED.values(), ids=LISTED)
def test_where_a_chunk_cannot_be_decoded_its_row_says_why(case: Broken, tmp_path: Path) -> None:
    said = [
        word for row in rows(written(tmp_path, case.chunks), "chunks") for word in row["malformed"]
    ]

    assert said == ([case.anomaly] if case.anomaly else [])


@pytest.mark.parametrize("chunks", ALIKE.values(), ids=ALIKE)
def test_other_broken_packets_look_the_same_in_both(chunks: list[bytes], tmp_path: Path) -> None:
    path = written(tmp_path, chunks)

    assert by_us(path) == by_tshark(path)
