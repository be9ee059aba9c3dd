# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack query`: a dataset answers, and nothing else of the machine does."""

import csv
import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sctp_rack import compare, read, read_many
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.commands.query_command import AB, NAMES
from sctp_rack.comparison.measures import TABLES as COMPARED
from sctp_rack.fleet import query
from sctp_rack.fleet.dataset import Dataset
from sctp_rack.fleet.named import NAMED, SUMS
from sctp_rack.fleet.query import opened, rows
from sctp_rack.fleet.rows import SENT_BY

from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import Called, called

CAPTURES = [
    SAMPLE,
    *(BUNDLED / f"{name}.sender.pcap" for name in ("pion-tail-loss", "usrsctp-tail-loss")),
]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("fleet") / "out"
    called("batch", *CAPTURES, "-o", into)
    return into


def asked(out: Path, sql: str, *options: object) -> Called:
    return called("query", out, sql, *options)


def test_every_table_has_its_name(out: Path) -> None:
    with opened(Dataset(str(out))) as connection:
        tables = [line["name"] for line in rows(connection, "SHOW TABLES")]

        assert tables == sorted(["captures", "recoveries", "sent", *LAYOUTS])
        for table in tables:
            assert len(rows(connection, f"SELECT * FROM {table} LIMIT 2")) <= 2


def ndjson(result: Called) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_answers_are_text_csv_ndjson_and_parquet(out: Path, tmp_path: Path) -> None:
    sql = (
        "SELECT cause, count(*) AS n, bool_or(copy > 2) AS often, "
        "list(DISTINCT copy ORDER BY copy) AS copies, avg(bytes) AS mean "
        "FROM transmissions WHERE kind = 'retransmission' GROUP BY cause ORDER BY n DESC LIMIT 2"
    )
    text = asked(out, sql).stdout.decode().splitlines()
    file = tmp_path / "answer.parquet"
    assert asked(out, sql, "--format", "parquet", "-o", file).returncode == 0
    told = ndjson(asked(out, sql, "--format", "ndjson"))
    lines = list(csv.DictReader(io.StringIO(asked(out, sql, "--format", "csv").stdout.decode())))

    assert text[0].split() == ["cause", "n", "often", "copies", "mean"]
    assert pq.read_table(file).to_pylist() == told
    assert [line["copies"] for line in lines] == [json.dumps(line["copies"]) for line in told]
    assert [line["often"] for line in lines] == [json.dumps(line["often"]) for line in told]


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO 'FILE'",
        "SELECT 1; SELECT 2",
        "CREATE TABLE x AS SELECT 1",
        "ATTACH 'FILE'",
        "SET enable_external_access = true",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM 'FILE.csv'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_csv('https://192.0.2.1/x.csv')",
        "INSTALL httpfs",
        "SELECT * FROM nothing",
        "SELECT 'x'::INT",
        "no question",
        "",
    ],
)
def test_what_is_no_question_or_leaves_the_dataset_is_refused(
    out: Path, tmp_path: Path, sql: str
) -> None:
    before = sorted(out.rglob("*"))
    result = asked(out, sql.replace("FILE", str(tmp_path / "file")))

    assert (result.returncode, result.stdout) == (2, b"")
    assert len(result.stderr.splitlines()) == 1
    assert sorted(out.rglob("*")) == before and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ((), b"a query takes one SELECT, or --named"),
        (("SELECT 1", "--named", "worst"), b"a query takes one SELECT, or --named"),
        (("--named", "worst", "--split", "2026-01-01"), b"are for --named ab"),
        (("--named", "ab"), b"ab takes --split WHEN, or --before PATTERN and --after PATTERN"),
        (("--named", "ab", "--before", "x"), b"takes --split WHEN, or"),
        (("--named", "ab", "--split", "soon"), b"--split soon: no date as 2026-05-10"),
        (("--named", "ab", "--split", "2099-01-01"), b"no capture is after"),
        (("--named", "ab", "--before", "*", "--after", "pion*"), b"fits both --before and --after"),
    ],
)
def test_wrong_calls_say_why(out: Path, call: Sequence[object], said: bytes) -> None:
    result = called("query", out, *call)

    assert result.returncode == 2 and said in result.stderr


def test_where_there_is_no_dataset_it_says_so(tmp_path: Path) -> None:
    result = called("query", tmp_path, "SELECT 1")

    assert result.returncode == 3
    assert result.stderr == f"sctp-rack: {tmp_path}: no dataset of sctp-rack batch\n".encode()


def test_a_table_that_is_not_kept_is_none(tmp_path: Path) -> None:
    called("batch", SAMPLE, "-o", tmp_path / "out", "--table", "sacks")
    result = asked(tmp_path / "out", "SELECT * FROM transmissions")

    assert result.returncode == 2 and b"transmissions does not exist" in result.stderr


def test_named_queries_are_all_there(out: Path) -> None:
    assert set(NAMES) == {*NAMED, AB}
    for name in NAMED:
        result = called("query", out, "--named", name, "--format", "ndjson")
        assert result.returncode == 0 and (result.stdout or name == "unread")


