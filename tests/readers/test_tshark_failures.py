# SPDX-License-Identifier: BSD-2-Clause
"""A tshark that is missing, fails, dies, hangs or prints something else: one clear line, status 3,
what came before is kept, and no process is left over."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.errors import CaptureError
from sctp_rack.readers.tshark import OUTPUT, WITHOUT_SCTP, TsharkSource

from tests.analyzer.test_bad_input import COMMAND, run
from tests.captures import SAMPLE
from tests.commands.called import called

pytestmark = pytest.mark.long

Double = Callable[[str], dict[str, str]]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What tshark prints of the first frames of the sample."""
    command = ["tshark", "-r", str(SAMPLE), "-c", "50", *WITHOUT_SCTP, *OUTPUT]
    path = tmp_path_factory.mktemp("printed") / "frames.json"
    path.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    return path


@pytest.fixture
def double(tmp_path: Path) -> Double:
    """Puts a shell script called tshark first in PATH; gives the environment for it."""

    def put(script: str) -> dict[str, str]:
        path = tmp_path / "bin" / "tshark"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return {**os.environ, "PATH": f"{path.parent}:{os.environ['PATH']}"}

    return put


def fails(environment: dict[str, str], said: str) -> None:
    for call in (["analyze"], ["export", "--table", "chunks"]):
        result = run(*call, "--reader", "tshark", SAMPLE, env=environment)
        lines = result.stderr.decode().splitlines()
        assert result.returncode == 3
        assert lines == [f"sctp-rack: {SAMPLE}: {said}"]


def test_a_tshark_that_is_not_installed_is_named() -> None:
    fails(
        {**os.environ, "PATH": "/nowhere"},
        "tshark cannot be started: No such file or directory; it comes with Wireshark "
        "(Debian: apt install tshark)",
    )


def test_a_tshark_that_may_not_be_run_is_named(double: Double, tmp_path: Path) -> None:
    environment = double("")
    (tmp_path / "bin" / "tshark").chmod(0o644)
    environment["PATH"] = str(tmp_path / "bin")
    fails(
        environment,
        "tshark cannot be started: Permission denied; it comes with Wireshark "
        "(Debian: apt install tshark)",
    )


def test_what_tshark_complains_of_is_passed_on(double: Double) -> None:
    script = """
        echo 'Running as user "root" and group "root". This could be dangerous.' >&2
        echo 'tshark: The file is a riddle.' >&2
        echo >&2
        exit 2"""
    fails(double(script), "tshark: The file is a riddle.")


def test_a_tshark_that_fails_and_says_nothing_is_told_by_its_status(double: Double) -> None:
    fails(double("exit 7"), "tshark failed with status 7 and said nothing")


def test_a_tshark_that_prints_nothing_has_not_seen_nothing(double: Double) -> None:
    fails(double(""), "tshark printed nothing")


def test_a_tshark_that_is_killed_is_told_by_its_signal(double: Double) -> None:
    fails(double("kill -SEGV $$"), "tshark was ended by SIGSEGV")


def test_what_is_not_json_is_told(double: Double) -> None:
    fails(double("echo Hello."), "tshark printed something that is not JSON")


def test_endless_output_that_is_not_json_is_told_in_bounded_memory(double: Double) -> None:
    fails(double("exec cat /dev/zero"), "tshark printed something that is not JSON")


def test_json_of_something_else_is_told(double: Double) -> None:
    fails(
        double("printf '[\\n  {\\n    \"a\": 1\\n  }\\n]\\n'"),
        "tshark printed something that is not a frame in JSON",
    )


def test_a_tshark_that_dies_half_way_leaves_what_came_before(double: Double, printed: Path) -> None:
    environment = double(f"head -c 60000 {printed}; kill -KILL $$")

    result = run("export", "--table", "chunks", "--reader", "tshark", SAMPLE, env=environment)

    kept = result.stdout.splitlines()
    whole = called("export", "--table", "chunks", SAMPLE).stdout.splitlines()
    assert result.returncode == 3
    assert 3 < len(kept) < 50 and kept == whole[: len(kept)]
    said = f"sctp-rack: {SAMPLE}: after frame {len(kept)}: tshark was ended by SIGKILL"
    assert result.stderr.decode().splitlines()[0] == said


