# SPDX-License-Identifier: BSD-2-Clause
"""Every format holds the same rows: NDJSON and CSV to the byte, Parquet and Arrow with the types of
the tables."""

import csv
import hashlib
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sctp_rack.binding.session import Session
from sctp_rack.columns.export import FORMATS, export
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.tables import TABLES

from tests.analyzer.test_bad_input import COMMAND
from tests.builder.talk import Row
from tests.captures import SAMPLE, any_capture, name_of
from tests.commands.called import called
from tests.hostile import measure

#: Of the sample, since `repeats` is the last column. Tables that are judged are not here: what is
#: known of their rows grows.
SHA256 = {
    ("chunks", "ndjson"): "c23ebf7946ae52d214a997c17064e1d41e22962580c732c1188f50a151127cb7",
    ("chunks", "csv"): "e19bdbb73514793084cf40d0e74acba5bd79a71263e2c75fa27e08ca3649b8f0",
}


def exported(capture: Path, table: str, file_format: str) -> bytes:
    output = io.BytesIO()
    export(Session(str(capture), [table]), file_format, {table: output})
    return output.getvalue()


def all_exported(capture: Path, file_format: str) -> dict[str, bytes]:
    """Of each table what is written."""
    outputs = {table: io.BytesIO() for table in LAYOUTS}
    export(Session(str(capture), list(LAYOUTS)), file_format, dict(outputs))
    return {table: output.getvalue() for table, output in outputs.items()}


def all_rows(capture: Path) -> dict[str, list[Row]]:
    """Of each table, as Python has them."""
    found: dict[str, list[Row]] = {table: [] for table in LAYOUTS}
    for batch in Session(str(capture), list(LAYOUTS)).batches():
        for table, some in found.items():
            columns = columns_of(table, batch)
            values = zip(*columns.values(), strict=True)
            some += [dict(zip(columns, row, strict=True)) for row in values]
    return found


@pytest.mark.parametrize(("table", "file_format"), SHA256)
def test_text_has_the_bytes_that_it_always_had(table: str, file_format: str) -> None:
    data = exported(SAMPLE, table, file_format)

    assert hashlib.sha256(data).hexdigest() == SHA256[table, file_format]


@pytest.mark.parametrize("capture", any_capture(), ids=name_of)
def test_every_format_holds_the_rows(capture: Path) -> None:
    """Text as the libraries write it, Parquet and Arrow as they read it."""
    written = {name: all_exported(capture, name) for name in ("csv", "ndjson", "parquet", "arrow")}
    for table, expected in all_rows(capture).items():
        assert written["csv"][table].decode() == as_csv(table, expected)
        assert written["ndjson"][table].decode() == "".join(
            json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in expected
        )
        parquet = pq.read_table(io.BytesIO(written["parquet"][table]))
        arrow = pa.ipc.open_file(written["arrow"][table]).read_all()
        for read in (parquet, arrow):
            read.validate(full=True)
            assert [python(row) for row in read.to_pylist()] == expected


