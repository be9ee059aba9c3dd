# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack batch`: every capture is in the dataset once, as it is now, whatever it is."""

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.fleet import batch, merge, task
from sctp_rack.fleet.dataset import Dataset
from sctp_rack.fleet.found import found_in
from sctp_rack.fleet.one import read_some
from sctp_rack.fleet.rows import schema

from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called
from tests.fleet.rows import left_over, rows_of

LOSS = BUNDLED / "usrsctp-nth-loss.sender.pcap"
TAIL = BUNDLED / "pion-tail-loss.sender.pcap"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_told: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    into = tmp_path / "captures"
    (into / "more").mkdir(parents=True)
    shutil.copy(SAMPLE, into / "b.pcapng")
    shutil.copy(LOSS, into / "ring.pcap3")
    shutil.copy(TAIL, into / "more" / "tail.pcap")
    return into


def test_rows_are_those_of_export(folder: Path, tmp_path: Path) -> None:
    result = called("batch", folder, "-o", tmp_path / "out")
    rows = rows_of(tmp_path / "out")

    assert result.returncode == 0
    assert result.stdout.startswith(b"3 captures read, 0 there already: sctp-rack query ")
    called("export", "--table", "all", "--format", "parquet", "-o", tmp_path / "plain", folder)
    for table in LAYOUTS:
        some = [pq.read_table(file) for file in (tmp_path / "plain" / table).glob("*.parquet")]
        some.sort(key=lambda one: str(one["capture"][:1]))
        exported = pa.concat_tables(one.cast(schema(table)) for one in some)
        assert rows.pop(table, schema(table).empty_table()) == exported, table
    assert set(rows) == {"captures", "recoveries", "sent"}


def test_pandas_is_not_imported(folder: Path, tmp_path: Path) -> None:
    """It takes as long as to read a hundred small captures, in each process."""
    pytest.importorskip("pandas")
    call = "import sys; from sctp_rack.commands.cli import main; main()"
    says = "import atexit, sys; atexit.register(lambda: print('pandas' in sys.modules)); "
    out = str(tmp_path / "out")
    batch = ["batch", str(folder), "-o", out]
    ab = ["query", out, "--named", "ab", "--before", "ring*", "--after", "tail*"]
    for told in (batch, batch, ab):
        command = [sys.executable, "-c", says + call, *told]
        result = subprocess.run(command, capture_output=True, check=True)
        assert result.stdout.endswith(b"False\n"), told


