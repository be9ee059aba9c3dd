# SPDX-License-Identifier: BSD-2-Clause
"""Calls at the edge: what they end with, what they say, what they leave."""

import os
import pty
import resource
import subprocess
from pathlib import Path
from typing import Any

import lz4.frame
import pytest
import sctp_rack

from tests.analyzer.test_bad_input import COMMAND, broken, run
from tests.captures import SAMPLE
from tests.commands.called import called


@pytest.mark.parametrize(
    "times", [("--from", "100"), ("--from", "5", "--to", "2"), ("--to", "-1"), ("--from", "nan")]
)
def test_times_without_data_are_not_drawn(tmp_path: Path, times: tuple[str, ...]) -> None:
    result = called("plot", SAMPLE, *times, "-o", tmp_path / "x.xpl")

    assert result.returncode == 2
    (line,) = result.stderr.decode().splitlines()
    assert (
        line.startswith("sctp-rack: nothing to draw ") and "lasts from 0.120 s to 2.029 s" in line
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", ["plot", "report", "explain", "compare"])
def test_what_is_made_of_a_cut_capture_is_told_to_be(tmp_path: Path, call: str) -> None:
    path = broken(tmp_path, "cut.pcapng", lambda data: data[:-1000])
    arguments = {
        "plot": (path, "-o", tmp_path / "x.xpl"),
        "report": (path, "-o", tmp_path / "x.html"),
        "explain": (path, "--tsn", 1097975504),
        "compare": (path, SAMPLE),
    }[call]
    result = called(call, *arguments)

    assert result.returncode == 0
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith(f"sctp-rack: {path}: byte ")
    assert line.endswith("the file ends inside a record; what came before counts")


def test_a_broken_capture_is_drawn_up_to_there_with_the_status_of_what_cannot_be_read(
    tmp_path: Path,
) -> None:
    at = 20_000
    path = broken(tmp_path, "x.pcapng", lambda b: b[:at] + b"\xff" * 400 + b[at + 400 :])

    assert called("plot", path, "-o", tmp_path / "x.xpl").returncode == 3
    assert (tmp_path / "x.xpl").stat().st_size > 1000


@pytest.mark.parametrize("file_format", ["parquet", "arrow"])
def test_what_is_no_text_does_not_go_to_a_terminal(file_format: str) -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, "export", "--table", "sacks", "--format", file_format, str(SAMPLE)]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)

    assert done.returncode == 2
    assert done.stderr.decode() == (
        f"sctp-rack: {file_format} is nothing for a terminal: name a file with --output\n"
    )
    with pytest.raises(OSError, match="Input/output"):  # closed, and nothing was written
        os.read(ours, 1)
    os.close(ours)


@pytest.mark.parametrize(("fail_on", "status"), [("--fail-on note", 1), ("", 0)])
def test_a_reader_that_leaves_does_not_change_the_status(
    tmp_path: Path, fail_on: str, status: int
) -> None:
    cut = broken(tmp_path, "cut.pcapng", lambda data: data[:-1000])
    command = f"({COMMAND[0]} analyze {fail_on} {cut} {cut}; echo $? >&2) | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)

    assert done.stderr.decode() == f"{status}\n"


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "folder" / "target.csv", tmp_path / "link.csv"
    target.parent.mkdir()
    link.symlink_to(target)
    for _ in range(2):  # there is no target the first time
        called("export", "--table", "sacks", "--format", "csv", SAMPLE, "-o", link)

        assert link.is_symlink()
        assert target.read_bytes().startswith(b"frame,")
        assert [one.name for one in target.parent.iterdir()] == ["target.csv"]


def limited(name: str, limit: int, *arguments: object) -> "subprocess.CompletedProcess[bytes]":
    def limits() -> None:
        resource.setrlimit(getattr(resource, name), (limit, limit))

    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, preexec_fn=limits, check=False)


@pytest.mark.parametrize("mebibytes", [40, 72, 96, 160])
def test_too_little_memory_is_one_line(mebibytes: int) -> None:
    done = limited("RLIMIT_AS", mebibytes << 20, "analyze", SAMPLE)

    assert done.returncode in (0, 3)
    assert len(done.stderr.splitlines()) == (done.returncode == 3)
    assert b"Traceback" not in done.stderr


