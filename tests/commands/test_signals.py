# SPDX-License-Identifier: BSD-2-Clause
"""A signal ends the command at once, wherever it is, with the status that a shell gives it."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sctp_rack._core import lib
from sctp_rack.binding.session import Session
from sctp_rack.commands import output_file, signals
from sctp_rack.commands.ending import EXIT_FINDINGS

from tests.analyzer.test_bad_input import COMMAND
from tests.captures import SAMPLE

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
_SAID = {
    signal.SIGINT: b"sctp-rack: interrupted\n",
    signal.SIGTERM: b"sctp-rack: ended by SIGTERM\n",
    signal.SIGHUP: b"sctp-rack: ended by SIGHUP\n",
}


def take_signals() -> None:
    """What a shell's background jobs start ignores interrupts; what nohup starts, hang-ups."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def takes_signals(process: "subprocess.Popen[bytes]") -> bool:
    """Whether it has a handler for SIGHUP, as Python by itself has not."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGHUP - 1) & 1)


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_while_it_is_imported_leaves_no_traceback(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*COMMAND, "analyze", str(SAMPLE)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=take_signals,
    )
    while not takes_signals(process):
        assert process.poll() is None, "it ended without having taken signals"
        time.sleep(0.001)
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)

    assert process.returncode == 128 + number
    assert output == b""
    assert errors in (b"", _SAID[number])


def judging(tmp_path: Path, number: signal.Signals) -> "subprocess.CompletedProcess[bytes]":
    """Gets the signal while the core judges, which is made to take as long as nobody stops it."""
    code = f"""
import os, signal, sys, threading
from sctp_rack.commands import cli
from sctp_rack.binding import session
real = session.lib
class Slow:
    def __getattr__(self, name):
        return getattr(real, name)
    def sr_session_judge_for(self, handle, ms):
        if ms:
            os.kill(os.getpid(), {int(number)})
        real.sr_session_judge_for(handle, 0)
        return real.SR_JUDGING_MORE
session.lib = Slow()
sys.argv = ["sctp-rack", "export", "--table", "all", {str(SAMPLE)!r}, "-o", "tables"]
cli.main()
"""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=take_signals,
    )


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_while_it_judges_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    done = judging(tmp_path, number)

    assert done.returncode == 128 + number
    assert done.stderr == _SAID[number]
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_stops_the_judge_of_a_session() -> None:
    session = Session(str(SAMPLE), ["transmissions"])

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(session.batches(interrupt))
    assert not lib.sr_session_judge(session.handle)


def test_a_file_that_is_interrupted_while_it_is_read_is_not_told_of(tmp_path: Path) -> None:
    """It can be read again; what comes through a pipe cannot."""
    code = f"""
import io, os, signal, sys
from sctp_rack.commands import cli
from sctp_rack.binding import source
class Interrupted(io.FileIO):
    def readinto(self, buffer):
        os.kill(os.getpid(), signal.SIGINT)
        return super().readinto(buffer)
source._WatchedFile = lambda path, progress: Interrupted(path)
sys.argv = ["sctp-rack", "analyze", {str(SAMPLE)!r}]
cli.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, preexec_fn=take_signals, check=False
    )

    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr == b"sctp-rack: interrupted\n"


@pytest.mark.parametrize("number", ENDING)
def test_another_exception_that_a_library_makes_of_a_signal_ends_the_command_as_it(
    number: signal.Signals,
) -> None:
    """As numpy, where it looks for the type that two arrays have in common."""
    code = f"""
import os, sys
from sctp_rack.commands import cli
from sctp_rack.commands import reading_options
def analyze(*_, **__):
    try:
        os.kill(os.getpid(), {int(number)})
        for _ in range(1000): pass
    except BaseException:
        raise TypeError("no type in common")
reading_options.Session = analyze
sys.argv = ["sctp-rack", "analyze", {str(SAMPLE)!r}]
cli.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, preexec_fn=take_signals, check=False
    )

    assert (done.returncode, done.stdout) == (128 + number, b"")
    assert done.stderr == _SAID[number]


@pytest.mark.parametrize("number", ENDING)
def test_an_error_of_the_dataset_that_duckdb_makes_of_a_signal_ends_the_command_as_it(
    number: signal.Signals,
) -> None:
    """Where it made a view it says "Invalid Input Error: ... KeyboardInterrupt"."""
    code = f"""