def test_what_is_there_is_not_read_again(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    called("batch", folder, "-o", out)
    before = {file: file.stat().st_ino for file in out.rglob("*.parquet")}
    result = called("batch", folder / "*.pcap*", folder, "-o", out)

    assert result.stdout.startswith(b"0 captures read, 3 there already")
    assert {file: file.stat().st_ino for file in out.rglob("*.parquet")} == before
    assert left_over(out) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_old_rows_of_a_changed_capture_disappear(folder: Path, tmp_path: Path, jobs: int) -> None:
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    called("batch", folder, "-o", out, "--jobs", jobs)
    shutil.copy(TAIL, folder / "b.pcapng")
    again = called("batch", folder, "-o", out, "--jobs", jobs)
    called("batch", folder, "-o", fresh)

    assert again.stdout.startswith(b"1 capture read, 2 there already")
    assert rows_of(out) == rows_of(fresh)


def test_another_time_alone_makes_a_capture_another_one(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    called("batch", folder, "-o", out)
    os.utime(folder / "b.pcapng", ns=(1, 1))

    assert called("batch", folder, "-o", out).stdout.startswith(b"1 capture read, 2 there")


def test_what_would_be_read_otherwise_is_read_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    for call in ((), ("--vantage", "receiver"), ("--table", "sacks")):
        result = called("batch", folder, "-o", out, *call)
        assert result.stdout.startswith(b"3 captures read, 0 there already")
    assert set(rows_of(out)) == {"captures", "recoveries", "sent", "sacks"}
    monkeypatch.setattr("sctp_rack.fleet.one._version", lambda: "99")
    result = called("batch", folder, "-o", out, "--table", "sacks")

    assert result.stdout.startswith(b"3 captures read")
    assert {row["version"] for row in rows_of(out)["captures"].to_pylist()} == {"99"}


def test_what_cannot_be_read_is_a_row_and_the_status(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (folder / "empty.pcap").write_bytes(b"")
    content = SAMPLE.read_bytes()
    (folder / "broken.pcap").write_bytes(content[:100_000] + b"\xff" * 400 + content[100_400:])
    (folder / "cut.pcap").write_bytes(content[:-1000])
    results = [called("batch", folder, tmp_path / "missing", "-o", out) for _ in range(2)]
    status = {
        Path(row["capture"]).name: (row["status"], row["frames"] is None, row["error"] is None)
        for row in rows_of(out)["captures"].to_pylist()
    }

    assert [one.returncode for one in results] == [3, 3]
    assert [len(one.stderr.splitlines()) for one in results] == [3, 0]
    assert results[0].stdout.startswith(b"4 captures read, 0 there already; 3 broken or unreadable")
    assert b"; 3 broken or unreadable: sctp-rack query" in results[1].stdout
    assert status == {
        "b.pcapng": ("read", False, True),
        "broken.pcap": ("broken", False, False),
        "cut.pcap": ("cut", False, False),
        "empty.pcap": ("unread", True, False),
        "missing": ("unread", True, False),
        "ring.pcap3": ("read", False, True),
        "tail.pcap": ("read", False, True),
    }


def test_what_failed_for_the_machine_is_tried_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"

    def fails(*_: object, **__: object) -> None:
        raise MemoryError

    with monkeypatch.context() as now:
        now.setattr("sctp_rack.fleet.one.open_session", fails)
        first = called("batch", folder, "-o", out)
    again = called("batch", folder, "-o", out)

    assert (first.returncode, again.returncode) == (3, 0)
    assert first.stderr.count(b"out of memory") == 3
    assert again.stdout.startswith(b"3 captures read")
    assert {row["status"] for row in rows_of(out)["captures"].to_pylist()} == {"read"}


def test_a_process_that_is_killed_takes_no_capture_with_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, mark = tmp_path / "out", tmp_path / "killed"
    real = read_some

    def dies_once(*arguments: object) -> object:
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), 9)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(task, "read_some", dies_once)
    result = called("batch", folder, "-o", out, "--jobs", 2)

    assert (result.returncode, result.stderr) == (0, b"")
    assert len(rows_of(out)["captures"]) == 3


def test_a_process_that_is_killed_when_it_is_done_leaves_no_row_twice(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = read_some

    def dies(*arguments: object) -> None:
        list(real(*arguments))  # type: ignore[arg-type]
        os.kill(os.getpid(), 9)

    monkeypatch.setattr(task, "read_some", dies)
    result = called("batch", folder, "-o", tmp_path / "out", "--jobs", 2)
    monkeypatch.undo()
    called("batch", folder, "-o", tmp_path / "plain")

    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"3 captures read")
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "plain")


