# SPDX-License-Identifier: BSD-2-Clause
"""Whatever is killed, and wherever the disk is full: the next call leaves the same rows."""

import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sctp_rack.fleet import merge
from sctp_rack.fleet.dataset import Dataset

from tests.analyzer.test_bad_input import COMMAND
from tests.captures import BUNDLED, ROOT
from tests.commands.called import called
from tests.commands.test_signals import take_signals
from tests.fleet.interleaved import interleaved
from tests.fleet.killed import TABLES
from tests.fleet.rows import left_over, row_sets, rows_of

SMALL = sorted(BUNDLED.glob("*.pcap"), key=lambda path: path.stat().st_size)[:12]


def captures(folder: Path, count: int) -> Path:
    """Small ones, one of which cannot be read, and behind them one that is shared."""
    folder.mkdir()
    for at in range(count):
        (folder / f"{at}.pcap").symlink_to(SMALL[at % len(SMALL)])
    (folder / "empty.pcap").write_bytes(b"")
    interleaved(folder / "many.pcap")
    return folder


def check_killed(tmp_path: Path, times: int, count: int, seed: int) -> None:
    folder, out, plain = captures(tmp_path / "in", count), tmp_path / "out", tmp_path / "plain"
    program = [
        sys.executable,
        "-m",
        "tests.fleet.killed",
        str(folder),
        str(out),
        str(times),
        str(seed),
    ]
    subprocess.run(program, cwd=ROOT, check=True)
    for where in (out, plain):
        assert called("batch", folder, "-o", where, *TABLES).returncode == 3

    assert row_sets(out) == row_sets(plain)
    assert left_over(out) == []


def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    check_killed(tmp_path, times=4, count=40, seed=1)


@pytest.mark.long
def test_killed_many_times_it_goes_on(tmp_path: Path) -> None:
    check_killed(tmp_path, times=12, count=80, seed=2)


def test_where_the_disk_is_full_it_ends_and_goes_on_later(tmp_path: Path) -> None:
    folder, out, plain = captures(tmp_path / "in", 20), tmp_path / "out", tmp_path / "plain"
    full = subprocess.run(
        [*COMMAND, "batch", folder, "-o", out],
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)),
        check=False,
    )
    left = left_over(out) if out.exists() else []
    for where in (out, plain):
        called("batch", folder, "-o", where)

    assert full.returncode == 3
    last = full.stderr.decode().splitlines()[-1]
    assert last == "sctp-rack: the output cannot be written: File too large"
    assert left == []
    assert rows_of(out) == rows_of(plain)


def test_where_the_disk_is_full_while_it_merges_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = captures(tmp_path / "in", 20), tmp_path / "out"
    called("batch", folder, "-o", out)
    rows, dataset = rows_of(out), Dataset(str(out))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_table", full)
    with dataset.writing(), pytest.raises(OSError, match="No space"):
        merge.merge(dataset, dataset.segments())

    assert rows_of(out) == rows and left_over(out) == []


def test_an_interrupt_leaves_what_was_done_and_nothing_unfinished(tmp_path: Path) -> None:
    folder, out = captures(tmp_path / "in", 400), tmp_path / "out"
    process = subprocess.Popen(
        [*COMMAND, "batch", folder, "-o", out, "--jobs", "2"],
        stderr=subprocess.PIPE,
        preexec_fn=take_signals,
    )
    while not list(out.glob("table=captures/*")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)

    assert process.returncode == 130
    assert errors.splitlines()[-1] == b"sctp-rack: interrupted"
    assert left_over(out) == []
    assert 0 < len(rows_of(out)["captures"]) < 400
