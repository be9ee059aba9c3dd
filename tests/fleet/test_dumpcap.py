# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack watch` beside a ring buffer that dumpcap writes: each packet once, none is missing."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest

from tests.analyzer.test_bad_input import COMMAND
from tests.commands.test_signals import take_signals
from tests.fleet.interleaved import NAMES, packets_of
from tests.fleet.rows import left_over, rows_of

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        os.geteuid() != 0 or not shutil.which("dumpcap"), reason="dumpcap, as root, on loopback"
    ),
]

#: Packets of a file, and files that stay.
_PACKETS, _FILES = 100, 3

#: In front of an IPv4 packet on loopback.
_ETHERNET = bytes(12) + b"\x08\x00"

_PATIENCE_S = 120


def play(packets: Iterator[bytes], until: Callable[[], bool]) -> None:
    """On loopback, to addresses that nobody there has."""
    end = time.monotonic() + _PATIENCE_S
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as wire:
        wire.bind(("lo", 0))
        while not until() and time.monotonic() < end:
            wire.send(_ETHERNET + next(packets))
            time.sleep(0.005)


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not true() and time.monotonic() < end:
        time.sleep(0.05)


def wait_for(process: subprocess.Popen[bytes], what: str) -> str:
    """A line of what dumpcap says."""
    assert process.stderr is not None
    for line in process.stderr:
        if what.encode() in line:
            return line.decode()
    raise AssertionError(f"dumpcap ended before it said {what}")


def test_a_ring_of_dumpcap_comes_into_the_dataset_as_it_is_written(tmp_path: Path) -> None:
    packets = cycle([packet for name in NAMES[:2] for _, packet in packets_of(name)])
    ring, out = tmp_path / "ring", tmp_path / "out"
    ring.mkdir()
    capture = ["dumpcap", "-i", "lo", "-f", "net 192.0.2.0/24 or net 198.51.100.0/24"]
    limits = ["-b", f"packets:{_PACKETS}", "-b", f"files:{_FILES}", "-w", str(ring / "ring.pcapng")]
    watch = ["watch", str(ring), "-o", str(out), "--every", "0.1", "--quiet", "1"]
    with (
        subprocess.Popen([*COMMAND, *watch], preexec_fn=take_signals) as watching,
        subprocess.Popen([*capture, *limits], stderr=subprocess.PIPE) as capturing,
    ):
        wait_for(capturing, "File:")
        for full in range(1, _FILES + 3):
            play(packets, lambda full=full: any(ring.glob(f"ring_{full + 1:05}_*")))  # type: ignore[misc]
            wait_until(lambda full=full: len(frames_of(out)) >= full)  # type: ignore[misc]
        capturing.send_signal(signal.SIGINT)
        said = wait_for(capturing, "Packets captured:")
        wait_until(lambda: len(frames_of(out)) > _FILES + 2)
        watching.send_signal(signal.SIGINT)
        assert watching.wait(_PATIENCE_S) == 130

    captured = int(said.rsplit(":", 1)[1])
    full, rest = divmod(captured, _PACKETS)
    assert full == _FILES + 2
    assert frames_of(out) == [_PACKETS] * full + [rest]
    assert len(list(ring.iterdir())) == _FILES
    assert left_over(out) == []


def frames_of(out: Path) -> list[int]:
    """Of each capture that is there, in the order of their names."""
    if not list(out.glob("table=captures/*.parquet")):
        return []
    return [int(frames) for frames in rows_of(out)["captures"]["frames"].to_pylist()]
