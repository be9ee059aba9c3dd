# SPDX-License-Identifier: BSD-2-Clause
"""Many captures in one call: all are done, in order, whatever becomes of one of them."""

import csv
import io
import json
import os
import pty
import shutil
import signal
import subprocess
import time
from pathlib import Path

import polars as pl
import pytest
import sctp_rack
from sctp_rack.commands.export import file_names
from sctp_rack.errors import UsageError
from sctp_rack.many import workers
from sctp_rack.many.figures import CaptureRow
from sctp_rack.many.ranked import ranked, ranked_lines
from sctp_rack.many.which import captures_in

from tests.analyzer.test_bad_input import COMMAND
from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called
from tests.commands.test_signals import take_signals

LOSS = BUNDLED / "usrsctp-nth-loss.sender.pcap"
TAIL = BUNDLED / "pion-tail-loss.sender.pcap"

EXPORT = ("export", "--table", "all", "--jobs", "2", "-o")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three captures, one of them in a folder of its own, one that is none, and other files."""
    into = tmp_path / "captures"
    (into / "more").mkdir(parents=True)
    shutil.copy(SAMPLE, into / "b.pcapng")
    shutil.copy(LOSS, into / "ring.pcap3")
    shutil.copy(TAIL, into / "more" / "without-suffix")
    (into / "broken.pcap").write_bytes(b"")
    (into / "notes.txt").write_text("no capture either")
    os.mkfifo(into / "fifo.pcap")
    return into


def test_of_a_folder_all_captures_are_meant_and_nothing_else(folder: Path) -> None:
    named = [str(folder / "notes.txt"), str(folder), "-"]

    assert captures_in(named) == [
        str(folder / name)
        for name in ("notes.txt", "b.pcapng", "broken.pcap", "more/without-suffix", "ring.pcap3")
    ] + ["-"]


def test_links_lead_to_captures_but_not_into_folders(folder: Path) -> None:
    before = captures_in([str(folder)])
    (folder / "again").symlink_to(folder)
    (folder / "nowhere.pcap").symlink_to(folder / "gone")
    for at in range(8):  # a folder has its files in any order: some come before captures
        (folder / f"{at}.pcap").symlink_to(folder / f"{at}.pcap")
    (folder / "linked.pcap").symlink_to(SAMPLE)
    assert captures_in([str(folder)]) == sorted([*before, str(folder / "linked.pcap")])


def test_a_folder_without_captures_is_an_error_and_the_others_are_read(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for call in (("analyze",), ("export", "--table", "sacks")):
        result = called(*call, empty, SAMPLE)

        assert result.returncode == 3
        assert result.stderr.decode() == f"sctp-rack: {empty}: no capture in this folder\n"
        assert len(result.stdout.splitlines()) > 20


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_cannot_be_read_is_named_and_the_others_are_ranked(folder: Path, jobs: int) -> None:
    result = called("analyze", "--jobs", jobs, folder)
    table = result.stdout.decode().partition("\n3 captures in ")[2].splitlines()

    assert result.returncode == 3
    assert table == [
        f"{folder}, most spurious retransmissions first",
        "  spurious  needed  undetermined    lost  findings   capture",
        "         9      21             0   5.4 %  1 warning  b.pcapng",
        "         9      18             0  12.9 %  1 warning  more/without-suffix",
        "         0       6             0   4.4 %             ring.pcap3",
        "1 capture that cannot be read",
        f"  {folder}/broken.pcap: byte 0 (frame 1): nothing to read: the file is empty, "
        "or its compressed data is cut",
    ]
    assert len(result.stderr.splitlines()) == 1


def test_processes_print_what_one_prints() -> None:
    for call in (["analyze"], ["analyze", "--json"]):
        one, two = (called(*call, "--jobs", jobs, SAMPLE, LOSS, TAIL) for jobs in (1, 2))

        assert one.stdout == two.stdout
        assert (one.returncode, one.stderr) == (two.returncode, two.stderr) == (0, b"")


def test_of_too_many_the_table_alone_is_told(tmp_path: Path) -> None:
    for at in range(21):
        shutil.copy(LOSS, tmp_path / f"{at}.pcap")
    result = called("analyze", "--jobs", 2, tmp_path)

    assert result.stdout.startswith(b"21 captures in ")
    assert len(result.stdout.splitlines()) == 23


@pytest.mark.parametrize(("fail_on", "status"), [("warning", 1), ("error", 0)])
def test_findings_of_any_capture_fail(fail_on: str, status: int) -> None:
    for jobs in (1, 2):
        call = ("analyze", "--fail-on", fail_on, "--jobs", jobs, LOSS, SAMPLE)
        assert called(*call).returncode == status


def test_standard_input_has_no_process_of_its_own() -> None:
    result = called("analyze", "--jobs", 2, "-", SAMPLE)

    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == b"sctp-rack: standard input is read without --jobs\n"


def test_a_process_that_dies_takes_one_capture_with_it() -> None:
    def work(capture: str, _output: object) -> str:
        if capture == "b":
            os.kill(os.getpid(), signal.SIGKILL)
        if capture == "c":
            os._exit(7)
        return f"read {capture}"

    def lost(capture: str, why: str) -> str:
        return f"{capture}: {why}"

    assert [result for result, _ in workers.in_order(work, "abcd", 2, lost)] == [
        "read a",
        "b: the process that read it ended by SIGKILL",
        "c: the process that read it ended with status 7",
        "read d",
    ]


def test_what_the_work_raises_is_raised_with_its_trace() -> None:
    def work(_capture: str, _output: object) -> str:
        raise UsageError("a wrong call")

    def lost(_capture: str, why: str) -> str:
        return why

    with pytest.raises(UsageError, match="a wrong call") as raised:
        list(workers.in_order(work, "ab", 2, lost))
    assert "in work" in raised.value.__notes__[0]


def slow(folder: Path) -> Path:
    """A folder whose captures take some seconds."""
    folder.mkdir()
    for at in range(400):
        (folder / f"{at}.pcapng").symlink_to(SAMPLE)
    return folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("everybody", [False, True], ids=["command", "terminal"])
def test_a_signal_ends_all_processes_and_leaves_nothing_unfinished(
    tmp_path: Path, number: signal.Signals, everybody: bool
) -> None:
    """As Ctrl-C of a terminal, which all of them get, and as `kill` of the command alone."""
    into = tmp_path / "out"
    process = subprocess.Popen(
        [*COMMAND, *EXPORT, into, slow(tmp_path / "in")],
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=take_signals,
    )
    while not list(into.glob("*/*.ndjson")):
        assert process.poll() is None
        time.sleep(0.01)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    (os.killpg if everybody else os.kill)(process.pid, number)
    begin = time.monotonic()
    _, errors = process.communicate(timeout=60)

    assert time.monotonic() - begin < 30
    assert process.returncode == 128 + number
    assert errors in (b"sctp-rack: interrupted\n", b"sctp-rack: ended by SIGTERM\n")
    assert len(workers) == 2 and not any(Path("/proc", one).exists() for one in workers)
    names = {path.name for path in into.glob("*/*")}
    assert all(name.endswith(".pcapng.ndjson") for name in names)


def test_a_signal_takes_the_folders_away_that_nothing_came_into(tmp_path: Path) -> None:
    fifos = [tmp_path / name for name in ("a.pcap", "b.pcap")]
    for fifo in fifos:
        os.mkfifo(fifo)
    into = tmp_path / "out"
    process = subprocess.Popen(
        [*COMMAND, *EXPORT, into, *fifos], stderr=subprocess.PIPE, preexec_fn=take_signals
    )
    while not (into / "sacks").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)

    assert process.returncode == 130
    assert sorted(tmp_path.iterdir()) == fifos


def test_processes_end_with_the_command_however_that_ends(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "analyze", "--json", "--jobs", "2", slow(tmp_path / "in")],
        stdout=subprocess.PIPE,
    )
    assert process.stdout and process.stdout.read(1)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.wait()

    end = time.monotonic() + 30
    while any(map(_runs, workers)) and time.monotonic() < end:
        time.sleep(0.01)
    assert len(workers) == 2 and not any(map(_runs, workers))


def _runs(process: str) -> bool:
    try:
        return Path("/proc", process, "stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def test_a_reader_that_leaves_ends_the_processes() -> None:
    command = f"set -o pipefail; {COMMAND[0]} analyze --jobs 2 {SAMPLE} {LOSS} {TAIL} | head -c 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)

    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(("fail_on", "status"), [("--fail-on warning", 1), ("", 0)])
def test_a_reader_that_leaves_before_the_table_does_not_change_the_status(
    tmp_path: Path, fail_on: str, status: int
) -> None:
    for at in range(21):
        (tmp_path / f"{at}.pcapng").symlink_to(SAMPLE)
    command = f"({COMMAND[0]} analyze {fail_on} {tmp_path}; echo $? >&2) | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)

    assert done.stderr.decode() == f"{status}\n"


def test_a_terminal_gets_colours_from_processes_too() -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, "analyze", "--jobs", "2", str(LOSS), str(TAIL)]
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=environment)
    os.close(theirs)
    text = b""
    while b"most spurious" not in text:
        text += os.read(ours, 1 << 16)
    process.wait(timeout=60)
    os.close(ours)

    assert b"\x1b[1m" in text


def test_rows_are_ranked_by_what_was_spurious() -> None:
    rows = [
        CaptureRow("unread", error="unread: no"),
        CaptureRow("few", frames=9, retransmissions=3, spurious=1, lost=9),
        CaptureRow("most", frames=9, retransmissions=2, spurious=2, lost=0),
        CaptureRow("more", frames=9, retransmissions=4, spurious=1, lost=0),
    ]

    assert [row.capture for row in ranked(rows)] == ["most", "more", "few", "unread"]
    assert list(ranked_lines(rows[:1], "x")) == ["1 capture that cannot be read", "  unread: no"]


def test_a_long_table_says_what_has_the_rest() -> None:
    rows = [CaptureRow(f"{at}", frames=1, chunks=0) for at in range(60)]
    unread = [CaptureRow(f"{at}", error=f"{at}: no") for at in range(51)]
    lines = list(ranked_lines(rows + unread, "--json"))

    assert lines[0] == "60 captures, most spurious retransmissions first"
    assert lines[52] == "  and 10 more; --json has all of them"
    assert lines[-1] == "  and 1 more; --json has all of them"


def test_no_terminal_obeys_a_name_in_the_table() -> None:
    text = "\n".join(ranked_lines([CaptureRow("a\x1b[2J", frames=1, notes=2)], "x"))

    assert "\x1b" not in text and "2 notes" in text


def test_read_many_gives_a_row_for_each(folder: Path) -> None:
    captures = sctp_rack.read_many(folder, jobs=2)
    frame = captures.to_pandas()

    assert repr(captures) == "<Captures: 4 captures, 1 with errors>"
    assert [row.spurious for row in captures] == [9, None, 9, 0]
    assert [Path(row.capture).name for row in captures.ranked()[:2]] == [
        "b.pcapng",
        "without-suffix",
    ]
    assert str(captures).splitlines()[0].endswith("most spurious retransmissions first")
    assert frame["spurious"].sum() == 18
    assert frame["error"].notna().sum() == len(captures.unread) == 1
    assert "b.pcapng" in captures._repr_html_()
    assert list(sctp_rack.read_many([folder])) == list(captures)
    with pytest.raises(ValueError, match="no vantage 'here'"):
        sctp_rack.read_many(folder, jobs=2, vantage="here")
    with pytest.raises(ValueError, match="at least one"):
        sctp_rack.read_many(folder, jobs=0)


def test_a_row_has_the_figures_of_the_capture() -> None:
    (row,) = sctp_rack.read_many(TAIL)
    capture = sctp_rack.read(TAIL)
    recovery = capture.associations[0].a.recovery

    assert recovery
    assert (row.retransmissions, row.spurious, row.lost) == (27, recovery.spurious, recovery.lost)
    assert (row.timeouts, row.probes) == (recovery.timeouts, sum(recovery.probes.values()))
    assert (row.frames, row.associations) == (capture.summary.frames, 1)
    assert row.warnings == sum(one.severity == "warning" for one in capture.findings)
    assert row.headline and row.headline.startswith("9 of 27 retransmissions were spurious")


def test_rows_of_several_captures_name_theirs() -> None:
    text = called("export", "--table", "sacks", "--format", "csv", SAMPLE, LOSS).stdout.decode()
    lines = called("export", "--table", "sacks", SAMPLE, LOSS).stdout.splitlines()
    rows = list(csv.DictReader(io.StringIO(text)))

    assert {row["capture"] for row in rows} == {str(SAMPLE), str(LOSS)}
    assert [json.loads(line)["capture"] for line in lines] == [row["capture"] for row in rows]
    alone = called("export", "--table", "sacks", "--format", "csv", SAMPLE).stdout.decode()
    assert text.splitlines()[1] == f"{SAMPLE},{alone.splitlines()[1]}"


def test_a_missing_first_capture_leaves_the_names_of_the_columns(tmp_path: Path) -> None:
    call = ("export", "--table", "sacks", "--format", "csv", tmp_path / "missing", LOSS, LOSS)
    result = called(*call)
    lines = result.stdout.decode().splitlines()

    assert result.returncode == 3
    assert [at for at, line in enumerate(lines) if line.startswith("capture,frame,")] == [0]


@pytest.mark.parametrize("file_format", ["parquet", "arrow", "csv"])
def test_files_of_a_folder_are_read_as_one_table(
    folder: Path, tmp_path: Path, file_format: str
) -> None:
    into = tmp_path / "tables"
    tables = ("--table", "transmissions", "--table", "counts")
    call = ("export", *tables, "--format", file_format, "--jobs", 2, "-o", into, folder)
    result = called(*call)
    read = {"parquet": pl.read_parquet, "arrow": pl.read_ipc, "csv": pl.read_csv}[file_format]

    assert result.returncode == 3 and len(result.stderr.splitlines()) == 1
    assert sorted(path.name for path in (into / "transmissions").iterdir()) == [
        f"{name}.{file_format}" for name in ("b.pcapng", "ring.pcap3", "without-suffix")
    ]
    rows = read(into / "transmissions" / f"*.{file_format}")
    kinds = rows.filter(pl.col("kind") == "retransmission").group_by("capture").len()
    assert {Path(name).name: count for name, count in kinds.iter_rows()} == {
        "b.pcapng": 30,
        "ring.pcap3": 6,
        "without-suffix": 27,
    }


def test_a_folder_that_nothing_came_into_goes_again(tmp_path: Path) -> None:
    into = tmp_path / "tables"
    for missing in (tmp_path / "missing", tmp_path / "missing.pcap"):
        assert called("export", "--table", "all", "-o", into, missing, missing).returncode == 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("--table all", "of several captures that needs --output, a directory"),
        ("--table sacks --format parquet", "of several captures that needs --output, a directory"),
        ("--table sacks --jobs 2", "--jobs needs --output, a directory"),
        ("--table sacks -o x.ndjson", "x.ndjson: of several captures --output is a directory"),
    ],
)
def test_a_wrong_call_says_what_is_missing(call: str, said: str) -> None:
    result = called("export", *call.split(), SAMPLE, LOSS)

    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode() == f"sctp-rack: {said}\n"


def test_files_of_captures_with_the_same_name_are_numbered() -> None:
    assert file_names(["a/x.pcap", "b/x.pcap", "x.pcap-2", "-", "a/x.pcap"], "csv") == {
        "a/x.pcap": "x.pcap.csv",
        "b/x.pcap": "x.pcap-2.csv",
        "x.pcap-2": "x.pcap-2-2.csv",
        "-": "standard-input.csv",
    }


def test_an_output_that_cannot_be_written_is_told_of_each_capture(tmp_path: Path) -> None:
    into = tmp_path / "tables"
    limits = "ulimit -f 1; trap '' XFSZ"
    call = f"{COMMAND[0]} export --table sacks --jobs 2 -o {into} {SAMPLE} {TAIL}"
    result = subprocess.run(["bash", "-c", f"{limits}; {call}"], capture_output=True, check=False)

    assert result.returncode == 3
    assert [line.partition(b": the output")[2] for line in result.stderr.splitlines()] == [
        b" cannot be written: File too large"
    ] * 2
    assert not into.exists()
