# SPDX-License-Identifier: BSD-2-Clause
"""Input that cannot be read, or only in part: one clear line, the right exit status, nothing lost
that came before."""

import fcntl
import gzip
import os
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.captures import SAMPLE
from tests.commands.called import called

COMMAND = [str(Path(sys.executable).with_name("sctp-rack"))]


def run(
    *arguments: object, data: bytes | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(
        command, input=data, capture_output=True, check=False, timeout=60, **options
    )


def broken(tmp_path: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    path = tmp_path / name
    path.write_bytes(change(SAMPLE.read_bytes()))
    return path


def stopped_reading(path: object, what: str) -> None:
    for arguments in (["analyze", path], ["export", "--table", "chunks", path]):
        result = called(*arguments)
        lines = result.stderr.decode().splitlines()

        assert result.returncode == 3
        assert len(lines) == 1
        assert lines[0].startswith(f"sctp-rack: {path}: ")
        assert what in lines[0]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    stopped_reading(tmp_path / "nothing.pcap", "No such file")


def test_a_directory_is_named(tmp_path: Path) -> None:
    stopped_reading(tmp_path, "no capture in this folder")
    assert b"Is a directory" in called("explain", "--frame", 1, tmp_path).stderr


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    stopped_reading(
        broken(tmp_path, "empty.pcap", lambda _: b""), "byte 0 (frame 1): nothing to read"
    )


def test_text_is_not_a_capture(tmp_path: Path) -> None:
    text = broken(tmp_path, "text.pcap", lambda _: b"Frame 1: 66 bytes on wire\n")
    stopped_reading(text, "byte 0 (frame 1): not a pcap or pcapng capture")


def test_three_bytes_are_not_a_capture(tmp_path: Path) -> None:
    stopped_reading(broken(tmp_path, "short.pcap", lambda b: b[:3]), "not a capture")


def test_a_file_header_alone_cut_short_is_an_error(tmp_path: Path) -> None:
    stopped_reading(broken(tmp_path, "header.pcapng", lambda b: b[:20]), "ends inside a record")


def test_a_file_that_may_not_be_read_is_named() -> None:
    with tempfile.TemporaryDirectory() as folder:  # open to others, unlike pytest's
        Path(folder).chmod(0o755)
        path = Path(folder) / "secret.pcap"
        path.write_bytes(SAMPLE.read_bytes())
        path.chmod(0)
        nobody: dict[str, Any] = (
            {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        )
        try:
            result = run("analyze", path, **nobody)
        except PermissionError:
            pytest.skip("an unprivileged user may not run this interpreter")

    assert result.returncode == 3
    assert result.stderr.decode() == f"sctp-rack: {path}: Permission denied\n"


def test_a_corrupt_record_ends_with_byte_and_frame_and_keeps_what_came_before(
    tmp_path: Path,
) -> None:
    at = 20_000
    path = broken(tmp_path, "corrupt.pcapng", lambda b: b[:at] + b"\xff" * 400 + b[at + 400 :])

    result = called("export", "--table", "chunks", path)

    assert result.returncode == 3
    assert re.search(rb": byte \d+ \(frame \d+\): ", result.stderr)
    whole = called("export", "--table", "chunks", SAMPLE).stdout.splitlines()
    kept = result.stdout.splitlines()
    assert 10 < len(kept) < len(whole)
    assert kept == whole[: len(kept)]


def test_a_file_cut_in_mid_packet_is_read_up_to_the_cut_with_a_finding(tmp_path: Path) -> None:
    path = broken(tmp_path, "cut.pcapng", lambda b: b[:-1000])

    exported = called("export", "--table", "transmissions", path)
    analyzed = called("analyze", path)

    assert exported.returncode == analyzed.returncode == 0
    assert b"ends inside a record; what came before is exported" in exported.stderr
    assert len(exported.stdout.splitlines()) > 380
    assert b"The input was read up to frame" in analyzed.stdout


def test_cut_gzip_is_read_up_to_the_cut(tmp_path: Path) -> None:
    path = broken(tmp_path, "cut.pcapng.gz", lambda b: gzip.compress(b)[:-2000])

    result = called("export", "--table", "transmissions", path)

    assert result.returncode == 0
    assert len(result.stdout.splitlines()) > 100
    assert b"ended before the end-of-stream marker" in result.stderr


def test_corrupt_gzip_is_an_error(tmp_path: Path) -> None:
    def corrupt(data: bytes) -> bytes:
        packed = bytearray(gzip.compress(data))
        packed[-6] ^= 0xFF
        return bytes(packed)

    result = called("analyze", broken(tmp_path, "corrupt.pcapng.gz", corrupt))

    assert result.returncode == 3
    assert len(result.stderr.splitlines()) == 1


def test_an_unreadable_capture_does_not_stop_the_others(tmp_path: Path) -> None:
    result = called("analyze", tmp_path / "nothing.pcap", SAMPLE)

    assert result.returncode == 3
    assert b"9 of 30 retransmissions" in result.stdout


@pytest.mark.parametrize(
    "call", ["export --table chunks", "export --format csv --table chunks", "analyze"]
)
def test_output_whose_reader_leaves_is_no_error(call: str) -> None:
    command = f"set -o pipefail; {COMMAND[0]} {call} {SAMPLE} | head -c 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)

    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("call", ["export --table chunks", "analyze"])
def test_output_that_does_not_fit_is_one_line(call: str) -> None:
    command = f"{COMMAND[0]} {call} {SAMPLE} > /dev/full"
    result = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)

    assert result.returncode == 3
    assert result.stderr == b"sctp-rack: the output cannot be written: No space left on device\n"


def test_a_capture_can_be_exported_onto_itself(tmp_path: Path) -> None:
    path = broken(tmp_path, "self.pcapng", lambda data: data)

    assert called("export", "--table", "sacks", path, "-o", path).returncode == 0
    assert path.read_bytes() == called("export", "--table", "sacks", SAMPLE).stdout


def test_an_output_that_is_there_stays_when_nothing_was_read(tmp_path: Path) -> None:
    kept = tmp_path / "kept.csv"
    kept.write_text("kept")
    text = broken(tmp_path, "text.pcap", lambda _: b"no capture")

    assert called("export", "--table", "sacks", text, "-o", kept).returncode == 3
    assert kept.read_text() == "kept"
    assert {path.name for path in tmp_path.iterdir()} == {"kept.csv", "text.pcap"}


def test_an_interrupt_shows_what_came_so_far() -> None:
    process = subprocess.Popen(
        [*COMMAND, "analyze", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=_take_interrupts,
    )
    assert process.stdin
    process.stdin.write(SAMPLE.read_bytes())
    process.stdin.flush()
    while _unread(process.stdin.fileno()):
        time.sleep(0.05)
    time.sleep(1)  # until it waits for more
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)

    assert process.returncode == 0
    assert b"9 of 30 retransmissions" in output
    assert b"interrupted after frame 673" in output


def _take_interrupts() -> None:
    """A shell's background jobs, and all that they start, ignore interrupts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _unread(pipe: int) -> int:
    """Bytes in a pipe that its reader has not taken."""
    count = fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(count, sys.byteorder)


def test_a_file_name_need_not_be_utf8(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff.pcapng"
    Path(os.fsdecode(name)).write_bytes(SAMPLE.read_bytes())
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    result = subprocess.run(
        [COMMAND[0], "analyze", name], capture_output=True, timeout=60, check=False, env=environment
    )

    assert result.returncode == 0
    assert b"9 of 30 retransmissions" in result.stdout


def test_output_that_cannot_be_written_is_a_wrong_call(tmp_path: Path) -> None:
    output = tmp_path / "no" / "such" / "folder"
    result = called("export", "--table", "chunks", SAMPLE, "-o", output)

    assert result.returncode == 2
    assert b"No such file or directory" in result.stderr