def test_sums_are_those_of_analyze_and_compare(out: Path) -> None:
    with opened(Dataset(str(out))) as connection:
        sums = {row["capture"]: row for row in rows(connection, SUMS)}
    for row in read_many(CAPTURES):
        told = sums[row.capture]
        (measures,) = compare([("x", read(row.capture, tables=COMPARED))]).measures

        for name in ("chunks", "retransmissions", "spurious", "needed", "undetermined", "lost"):
            assert told[name] == getattr(row, name), name
        assert told["probes"] == row.probes
        assert (told["recoveries"], told["by_timeout"]) == (
            measures.recoveries,
            measures.timeout_recoveries,
        )
        assert told["recovery_s"] == pytest.approx(measures.in_recovery_ns / 1e9)


def test_captures_have_their_sums_whatever_tables_are_kept(out: Path, tmp_path: Path) -> None:
    called("batch", *CAPTURES, "-o", tmp_path / "out", "--table", "storms")
    named = ("--named", "captures", "--format", "ndjson")
    some, every = (called("query", one, *named).stdout for one in (tmp_path / "out", out))

    assert some == every


def test_the_page_has_the_figures_and_both_sides(out: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    sides = ("--before", "pion*", "--after", "usrsctp*")
    result = called("report", out, "-o", page, *sides)
    text = page.read_text()

    assert result.returncode == 0
    assert "18 of 67 retransmissions were spurious." in text
    assert "Before and after" in text and "pion* and usrsctp*" in text
    assert "pion-tail-loss.sender.pcap" in text and "http://" not in text
    again = called("batch", *CAPTURES, "-o", out, "--report", page, *sides)
    assert (again.returncode, page.read_text()) == (0, text)
    called("report", out, "-o", page)
    assert "Before and after" not in page.read_text()


def test_a_page_on_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty.pcap").write_bytes(b"")
    page = tmp_path / "page.html"
    result = called("batch", tmp_path / "empty.pcap", "-o", tmp_path / "out", "--report", page)

    assert result.returncode == 3
    assert "Nothing was sent again." in page.read_text()
    assert "unread: " in page.read_text()


def test_a_page_needs_its_tables(tmp_path: Path) -> None:
    called("batch", SAMPLE, "-o", tmp_path / "out", "--table", "sacks")
    result = called("report", tmp_path / "out", "-o", tmp_path / "page.html")

    assert result.returncode == 2
    assert b"the page needs the table associations" in result.stderr


def test_a_report_on_captures_takes_no_sides(tmp_path: Path) -> None:
    result = called("report", SAMPLE, "-o", tmp_path / "page.html", "--split", "2026-01-01")

    assert result.returncode == 2 and b"are for a dataset" in result.stderr


def test_memory_that_runs_out_is_no_wrong_question(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the question is planned, where it is answered."""
    monkeypatch.setitem(query._ALONE, "memory_limit", "1MB")
    for sql in ("SELECT * FROM chunks ORDER BY ALL", "SELECT list(chunks) FROM chunks, sacks"):
        result = asked(out, sql)
        assert (result.returncode, result.stderr) == (3, b"sctp-rack: out of memory\n")


@pytest.mark.parametrize("table", ["transmissions", "captures"])
def test_a_file_of_the_dataset_that_is_cut_is_named(out: Path, table: str, tmp_path: Path) -> None:
    """Without its file of `captures` a segment does not count: a disk may have lost it."""
    broken = tmp_path / "broken"
    shutil.copytree(out, broken)
    (file,) = broken.glob(f"table={table}/*")
    file.write_bytes(file.read_bytes()[:-100])
    result = asked(broken, "SELECT count(*) FROM sacks", "--format", "csv")

    if table == "captures":
        assert result.stdout.splitlines()[1] == b"0"
        return
    assert (result.returncode, result.stdout) == (3, b"")
    assert str(file) in result.stderr.decode() and len(result.stderr.splitlines()) == 1


def test_what_was_sent_is_summed_as_its_rows_would_be(out: Path) -> None:
    """`sent` has a row for several chunks; `transmissions` says how many they are."""
    key = ", ".join(["capture", *SENT_BY])
    with opened(Dataset(str(out))) as connection:
        summed = rows(connection, f"SELECT {key}, chunks, bytes FROM sent ORDER BY ALL")
        counted = rows(
            connection,
            f"SELECT {key}, count(*) AS chunks, sum(bytes)::BIGINT AS bytes FROM transmissions "
            "WHERE assoc IS NOT NULL AND kind NOT IN ('capture_duplicate', 'network_duplicate') "
            "GROUP BY ALL ORDER BY ALL",
        )
        chunks, *_ = rows(connection, "SELECT sum(chunks)::BIGINT AS n FROM sent")
        told, *_ = rows(connection, "SELECT sum(chunks)::BIGINT AS n FROM captures")

    assert summed == counted
    assert chunks == told
    assert len(summed) < chunks["n"] / 10