def test_a_tshark_that_ends_inside_a_frame_and_calls_that_success_is_cut_input(
    double: Double, printed: Path
) -> None:
    environment = double(f"head -c 60000 {printed}")

    result = run("analyze", "--reader", "tshark", SAMPLE, env=environment)

    assert result.returncode == 0
    assert b"tshark ended inside a frame" in result.stdout


def test_a_tshark_that_complains_without_end_does_not_stop_us(
    double: Double, printed: Path
) -> None:
    script = f"head -c 3000000 /dev/zero | tr '\\0' x >&2; cat {printed}"

    result = run("export", "--table", "chunks", "--reader", "tshark", SAMPLE, env=double(script))

    assert (result.returncode, len(result.stdout.splitlines())) == (0, 50)


HANGING = "sleep 1000 & echo $$ $! > {pids}; head -c 60000 {printed}; trap '' TERM; sleep 1000"


def test_a_tshark_that_hangs_is_given_up_and_ended_with_what_it_started(
    double: Double, printed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    environment = double(HANGING.format(pids=pids, printed=printed))
    monkeypatch.setenv("PATH", environment["PATH"])

    session = Session("x", ["chunks"], source=TsharkSource(str(SAMPLE), silence_s=0.5))
    session.read_all()

    with pytest.raises(
        CaptureError, match=r"after frame \d+: tshark has printed nothing for 0.5 s"
    ):
        session.check()
    assert gone(pids)


def test_a_reader_that_is_left_half_way_ends_its_tshark(
    double: Double, printed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setenv("PATH", double(HANGING.format(pids=pids, printed=printed))["PATH"])
    frames = TsharkSource(str(SAMPLE)).frames()
    assert next(frames).number == 1

    frames.close()

    assert gone(pids)


@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_end_by_signal_ends_tshark_too(
    double: Double, printed: Path, tmp_path: Path, how: signal.Signals, status: int
) -> None:
    pids = tmp_path / "pids"
    process = subprocess.Popen(
        [*COMMAND, "analyze", "--reader", "tshark", SAMPLE],
        env=double(HANGING.format(pids=pids, printed=printed)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not (pids.exists() and pids.read_text().endswith("\n")):
        time.sleep(0.05)
    time.sleep(1)  # until it waits for more
    process.send_signal(how)
    output, _ = process.communicate(timeout=60)

    assert process.returncode == status
    assert output == b""
    assert gone(pids)


def gone(pids: Path) -> bool:
    """Whether all these processes have ended; a zombie of another parent has."""
    for _ in range(100):
        if not any(map(_lives, pids.read_text().split())):
            return True
        time.sleep(0.05)
    return False


def _lives(pid: str) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_what_the_real_tshark_cannot_read_is_said_by_it() -> None:
    result = called("analyze", "--reader", "tshark", __file__)

    assert result.returncode == 3
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith(f"sctp-rack: {__file__}: tshark: The file")
    assert "isn't a capture file in a format TShark understands" in line


def test_a_file_cut_in_mid_packet_is_read_up_to_the_cut_by_the_real_tshark(tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcapng"
    cut.write_bytes(SAMPLE.read_bytes()[:-1000])

    result = called("export", "--table", "chunks", "--reader", "tshark", cut)

    assert result.returncode == 0
    assert result.stdout == called("export", "--table", "chunks", cut).stdout
    assert b"cut short in the middle of a packet" in result.stderr


@pytest.mark.parametrize("option", ["--keylog", "capture"])
def test_a_file_that_is_not_there_is_named(option: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    options = ["--keylog", missing, SAMPLE] if option == "--keylog" else [missing]

    result = called("analyze", "--reader", "tshark", *options)

    assert result.returncode == 3
    assert result.stderr.decode() == f"sctp-rack: {missing}: No such file or directory\n"


def test_standard_input_is_read_by_tshark() -> None:
    result = run(
        *("export", "--table", "chunks", "--reader", "tshark", "-"), data=SAMPLE.read_bytes()
    )

    assert result.returncode == 0
    assert result.stdout == called("export", "--table", "chunks", SAMPLE).stdout


def test_a_closed_standard_input_is_named() -> None:
    command = f"{COMMAND[0]} analyze --reader tshark - <&-"
    result = subprocess.run(["bash", "-c", command], capture_output=True, check=False, timeout=60)

    assert result.returncode == 3
    assert result.stderr == b"sctp-rack: -: standard input is closed\n"
    assert sys.stdin is not None
