# SPDX-License-Identifier: BSD-2-Clause
"""What the commands print for a capture that can be read."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import lz4.frame
import pyarrow.parquet as pq
import pytest
import zstandard
from sctp_rack.commands.cli import cli
from sctp_rack.tables import TABLES

from tests.analyzer.test_bad_input import COMMAND, run
from tests.captures import BUNDLED, SAMPLE, with_rows_of
from tests.commands.called import called


def ndjson(*arguments: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in called("export", *arguments).stdout.splitlines()]


def test_analyze_opens_with_what_was_spurious() -> None:
    lines = called("analyze", SAMPLE).stdout.decode().splitlines()

    assert lines[0] == str(SAMPLE)
    assert lines[1] == (
        "  9 of 30 retransmissions were spurious (certain); all of them were sent by fast "
        "retransmit (classes 3 to 4)."
    )


def test_analyze_says_of_each_cause_how_sure_it_is() -> None:
    text = called("analyze", SAMPLE).stdout.decode()

    assert (
        "30: 26 by fast retransmit (2 class 4, 24 class 3), 4 by fast retransmit, deferred "
        "(2 class 4, 2 class 3)\n"
    ) in text
    text = called("analyze", BUNDLED / "usrsctp-delay-spike.sender.pcap").stdout.decode()
    assert "6: 5 after T3-rtx (go-back-N, class 4), 1 by T3-rtx (class 4)\n" in text


def test_analyze_shows_what_each_side_sent_and_acknowledged() -> None:
    text = called("analyze", SAMPLE).stdout.decode()

    assert "Association 0: 10.94.1.10:5000 - 192.168.68.20:5001" in text
    assert "frame 1 to 673, handshake, shutdown" in text
    assert "TSN 1097975455 to 1097975814: 360 different; 30 retransmissions" in text
    assert "b acknowledged  274 NR-SACK; cumulative TSN 1097975455 to 1097975814" in text
    assert "360 of the 360 TSNs" in text
    assert "169 with gaps: 0 gap and 271 NR-gap blocks, at most 3 in one" in text
    assert "9 duplicate TSNs reported" in text


def test_analyze_does_not_colour_or_pad_what_is_piped() -> None:
    text = called("analyze", SAMPLE).stdout.decode()

    assert "\x1b" not in text
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_analyze_as_json_has_the_same_numbers() -> None:
    summary = json.loads(called("analyze", "--json", SAMPLE).stdout)

    (association,) = summary["associations"]
    data = association["a"]["data"]
    assert (data["chunks"], data["repeated"], data["tsns"]) == (390, 30, 360)
    assert association["b"]["data"] is None
    assert tuple(summary[key] for key in ("frames", "packets", "format", "stopped")) == (
        673,
        673,
        "pcapng",
        None,
    )
    assert [finding["code"] for finding in summary["findings"]] == ["resent_under_way"]
    recovery = association["a"]["recovery"]
    assert (recovery["lost"], recovery["retransmissions"]) == (21, 30)
    assert recovery["verdicts"] == {"needed": {"4": 21}, "spurious": {"5": 9}}


@pytest.mark.parametrize("table", ["transmissions", "sacks"])
def test_rows_have_exactly_the_columns_of_the_table_and_are_sorted(table: str) -> None:
    rows = ndjson("--table", table, SAMPLE)

    names = [column.name for column in TABLES[table]]
    assert all(list(row) == names for row in rows)
    places = [(row["frame"], row["chunk"]) for row in rows]
    assert places == sorted(set(places))


def test_rows_tell_copies_kinds_and_what_is_newly_acknowledged() -> None:
    rows = ndjson("--table", "transmissions", SAMPLE)
    sacks = ndjson("--table", "sacks", SAMPLE)

    again = [row for row in rows if row["kind"] == "retransmission"]
    assert len(again) == 30
    assert all(row["copy"] >= 2 and row["first_frame"] for row in again)
    assert {(0, "a2b", "original")} == {
        (row["assoc"], row["dir"], row["kind"]) for row in rows if row["copy"] == 1
    }
    of_data = [row for row in sacks if row["dir"] == "a2b"]
    assert sum(row["newly_acked"] for row in of_data) == 360
    assert sum(row["newly_acked_bytes"] for row in of_data) == 360 * 500


def test_csv_and_parquet_have_the_rows_of_ndjson(tmp_path: Path) -> None:
    rows = ndjson("--table", "sacks", SAMPLE)
    text = called("export", "--table", "sacks", "--format", "csv", SAMPLE).stdout.decode()
    called("export", "--table", "sacks", "--format", "parquet", "-o", tmp_path / "sacks", SAMPLE)

    assert len(rows) == 277  # 274 NR-SACK and 3 SHUTDOWN
    as_csv = list(csv.DictReader(io.StringIO(text)))
    as_parquet = pq.read_table(tmp_path / "sacks").to_pylist()
    for expected, line, record in zip(rows, as_csv, as_parquet, strict=True):
        assert expected["cum_tsn"] == int(line["cum_tsn"]) == record["cum_tsn"]
        assert expected["nr_gaps"] == json.loads(line["nr_gaps"])
        assert expected["nr_gaps"] == [list(block.values()) for block in record["nr_gaps"]]
        assert expected["dups"] == json.loads(line["dups"]) == record["dups"]
        assert expected["kind"] == line["kind"] == record["kind"]
        assert expected["rtt_ns"] == record["rtt_ns"]
        assert line["rtt_ns"] == ("" if expected["rtt_ns"] is None else str(expected["rtt_ns"]))
    assert {row["rtt_ns"] is None for row in rows} == {True, False}


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_as_many_rows_in_every_format(tmp_path: Path, table: str) -> None:
    capture = with_rows_of(table)
    rows = ndjson("--table", table, capture)
    text = called("export", "--table", table, "--format", "csv", capture).stdout.decode()
    called("export", "--table", table, "--format", "parquet", "-o", tmp_path / table, capture)

    assert len(rows) == len(list(csv.DictReader(io.StringIO(text)))) > 0
    assert len(rows) == pq.read_table(tmp_path / table).num_rows


def test_standard_input_is_read_from_a_pipe() -> None:
    command = f"cat {SAMPLE} | {COMMAND[0]} export --table transmissions -"
    piped = subprocess.run(["bash", "-c", command], capture_output=True, check=True, timeout=60)

    assert called("export", "--table", "transmissions", SAMPLE).stdout == piped.stdout


COMPRESS = {
    "gz": gzip.compress,
    "zst": zstandard.compress,
    "lz4": lz4.frame.compress,
    "two-gz-members": lambda data: gzip.compress(data[:9000]) + gzip.compress(data[9000:]),
    "two-zst-frames": lambda data: (
        zstandard.compress(data[:9000]) + zstandard.compress(data[9000:])
    ),
}


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("by_pipe", [False, True], ids=["file", "pipe"])
def test_compressed_captures_give_the_same_rows(
    tmp_path: Path, compression: str, by_pipe: bool
) -> None:
    packed = tmp_path / "capture"  # found by its bytes, not its name
    packed.write_bytes(COMPRESS[compression](SAMPLE.read_bytes()))
    data = packed.read_bytes() if by_pipe else None

    result = run("export", "--table", "sacks", "-" if by_pipe else packed, data=data)

    assert result.returncode == 0
    assert called("export", "--table", "sacks", SAMPLE).stdout == result.stdout


def test_findings_at_or_above_the_severity_that_fails_exit_with_1(tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcapng"
    cut.write_bytes(SAMPLE.read_bytes()[:-1000])

    statuses = {
        fail_on: called("analyze", "--fail-on", fail_on, cut).returncode
        for fail_on in ("note", "warning", "error")
    }

    assert statuses == {"note": 1, "warning": 1, "error": 0}
    plain_loss = SAMPLE.with_name("usrsctp-nth-loss.sender.pcap")
    assert called("analyze", "--fail-on", "note", plain_loss).returncode == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_offered(shell: str) -> None:
    environment = {**os.environ, "_SCTP_RACK_COMPLETE": f"{shell}_source"}
    result = run(env=environment)

    assert b"_SCTP_RACK_COMPLETE" in result.stdout and b"compl" in result.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("sctp-rack ", {"plain,analyze", "plain,export"}),
        (
            "sctp-rack export --format ",
            {"plain,ndjson", "plain,csv", "plain,parquet", "plain,arrow"},
        ),
        ("sctp-rack export --table sa", {"plain,sacks"}),
        ("sctp-rack analyze --fail-on e", {"plain,error"}),
        ("sctp-rack analyze --verify", {"plain,--verify-checksum"}),
        ("sctp-rack analyze x", {"file,x"}),  # the shell completes it
        ("sctp-rack export x", {"file,x"}),
    ],
)
def test_what_is_completed(words: str, offered: set[str]) -> None:
    environment = {
        **os.environ,
        "_SCTP_RACK_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    result = run(env=environment)

    assert set(result.stdout.decode().split()) >= offered
    assert result.stderr == b""


def test_a_wrong_call_exits_with_2() -> None:
    for arguments in (
        ["analyze"],
        ["export", SAMPLE],
        ["export", "--table", "none", SAMPLE],
        ["x"],
    ):
        assert called(*arguments).returncode == 2


def test_help_names_every_command() -> None:
    """And says what it does, without an end that is cut."""
    text = called("--help").stdout.decode()
    told = re.findall(r"^  (\w+) +([A-Z].*)$", text.partition("Commands:")[2], re.MULTILINE)

    assert [name for name, _ in told] == sorted(cli.commands)
    assert [line for _, line in told if not line.endswith(".") or line.endswith("...")] == []
