# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack watch`: a file of a ring buffer is taken when it is closed, and never twice."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sctp_rack.commands import signals
from sctp_rack.fleet.found import Found
from sctp_rack.fleet.ring import Ring

from tests.analyzer.test_bad_input import COMMAND
from tests.captures import BUNDLED
from tests.commands.called import called
from tests.commands.test_signals import take_signals
from tests.fleet.rows import left_over, rows_of

LOSS = BUNDLED / "usrsctp-nth-loss.sender.pcap"

SECOND = 10**9


def name(at: int) -> str:
    return f"ring_{at:05}_2026051008{at:02}00.pcap"


def written(folder: Path, at: int, prefix: str = "") -> Path:
    file = folder / f"{prefix}{name(at)}"
    shutil.copy(LOSS, file)
    os.utime(file, ns=(at * SECOND, at * SECOND))
    return file


def closed(ring: Ring, now_s: float) -> list[str]:
    return [Path(one.name).name for one in ring.closed(int(now_s * SECOND))]


def test_a_file_is_closed_when_the_next_one_is_there(tmp_path: Path) -> None:
    ring = Ring(str(tmp_path), quiet_s=60)
    written(tmp_path, 1)
    assert closed(ring, 0) == []
    written(tmp_path, 2)
    assert closed(ring, 1) == [name(1)]
    assert closed(ring, 2) == []


def test_a_folder_without_a_file_yet_is_no_capture(tmp_path: Path) -> None:
    ring = Ring(str(tmp_path), quiet_s=0)
    assert closed(ring, 0) == closed(ring, 1) == []
    written(tmp_path, 1)
    assert closed(ring, 2) == [name(1)]


def test_the_last_file_is_closed_when_it_was_quiet_and_nobody_has_it_open(tmp_path: Path) -> None:
    ring = Ring(str(tmp_path), quiet_s=10)
    file = written(tmp_path, 1)
    assert closed(ring, 0) == []
    os.utime(file, ns=(5, 5))
    assert closed(ring, 9) == []
    with subprocess.Popen(["sleep", "60"], stdin=file.open("rb")) as writer:
        assert closed(ring, 30) == []
        writer.kill()
    assert closed(ring, 31) == [name(1)]
    assert closed(ring, 99) == []


def test_each_ring_of_a_folder_has_its_own_last_file(tmp_path: Path) -> None:
    ring = Ring(str(tmp_path), quiet_s=60)
    for prefix in ("east-", "west-"):
        written(tmp_path, 1, prefix)
    written(tmp_path, 2, "east-")

    assert closed(ring, 0) == [f"east-{name(1)}"]


def test_a_number_that_begins_anew_is_the_newer_file(tmp_path: Path) -> None:
    """As tcpdump -W writes over its first files."""
    ring = Ring(str(tmp_path), quiet_s=60)
    for at, when in ((0, 9), (1, 7), (2, 8)):
        file = tmp_path / f"ring.pcap{at}"
        shutil.copy(LOSS, file)
        os.utime(file, ns=(when * SECOND, when * SECOND))

    assert closed(ring, 0) == ["ring.pcap1", "ring.pcap2"]


def test_a_file_that_is_written_again_is_another_one(tmp_path: Path) -> None:
    ring = Ring(str(tmp_path), quiet_s=60)
    file = written(tmp_path, 1)
    written(tmp_path, 2)
    assert closed(ring, 0) == [name(1)]
    os.utime(file, ns=(SECOND + 1, SECOND + 1))
    assert closed(ring, 1) == [name(1)]


def test_a_folder_that_is_gone_has_no_files(tmp_path: Path) -> None:
    assert closed(Ring(str(tmp_path / "gone"), quiet_s=0), 0) == []


def test_files_come_into_the_dataset_as_they_close_and_an_interrupt_ends_it(tmp_path: Path) -> None:
    folder, out = tmp_path / "ring", tmp_path / "out"
    folder.mkdir()
    written(folder, 1)
    written(folder, 2)
    watch = ["watch", str(folder), "-o", str(out), "--every", "0.05", "--quiet", "600"]
    for count in (1, 2):
        process = subprocess.Popen(
            [*COMMAND, *watch],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=take_signals,
        )
        while len(list(out.glob("table=captures/*"))) < count:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)

        assert (process.returncode, errors) == (130, b"sctp-rack: interrupted\n")
        assert left_over(out) == []
        (folder / name(count)).unlink()  # as the ring does, and its rows stay
        written(folder, count + 2)
    assert [Path(one).name for one in rows_of(out)["captures"]["capture"].to_pylist()] == [
        name(1),
        name(2),
    ]
    assert output.startswith((b"1 capture read, 0 there already", b""))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_that_a_library_swallows_ends_it_all_the_same(
    number: int, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Arrow does now and then: what is raised while it calls Python is lost."""
    looks = []

    def look(_ring: Ring, _now_ns: int) -> list[Found]:
        looks.append(number)
        assert len(looks) == 1
        with contextlib.suppress(BaseException):
            signal.raise_signal(number)
        return []

    monkeypatch.setattr(Ring, "closed", look)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    before = {one: signal.signal(one, signal.SIG_DFL) for one in signals.ENDING}
    try:
        signals.take_signals()
        result = called("watch", tmp_path, "-o", tmp_path / "out")
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        signals.forget()

    assert result.returncode == status


def test_what_is_no_folder_is_a_wrong_call(tmp_path: Path) -> None:
    result = called("watch", tmp_path / "gone", "-o", tmp_path / "out")

    assert (result.returncode, list(tmp_path.iterdir())) == (2, [])