def test_a_process_that_is_killed_while_it_merges_leaves_no_row_twice(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, parent = merge.merge, os.getpid()

    def dies(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        if os.getpid() != parent:
            os.kill(os.getpid(), 9)

    monkeypatch.setattr(batch, "_TOGETHER", 1)
    called("batch", folder, "-o", tmp_path / "plain")
    monkeypatch.setattr(merge, "TOGETHER", 2)
    monkeypatch.setattr(batch, "merge", dies)
    result = called("batch", folder, "-o", tmp_path / "out", "--jobs", 2)

    assert (result.returncode, result.stderr) == (0, b"")
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "plain")
    assert len(Dataset(str(tmp_path / "out")).segments()) == 2


def test_rows_of_a_captures_file_that_the_disk_lost_are_read_again(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    called("batch", folder, "-o", out)
    rows = rows_of(out)
    (lost, *_) = (out / "table=captures").iterdir()
    lost.write_bytes(bytes(lost.stat().st_size))

    assert called("batch", folder, "-o", out).returncode == 0
    assert rows_of(out) == rows


def test_rows_of_another_version_have_the_columns_of_today(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    called("batch", folder, "-o", out, "--table", "sacks")
    (file,) = (out / "table=sacks").iterdir()
    table = pq.read_table(file, partitioning=None)
    pq.write_table(table.drop_columns(["stale"]).append_column("more", table["frame"]), file)
    dataset = Dataset(str(out))
    merge.merge(dataset, dataset.segments())
    (file,) = (out / "table=sacks").iterdir()

    assert pq.read_schema(file).names == schema("sacks").names
    assert pq.read_table(file, partitioning=None)["stale"].null_count == len(table)


def test_a_process_that_is_always_killed_leaves_a_row_that_says_so(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task, "read_some", lambda *_: os.kill(os.getpid(), 9))
    result = called("batch", folder, "-o", tmp_path / "out", "--jobs", 2)

    assert result.returncode == 3
    assert result.stderr.count(b"the process that read it ended by SIGKILL") == 3
    assert {row["status"] for row in rows_of(tmp_path / "out")["captures"].to_pylist()} == {
        "failed"
    }


def test_two_hundred_captures_make_few_files(tmp_path: Path) -> None:
    """Merged or not, the rows are the same; a capture that changes later leaves a merged file."""
    captures, out = tmp_path / "captures", tmp_path / "out"
    captures.mkdir()
    for at in range(200):
        (captures / f"{at}.pcap").symlink_to(LOSS)
    result = called("batch", captures, "-o", out, "--table", "transmissions", "--jobs", 2)
    rows = rows_of(out)

    assert result.stdout.startswith(b"200 captures read")
    assert len(rows["captures"]) == 200
    counts = Counter(rows["transmissions"]["capture"].to_pylist())
    assert len(counts) == 200 and len(set(counts.values())) == 1
    assert len(list(out.rglob("*.parquet"))) < 60


def test_merged_segments_have_the_rows_of_those_that_they_replace(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "_TOGETHER", 1)
    plain, merged = tmp_path / "plain", tmp_path / "merged"
    called("batch", folder, "-o", plain)
    monkeypatch.setattr(merge, "TOGETHER", 2)
    called("batch", folder, "-o", merged)

    assert len(Dataset(str(plain)).segments()) == 3
    assert len(Dataset(str(merged)).segments()) == 2
    assert rows_of(plain) == rows_of(merged)
    shutil.copy(TAIL, folder / "b.pcapng")
    for out in (plain, merged):
        called("batch", folder, "-o", out)
    assert rows_of(plain) == rows_of(merged)


def test_what_replaces_others_counts_from_its_last_rename_on(folder: Path, tmp_path: Path) -> None:
    """As where the process was killed before the files of the others were gone."""
    out, kept = tmp_path / "out", tmp_path / "kept"
    called("batch", folder, "-o", out)
    shutil.copytree(out, kept)
    dataset = Dataset(str(out))
    rows = rows_of(out)
    merge.merge(dataset, dataset.segments())
    for file in kept.rglob("*.parquet"):
        shutil.copy(file, out / file.relative_to(kept))

    assert len(dataset.segments()) == 1
    with dataset.writing():
        assert rows_of(out) == rows


def test_files_without_their_row_of_captures_do_not_count(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    called("batch", folder, "-o", out)
    rows = rows_of(out)
    for table in ("sacks", "transmissions"):
        (some, *_) = (out / f"table={table}").glob("*.parquet")
        shutil.copy(some, some.with_stem("orphan"))
    (out / "_unfinished" / "x").mkdir(parents=True)
    called("batch", folder, "-o", out)

    assert rows_of(out) == rows and left_over(out) == []


def test_a_large_capture_is_written_as_it_comes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called("batch", folder, "-o", tmp_path / "small")
    monkeypatch.setattr("sctp_rack.fleet.taken._MEMORY", 40_000)
    called("batch", folder, "-o", tmp_path / "large")

    assert len(list((tmp_path / "large" / "table=captures").iterdir())) > 1
    assert rows_of(tmp_path / "small") == rows_of(tmp_path / "large")


def test_one_writes_at_a_time(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sctp_rack.fleet.dataset._PATIENCE_S", 0.1)
    with Dataset(str(tmp_path / "out")).writing():
        result = called("batch", folder, "-o", tmp_path / "out")

    assert result.returncode == 2
    assert result.stderr.endswith(b"out: another sctp-rack writes it\n")


def test_a_folder_of_something_else_is_left_alone(folder: Path, tmp_path: Path) -> None:
    result = called("batch", SAMPLE, "-o", folder)

    assert result.returncode == 2
    assert b"there is something else in it" in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["b.pcapng", "more", "ring.pcap3"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("-",), b"standard input cannot be known again: batch takes files"),
        ((SAMPLE, "--split", "2026-05-10"), b"are for --report"),
        (("nowhere://x/y.pcap",), b"nowhere"),
    ],
)
def test_wrong_calls_say_why(tmp_path: Path, call: tuple[object, ...], said: bytes) -> None:
    result = called("batch", *call, "-o", tmp_path / "out")

    assert result.returncode in (2, 3) and said in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_name_that_is_no_utf_8_is_known_again(tmp_path: Path) -> None:
    captures = tmp_path / "captures"
    captures.mkdir()
    (captures / os.fsdecode(b"\xff.pcap")).write_bytes(LOSS.read_bytes())
    results = [called("batch", captures, "-o", tmp_path / "out") for _ in range(2)]

    assert [one.returncode for one in results] == [0, 0]
    assert results[1].stdout.startswith(b"0 captures read, 1 there already")
    (row,) = rows_of(tmp_path / "out")["captures"].to_pylist()
    assert row["capture"].endswith("\\xff.pcap")


def test_stores_are_read_by_their_address(tmp_path: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    for name in ("a.pcap", "more/b.pcap", "notes.txt"):
        memory.pipe(f"/fleet/{name}", LOSS.read_bytes())
    try:
        names = [one.name for one in found_in(["memory://fleet"])]
        out = tmp_path / "out"
        results = [
            called("batch", "memory://fleet", "memory://fleet/*.pcap", "-o", out) for _ in range(2)
        ]
        missing = called("batch", "memory://fleet/no.pcap", "-o", tmp_path / "no")
    finally:
        memory.rm("/fleet", recursive=True)

    assert names == ["memory:///fleet/a.pcap", "memory:///fleet/more/b.pcap"]
    assert [one.stdout[:35] for one in results] == [
        b"2 captures read, 0 there already: s",
        b"0 captures read, 2 there already: s",
    ]
    assert missing.returncode == 3
    assert missing.stderr == b"sctp-rack: memory://fleet/no.pcap: No such file or directory\n"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("no\nway")])
def test_what_cannot_be_fetched_now_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("/fleet/a.pcap", LOSS.read_bytes())

    def fails(*_: object) -> None:
        raise error

    try:
        with monkeypatch.context() as patched:
            patched.setattr(type(memory), "get_file", fails)
            first = called("batch", "memory://fleet", "-o", tmp_path / "out")
        again = called("batch", "memory://fleet", "-o", tmp_path / "out")
        with monkeypatch.context() as patched:
            patched.setattr(type(memory), "isdir", fails)
            listed = called("batch", "memory://fleet", "-o", tmp_path / "none")
    finally:
        memory.rm("/fleet", recursive=True)

    why = " ".join(str(error).split()).removeprefix("[Errno 28] ")
    assert first.stderr.decode() == f"sctp-rack: memory:///fleet/a.pcap: {why}\n"
    assert (first.returncode, again.returncode, listed.returncode) == (3, 0, 3)
    assert again.stdout.startswith(b"1 capture read, 0 there already")
    assert listed.stderr.decode() == f"sctp-rack: memory://fleet: {why}\n"


def test_over_http_a_capture_is_known_by_what_the_server_says_of_it(
    folder: Path, tmp_path: Path
) -> None:
    pytest.importorskip("aiohttp", reason="pip install aiohttp requests")
    pytest.importorskip("requests", reason="pip install aiohttp requests")
    handler = functools.partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        call = ("batch", f"http://127.0.0.1:{server.server_port}/", "-o", tmp_path / "out")
        results = [called(*call) for _ in range(2)]
        os.utime(folder / "b.pcapng", (1, 1))
        results.append(called(*call))
        server.shutdown()

    counts = [(3, 0), (0, 3), (1, 2)]
    assert [one.stdout.decode().split(" there")[0] for one in results] == [
        f"{read} capture{'' if read == 1 else 's'} read, {there}" for read, there in counts
    ]


def test_any_parquet_reader_reads_a_folder_of_files(folder: Path, tmp_path: Path) -> None:
    called("batch", folder, "-o", tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "table=transmissions")

    assert len(set(table["capture"].to_pylist())) == 3