import os, sys
from sctp_rack.commands import cli
from sctp_rack.errors import InputError
from sctp_rack.fleet import query
def opened(*_):
    try:
        os.kill(os.getpid(), {int(number)})
        for _ in range(1000): pass
    except BaseException:
        raise InputError("dataset: Invalid Input Error: KeyboardInterrupt:")
query.opened = opened
sys.argv = ["sctp-rack", "query", "dataset", "--named", "captures"]
cli.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, preexec_fn=take_signals, check=False
    )

    assert (done.returncode, done.stdout) == (128 + number, b"")
    assert done.stderr == _SAID[number]


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_while_a_capture_comes_to_be_annotated_leaves_nothing(
    tmp_path: Path, number: signal.Signals
) -> None:
    """A part of a capture under the name of the whole would be taken for it."""
    process = subprocess.Popen(
        [*COMMAND, "annotate", "-", "-o", "annotated.pcapng"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=take_signals,
    )
    assert process.stdin
    process.stdin.write(SAMPLE.read_bytes())
    process.stdin.flush()
    while not any(path.stat().st_size for path in tmp_path.iterdir()):  # copied
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)

    assert (process.returncode, errors) == (128 + number, _SAID[number])
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so() -> None:
    process = subprocess.Popen(
        [*COMMAND, "analyze", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert process.stdin
    process.send_signal(signal.SIGHUP)  # as under nohup
    output, _ = process.communicate(SAMPLE.read_bytes(), timeout=60)

    assert process.returncode == 0
    assert b"9 of 30 retransmissions" in output


def test_a_signal_waits_until_what_is_held_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # nohup ignores it
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    signals.take_signals()
    try:
        with pytest.raises(KeyboardInterrupt), signals.held():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("all of it")
    finally:
        for number, handler in zip(ENDING, (before, signal.SIG_DFL, signal.SIG_DFL), strict=True):
            signal.signal(number, handler)
        signals.forget()

    assert done == ["all of it"]


def test_an_interrupt_that_falls_into_a_finalizer_comes_again() -> None:
    code = """
import os, signal, time
from sctp_rack.commands.signals import take_signals
take_signals()
class Deaf:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000): pass
try:
    Deaf()
    time.sleep(30)
except KeyboardInterrupt:
    print("came")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, preexec_fn=take_signals
    )

    assert (done.stdout, done.stderr) == (b"came\n", b"")


def test_a_second_thread_may_read_too() -> None:
    """Signals are taken by the main thread alone; reading needs none."""
    frames: list[int] = []

    def read() -> None:
        session = Session(str(SAMPLE), ["sacks"])
        session.read_all()
        frames.append(session.frames)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join()

    assert frames == [673]


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_behind_the_end_of_the_work_comes_too_late(number: signal.Signals) -> None:
    """It is ignored: what was found still decides the exit status."""
    code = f"""
import os, signal, sys
from sctp_rack.commands import cli
def ignore(before=cli.ignore_signals):
    before()
    os.kill(os.getpid(), {int(number)})
    os.write(1, b"too late\\n")
cli.ignore_signals = ignore
sys.argv = ["sctp-rack", "analyze", "--fail-on", "note", {str(SAMPLE)!r}]
cli.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, preexec_fn=take_signals, check=False
    )

    assert (done.returncode, done.stderr) == (EXIT_FINDINGS, b"")
    assert done.stdout.endswith(b"too late\n")


def test_a_second_signal_leaves_nothing_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a terminal and of who began it: it comes before the first is dealt with."""
    calls: list[None] = []

    def held_too_late() -> contextlib.AbstractContextManager[None]:
        calls.append(None)
        if len(calls) == 2:  # the first is around the file's beginning
            raise signals.Ended(signal.SIGTERM)
        return signals.held()

    monkeypatch.setattr(output_file, "held", held_too_late)
    with pytest.raises(signals.Ended), output_file.output_file(str(tmp_path / "rows"), None):
        raise signals.Ended(signal.SIGTERM)
    assert len(calls) == 2 and not list(tmp_path.iterdir())
