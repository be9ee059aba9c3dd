# SPDX-License-Identifier: BSD-2-Clause
"""DTLS that was made to hurt: a byte of it grows no dearer, and memory stays bounded."""

import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest
from sctp_rack._core import lib
from sctp_rack.binding.session import Session

from tests.builder.dtls_capture import TwoCaptures
from tests.builder.dtls_written import (
    CLIENT_HELLO,
    DTLS_1_2,
    HANDSHAKE,
    SUITES_1_2,
    SUITES_1_3,
    Written,
    fragment,
    plain,
)
from tests.hostile.measure import run

pytestmark = pytest.mark.skipif(
    not lib.sr_dtls_can_decrypt(), reason="the core was built without ciphers"
)

SMALL, LARGE = 400_000, 1_600_000  #: bytes
MOST_MIB = 160
MOST_DEARER = 2.0

#: Sessions with a key.
KEYED = 10_000

Datagrams = Iterator[tuple[tuple[int, int], int, bytes]]


def keyed(number: int) -> Written:
    """A session; the first ones have keys."""
    suites, version = ((SUITES_1_2, DTLS_1_2), (SUITES_1_3, 0xFEFC))[number % 2]
    random = number.to_bytes(32, "big")
    return Written(suites["AES-128-GCM"], version, client_random=random)


def sessions(random: Random) -> Datagrams:
    """Ever new connections, each with a record that is not authentic."""
    for number in count():
        ports = (10000 + number % 50000, 9000 - number // 50000)
        written = keyed(number)
        for sender, datagram in written.handshake():
            yield ports, sender, datagram
        yield ports, 0, plain(23, random.randbytes(60), epoch=1)


def many_on_a_flow(random: Random) -> Datagrams:
    """Eight sessions of one flow, and records that each of them is tried on."""
    for number in range(8):
        for sender, datagram in keyed(2 * number + 1).handshake():
            yield (1000, 2000), sender, datagram
    while True:
        yield (1000, 2000), 0, b"\x2f" + random.randbytes(2) + b"\0\x40" + random.randbytes(64)


def hellos_in_pieces(random: Random) -> Datagrams:
    """ClientHellos in pieces of one byte, of which one is always missing."""
    body = keyed(1).client_hello(extra=9000)
    while True:
        sequence = random.randrange(65536)
        pieces = [fragment(CLIENT_HELLO, body, at, 1, sequence) for at in range(1, 100)]
        yield (1000 + random.randrange(50), 2000), 0, plain(HANDSHAKE, b"".join(pieces))


def records_without_a_handshake(random: Random) -> Datagrams:
    """Flows by the thousand in the middle of a session."""
    for number in count():
        yield (number % 65536, 2000), number % 2, plain(23, random.randbytes(40), epoch=1)


def capture(path: Path, kind: Callable[[Random], Datagrams], size: int) -> Path:
    captures = TwoCaptures()
    written = 0
    for ports, sender, datagram in kind(Random(7)):
        captures.ports = ports
        captures.add(sender, datagram)
        written += len(datagram) + 80
        if written > size:
            break
    path.write_bytes(bytes(captures.secured))
    return path


def seconds(path: Path, keys: Path) -> float:
    """Of the processor, to read it: the best of two."""
    taken = []
    for _ in range(2):
        session, begin = Session(str(path), keylog=str(keys)), time.process_time()
        session.read_all()
        taken.append(time.process_time() - begin)
        assert session.dtls_totals.packets == 0
    return min(taken)


@pytest.mark.parametrize(
    "kind", [sessions, many_on_a_flow, hellos_in_pieces, records_without_a_handshake]
)
def test_a_byte_grows_no_dearer_and_memory_is_bounded(
    kind: Callable[[Random], Datagrams], tmp_path: Path
) -> None:
    small, large = (capture(tmp_path / str(size), kind, size) for size in (SMALL, LARGE))

    keys = tmp_path / "keys.log"
    keys.write_bytes(
        b"\n".join(line for number in range(KEYED) for line in keyed(number).key_lines())
    )

    dearer = (seconds(large, keys) / LARGE) / (seconds(small, keys) / SMALL)
    cost = run(
        [
            str(Path(sys.executable).with_name("sctp-rack")),
            "analyze",
            str(large),
            "--keylog",
            str(keys),
        ],
        tmp_path,
    )

    assert dearer < MOST_DEARER
    assert cost.status == 0
    assert cost.peak_mib < MOST_MIB
