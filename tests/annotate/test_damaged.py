# SPDX-License-Identifier: BSD-2-Clause
"""Damaged captures: reading and writing agree on the frames, and nothing but comments changes."""

import io
from collections.abc import Callable
from pathlib import Path
from random import Random

from sctp_rack.annotate.remarks import comments
from sctp_rack.annotate.rewrite import rewrite
from sctp_rack.binding.session import Session
from sctp_rack.errors import CaptureError, UsageError

from tests.annotate.pcapng import stripped
from tests.annotate.test_rewrite import Source
from tests.builder.file_cases import FILES
from tests.captures import BUNDLED, SAMPLE

ROUNDS = 400
SEEDS = [
    SAMPLE.read_bytes()[:60000],
    (BUNDLED / "pion-tail-loss.sender.pcap").read_bytes()[:30000],
    *(file.content for file in FILES if len(file.content) < 100_000),
]
#: No length, all ones, an Enhanced and a Simple Packet Block, a section.
WORDS = [bytes(4), b"\xff" * 4, b"\6\0\0\0", b"\3\0\0\0", b"\n\r\r\n"]


def one_byte(data: bytearray, at: int, random: Random) -> None:
    data[at] = random.randrange(256)


def missing(data: bytearray, at: int, random: Random) -> None:
    del data[at : at + random.choice([1, 4, 8, 12, 60])]


def inserted(data: bytearray, at: int, random: Random) -> None:
    data[at:at] = random.randbytes(random.choice([1, 4, 12]))


def overwritten(data: bytearray, at: int, random: Random) -> None:
    data[at : at + 4] = random.choice(WORDS)


DAMAGES: list[Callable[[bytearray, int, Random], None]] = [
    one_byte,
    missing,
    inserted,
    overwritten,
]


def damaged(random: Random) -> bytes:
    data = bytearray(random.choice(SEEDS))
    for _ in range(random.choice([1, 1, 2, 5])):
        random.choice(DAMAGES)(data, random.randrange(len(data)), random)
    return bytes(data)


def test_nothing_but_comments_changes_in_a_damaged_capture(tmp_path: Path) -> None:
    random, path, written = Random(1), tmp_path / "damaged", 0
    for _ in range(ROUNDS):
        old, out = damaged(random), io.BytesIO()
        path.write_bytes(old)
        said = comments(Session(str(path), ["transmissions"]).batches(), every=True)
        try:
            written += rewrite("damaged", Source(old), said, out).comments
        except (CaptureError, UsageError) as error:
            assert "pcapng" in str(error)  # no capture any more, or a link type without a number
            continue
        if old.startswith(b"\n\r\r\n"):
            assert stripped(out.getvalue()) == stripped(old)
    assert written > ROUNDS
