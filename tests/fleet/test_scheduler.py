# SPDX-License-Identifier: BSD-2-Clause
"""Captures that workers of a Dask scheduler read: the same rows, also where one is killed."""

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client
from sctp_rack.fleet import batch, shared

from tests.commands.called import called
from tests.fleet.killed import HUGE
from tests.fleet.rows import left_over, row_sets
from tests.fleet.test_killed import captures

#: Seconds in which something is to happen.
_PATIENCE_S = 60

DASK = [sys.executable, "-m", "dask"]


@contextlib.contextmanager
def started(*call: object) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*DASK, *map(str, call)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.long
def test_workers_of_a_scheduler_read_and_one_may_be_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They share the last capture."""
    monkeypatch.setattr(shared, "_HUGE", HUGE)
    monkeypatch.setattr(batch, "_LARGE", HUGE)
    shares = list[Any]()

    def put_together(dataset: Any, parts: Any) -> Any:
        shares.append(parts)
        return shared.put_together(dataset, parts)

    monkeypatch.setattr(batch, "put_together", put_together)
    folder, out, plain = captures(tmp_path / "in", 300), tmp_path / "out", tmp_path / "plain"
    told = tmp_path / "scheduler.json"
    scheduler = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    worker = ("worker", "--scheduler-file", told, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with started(*scheduler, "--scheduler-file", told):
        end = time.monotonic() + _PATIENCE_S
        while not told.exists() and time.monotonic() < end:
            time.sleep(0.1)
        address = next(part for part in told.read_text().split('"') if part.startswith("tcp://"))
        with started(*worker), started(*worker) as victim:
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=_PATIENCE_S)
            killer = threading.Thread(target=_kill, args=(victim, out))
            killer.start()
            result = called("batch", folder, "-o", out, "--scheduler", address)
            killer.join()
    called("batch", folder, "-o", plain)

    assert (result.returncode, victim.returncode) == (3, -9)
    assert result.stdout.startswith(b"301 captures read")
    assert row_sets(out) == row_sets(plain)
    assert [len(parts) for parts in shares] == [2]
    assert left_over(out) == []


def _kill(victim: subprocess.Popen[bytes], out: Path) -> None:
    """When there is something of it."""
    end = time.monotonic() + _PATIENCE_S
    while not list(out.glob("table=captures/*")) and time.monotonic() < end:
        time.sleep(0.01)
    victim.kill()


@pytest.mark.parametrize(
    ("call", "status", "said"),
    [
        (("--jobs", 2), 2, b"--jobs and --scheduler contradict each other"),
        ((), 3, b"no Dask scheduler answers"),
    ],
)
def test_where_no_scheduler_can_be_asked_it_says_so(
    tmp_path: Path, call: tuple[object, ...], status: int, said: bytes
) -> None:
    folder = captures(tmp_path / "in", 1)
    result = called("batch", folder, "-o", tmp_path / "out", "--scheduler", "x://1:1", *call)

    assert result.returncode == status and said in result.stderr
    assert not (tmp_path / "out").exists()
