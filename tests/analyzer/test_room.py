# SPDX-License-Identifier: BSD-2-Clause
"""What a small association costs `analyze` in Python: bytes, beside what the core keeps."""

import io
import tracemalloc
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sctp_rack.findings import find
from sctp_rack.recoveries import TABLES
from sctp_rack.session import Session
from sctp_rack.show import write_json, write_text
from sctp_rack.summary import summarise

from tests.hostile.chunks import sack
from tests.hostile.talk import Attack, Wire

#: docs/architecture.md.
PROMISED = 1024
FEW, MANY = 500, 1000


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


def peak(path: str, write: Any) -> int:
    """Bytes, when all is read until the last line: batches, which are bounded, are gone."""
    tracemalloc.start()
    session = Session(path, TABLES, rows_at_once=1024)
    summary = summarise(session)
    tracemalloc.reset_peak()
    write(summary, find(summary), Nowhere())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("write", [write_text, write_json])
def test_a_small_association_takes_no_more_than_is_promised(tmp_path: Path, write: Any) -> None:
    peak(capture(tmp_path, MANY), write)  # names of paths are known then, up to a limit
    few, many = (peak(capture(tmp_path, count), write) for count in (FEW, MANY))

    assert (many - few) / (MANY - FEW) < PROMISED