def as_csv(table: str, expected: list[Row]) -> str:
    """Rows as Python's library writes them."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(column.name for column in TABLES[table])
    for row in expected:
        writer.writerow(
            json.dumps(value) if isinstance(value, list | dict | bool) else value
            for value in row.values()
        )
    return written.getvalue()


def test_polars_reads_arrow_files_with_words_that_are_null() -> None:
    data = exported(SAMPLE, "transmissions", "arrow")

    assert pl.read_ipc(io.BytesIO(data))["cause"].null_count() == 360


def python(row: dict[str, Any]) -> dict[str, Any]:
    """A row of Arrow as NDJSON has it."""
    for name in {"gaps", "nr_gaps"} & row.keys():
        row[name] = [list(span.values()) for span in row[name]]
    if row.get("value") is not None:
        row["value"] = json.loads(row["value"])
    return row


@pytest.mark.parametrize("file_format", ["parquet", "arrow"])
def test_types_are_those_of_the_tables(file_format: str) -> None:
    data = io.BytesIO(exported(SAMPLE, "sacks", file_format))
    schema = (pq.read_table(data) if file_format == "parquet" else pa.ipc.open_file(data)).schema

    assert [field.name for field in schema] == [column.name for column in TABLES["sacks"]]
    assert schema.field("frame").type == schema.field("cum_tsn").type == pa.uint32()
    assert schema.field("time_ns").type == schema.field("rtt_ns").type == pa.int64()
    assert pa.types.is_dictionary(schema.field("kind").type)
    assert schema.field("path").type == pa.string()
    assert schema.field("stale").type == pa.bool_()
    span = schema.field("gaps").type.value_type
    assert [(field.name, field.type) for field in span] == [
        ("first_tsn", pa.uint32()),
        ("last_tsn", pa.uint32()),
    ]


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_capture_without_rows_gives_an_empty_table(tmp_path: Path, file_format: str) -> None:
    empty = tmp_path / "empty.pcap"
    empty.write_bytes(bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000"))
    data = exported(empty, "sacks", file_format)

    if file_format == "ndjson":
        assert data == b""
    elif file_format == "csv":
        assert data.decode() == ",".join(column.name for column in TABLES["sacks"]) + "\n"
    elif file_format == "parquet":
        assert pq.read_table(io.BytesIO(data)).num_rows == 0
    else:
        assert pa.ipc.open_file(data).read_all().num_rows == 0


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_pipe_gets_what_a_file_gets(file_format: str) -> None:
    piped = called("export", "--table", "sacks", "--format", file_format, SAMPLE)

    assert piped.returncode == 0
    assert piped.stdout == exported(SAMPLE, "sacks", file_format)


@pytest.mark.parametrize("file_format", FORMATS)
def test_several_tables_are_written_at_once(tmp_path: Path, file_format: str) -> None:
    into = tmp_path / "tables"
    done = called("export", "--table", "all", "--format", file_format, "-o", str(into), SAMPLE)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert {file.name for file in into.iterdir()} == {f"{name}.{file_format}" for name in LAYOUTS}
    for name in LAYOUTS:
        alone = exported(SAMPLE, name, file_format)
        assert (into / f"{name}.{file_format}").read_bytes() == alone


def test_a_table_that_is_named_twice_is_one(tmp_path: Path) -> None:
    twice = called("export", "--table", "sacks", "--table", "sacks", SAMPLE)

    assert twice.stdout == exported(SAMPLE, "sacks", "ndjson")


def test_several_tables_need_a_directory(tmp_path: Path) -> None:
    both = ("export", "--table", "sacks", "--table", "paths")
    (tmp_path / "file").write_bytes(b"stays")
    to_a_file = called(*both, "-o", str(tmp_path / "file"), SAMPLE)

    assert called(*both, SAMPLE).returncode == to_a_file.returncode == 2
    assert b"a directory" in called(*both, SAMPLE).stderr
    assert str(tmp_path / "file").encode() in to_a_file.stderr
    assert (tmp_path / "file").read_bytes() == b"stays"


def test_no_table_is_written_of_what_cannot_be_read(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pcap"
    wrong.write_bytes(b"nothing of the kind")
    into = tmp_path / "tables"
    done = called("export", "--table", "all", "-o", str(into), str(wrong))

    assert done.returncode == 3
    assert not into.exists()


@pytest.mark.parametrize("file_format", FORMATS)
def test_memory_does_not_grow_with_the_file(tmp_path: Path, file_format: str) -> None:
    """More rows than are handed out at once take at most 64 MiB more than a few hundred."""
    long = tmp_path / "long.pcapng"
    long.write_bytes(SAMPLE.read_bytes() * 250)

    few, many = (peak_mib(capture, file_format, tmp_path) for capture in (SAMPLE, long))

    assert many - few < 64


def peak_mib(capture: Path, file_format: str, folder: Path) -> float:
    """Of the whole process."""
    arguments = ["export", "--table", "sacks", "--format", file_format, str(capture)]
    cost = measure.run([*COMMAND, *arguments], folder)
    assert cost.status == 0, cost.errors
    return cost.peak_mib


def test_rows_of_a_live_capture_leave_before_it_ends() -> None:
    """Setup: a pipe has given the first chunks and stays open. Expectation: it gives their rows."""
    command = [*COMMAND, "export", "--table", "chunks", "-"]
    data = SAMPLE.read_bytes()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(data[:20_000])
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["name"] == "INIT"
        process.stdin.close()