def test_a_full_disk_leaves_no_directory(tmp_path: Path) -> None:
    into = tmp_path / "tables"
    done = limited("RLIMIT_FSIZE", 4096, "export", "--table", "all", SAMPLE, "-o", into)

    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert not into.exists()


def test_no_terminal_obeys_a_file_name(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J\n\x07<b>.pcapng"
    path.write_bytes(SAMPLE.read_bytes())
    missing = tmp_path / "no\x1b[2J\nsuch"
    page = tmp_path / "x.html"
    results = [
        called("analyze", path),
        called("compare", path, path),
        called("analyze", missing),
        called("explain", path, missing),
        called("report", path, "-o", page),
        called("plot", path, "-o", tmp_path / "y.html"),
    ]

    for result in results:
        assert b"\x1b" not in result.stdout + result.stderr
        assert b"\x07" not in result.stdout + result.stderr
    assert b"a\\x1b[2J\\n\\x07<b>.pcapng\n" in results[0].stdout
    assert len(results[2].stderr.splitlines()) == 1
    assert "<b>.pcapng" not in page.read_text()
    assert "<b>.pcapng" not in (tmp_path / "y.html").read_text()


def test_cut_lz4_is_read_up_to_the_cut(tmp_path: Path) -> None:
    path = broken(
        tmp_path,
        "cut.lz4",
        lambda data: lz4.frame.compress(data, block_size=lz4.frame.BLOCKSIZE_MAX64KB)[:-2000],
    )
    result = called("export", "--table", "transmissions", path)

    assert result.returncode == 0
    assert len(result.stdout.splitlines()) > 100
    assert b"ended before the end-of-stream marker" in result.stderr


def test_the_name_of_one_table_will_do() -> None:
    assert sctp_rack.read(tables="sacks").tables == ["sacks"]
    with pytest.raises(ValueError, match="no table 'sack': there are "):
        sctp_rack.read(tables="sack")


def test_a_table_that_is_not_there_is_named_with_those_that_are() -> None:
    capture = sctp_rack.read(tables=["sacks"])
    with pytest.raises(KeyError, match="no table 'foo': there are transmissions, "):
        capture.table("foo")
    with pytest.raises(KeyError, match="the table chunks was not read"):
        capture.associations[0].table("chunks")
    with pytest.raises(KeyError, match="the table rack_state was not read"):
        _ = capture.associations[0].a2b.rack_tlp


def test_what_the_package_offers_is_there_when_it_is_asked_for() -> None:
    assert set(sctp_rack.__all__) <= set(dir(sctp_rack))
    for name in sctp_rack.__all__:
        assert getattr(sctp_rack, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sctp_rack.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize("call", ["analyze", "compare", "report"])
def test_standard_input_is_not_read_twice(call: str, tmp_path: Path) -> None:
    page = ("-o", tmp_path / "x.html") if call == "report" else ()
    result = run(call, "-", "-", *page)

    assert result.returncode == 2
    assert b"standard input can be read only once" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("libarrow.so: failed to map segment from shared object", "out of memory"),
        ("undefined symbol: x", "a library cannot be loaded: undefined symbol: x"),
    ],
)
def test_a_library_that_cannot_be_loaded_is_not_called_missing(
    tmp_path: Path, said: str, line: str
) -> None:
    Path(tmp_path, "pyarrow.py").write_text(f"raise ImportError({said!r})", encoding="utf-8")
    result = subprocess.run(
        [*COMMAND, "export", "--format", "parquet", "--table", "all", SAMPLE, "-o", "tables"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )

    assert result.returncode == 3
    assert result.stderr.decode() == f"sctp-rack: {line}\n"
    assert not Path(tmp_path, "tables").exists()


@pytest.mark.parametrize("call", [("analyze",), ("explain", "--tsn", 1097975504), ("--help",)])
def test_without_the_libraries_of_extras_all_else_works(tmp_path: Path, call: Any) -> None:
    for name in ("jinja2", "kaleido", "lz4", "pandas", "plotly", "pyarrow", "tsdownsample"):
        Path(tmp_path, f"{name}.py").write_text("raise ModuleNotFoundError", encoding="utf-8")
    capture = () if call == ("--help",) else (SAMPLE,)
    result = subprocess.run(
        [*COMMAND, *map(str, (*call, *capture))],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, b"")
