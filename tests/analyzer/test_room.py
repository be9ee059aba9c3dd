# SPDX-License-Identifier: BSD-2-Clause
"""What a small association costs `analyze`: bytes in Python, and all of them."""

import io
import tracemalloc
from pathlib import Path
from random import Random

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.findings.find import find
from sctp_rack.recovery.gathering import TABLES
from sctp_rack.summary.of_session import summarise
from sctp_rack.summary.show import write_json

from tests.hostile import measure
from tests.hostile.chunks import sack
from tests.hostile.commands import SCTP_RACK
from tests.hostile.talk import Attack, Wire

#: docs/architecture.md: half a kilobyte in Python, as far as arrays that grow by a quarter let it.
PROMISED = 768
FEW, MANY = 500, 900

#: Likewise, where rooms of a fixed size are still filled: behind them it is half as much.
PROMISED_IN_ALL = 2048
FULL, FULLER = 1_700, 15_000
MIB = 1 << 20


class Nowhere(io.StringIO):
    """Forgets what is written."""

    def write(self, text: str, /) -> int:
        return len(text)


def plain(attack: Attack) -> None:
    """A handshake, two chunks and their acknowledgement."""
    flow = attack.flow()
    attack.open(flow)
    attack.new(flow)
    attack.send(flow, 1, sack(attack.new(flow)))


def capture(folder: Path, associations: int) -> str:
    path = folder / f"{associations}.pcap"
    with Wire(path) as wire:
        attack = Attack(wire, 0, Random(1))
        for _ in range(associations):
            plain(attack)
    return str(path)


def peak(path: str) -> int:
    """Bytes, when all is read until the last line: batches, which are bounded, are gone."""
    tracemalloc.start()
    session = Session(path, TABLES, rows_at_once=1024)
    summary = summarise(session)
    tracemalloc.reset_peak()
    write_json(summary, find(summary), Nowhere())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.long
def test_a_small_association_takes_no_more_than_is_promised(tmp_path: Path) -> None:
    peak(capture(tmp_path, MANY))  # names of paths are known then, up to a limit
    few, many = (peak(capture(tmp_path, count)) for count in (FEW, MANY))

    assert (many - few) / (MANY - FEW) < PROMISED


def test_a_small_association_takes_no_more_than_two_kilobytes_of_analyze(tmp_path: Path) -> None:
    few, many = (
        measure.run([SCTP_RACK, "analyze", capture(tmp_path, count)], tmp_path).peak_mib
        for count in (FULL, FULLER)
    )

    assert (many - few) * MIB / (FULLER - FULL) < PROMISED_IN_ALL
