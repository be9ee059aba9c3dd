# SPDX-License-Identifier: BSD-2-Clause
"""Which reader reads an input, and that looking at its first bytes takes none of them away."""

from pathlib import Path

import pytest
from sctp_rack.binding.source import Peeked, open_source

from tests.captures import SAMPLE
from tests.commands.called import called


@pytest.mark.parametrize("first", [0, 1, 5, 1 << 21])
def test_bytes_that_were_looked_at_come_again(first: int) -> None:
    peeked = Peeked(open_source(str(SAMPLE)))
    seen = peeked.look() if first else b""
    piece = bytearray(first or 7)
    got = b""
    while count := peeked.readinto1(piece):
        got += piece[:count]

    assert got == SAMPLE.read_bytes()
    assert got.startswith(seen)


@pytest.mark.parametrize("reader", ["native", "auto", "tshark"])
def test_a_reader_that_is_asked_for_reads(reader: str) -> None:
    result = called("analyze", "--reader", reader, SAMPLE)

    assert result.returncode == 0
    word = {"tshark": b"  tshark, 673 frames"}.get(reader, b"  pcapng, 673 frames")
    assert word in result.stdout
    assert b" of 30 retransmissions" in result.stdout


def test_an_unknown_format_is_told_with_what_may_read_it(tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes(b"snoop\0\0\0" + bytes(100))

    result = called("analyze", odd)

    assert result.returncode == 3
    assert b"`--reader tshark` may be able to read it" in result.stderr
