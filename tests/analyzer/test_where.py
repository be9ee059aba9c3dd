# SPDX-License-Identifier: BSD-2-Clause
"""Rows are chosen by comparison, by value and by time, in Python and by `export`."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
import sctp_rack
from sctp_rack import Capture
from sctp_rack.columns.chosen import Chosen
from sctp_rack.columns.moments import is_moment, when
from sctp_rack.errors import UsageError
from sctp_rack.tables import TABLES

from tests.captures import SAMPLE
from tests.commands.called import called


@pytest.fixture(scope="module")
def sample() -> Capture:
    return sctp_rack.read()


def test_a_mask_keeps_the_rows_at_which_it_is_true(sample: Capture) -> None:
    table = sample.transmissions

    assert len(table[table["copy"] >= 2]) == 30
    late = table[table["copy"] >= 2].where(dir="a2b")
    assert (late["copy"] >= 2).all()
    assert len(table.where(table["copy"] >= 2, table["frame"] < 200, kind="retransmission")) == (
        int(((table["copy"] >= 2) & (table["frame"] < 200)).sum())
    )


def test_of_a_null_a_comparison_says_nothing(sample: Capture) -> None:
    table = sample.transmissions

    assert len(table[table["verdict_class"] >= 1]) == 30
    assert len(table[table["verdict_class"] < 9]) == 30


def test_words_compare_as_texts_do_where_there_are_such(sample: Capture) -> None:
    table = sample.transmissions
    verdicts, kinds = table["verdict"], table["kind"]

    assert len(table[verdicts == "spurious"]) == 9
    assert len(table[verdicts != "spurious"]) == 21  # of a null it says nothing
    assert len(table[(verdicts == np.str_("needed")) & (kinds != "original")]) == 21
    assert type(kinds == "original") is np.ndarray
    assert (kinds[3:9] == kinds[3:9]).all()
    assert (kinds == kinds.astype(object)).all()
    assert np.isin(kinds, ["original", "retransmission"]).all()
    assert set(np.unique(kinds).tolist()) == {"original", "retransmission"}
    with pytest.raises(ValueError, match="verdict is never 'spurius': it is spurious, needed or"):
        verdicts[2:] == "spurius"  # noqa: B015
    with pytest.raises(ValueError, match="kind is never 'new'"):
        kinds.copy()[kinds == "original"] != "new"  # noqa: B015


@pytest.mark.parametrize(
    "mask", [np.ones(3, np.bool_), np.ones(390, np.uint8), [True], np.ones((390, 1), np.bool_)]
)
def test_a_mask_of_something_else_is_an_error(sample: Capture, mask: Any) -> None:
    with pytest.raises(ValueError, match="a mask has a bool for each of 390 rows: this one is "):
        sample.transmissions[mask]


def test_of_a_list_any_value_will_do(sample: Capture) -> None:
    table = sample.transmissions
    tsns = table["tsn"][:3].tolist()

    assert len(table.where(verdict=["needed", "spurious"])) == 30
    assert len(table.where(tsn=tsns)) == 3
    assert len(table.where(tsn=np.array(tsns))) == 3
    assert len(table.where(tsn=[])) == len(table.where(verdict=[])) == 0
    assert len(table.where(prev_frame=[None])) == 0
    with pytest.raises(ValueError, match="verdict is never 'needless'"):
        table.where(verdict=["needed", "needless"])


def test_times_are_seconds_since_the_first_frame(sample: Capture) -> None:
    table = sample.transmissions
    seconds = table.seconds("time_ns")

    assert table.begins_ns == sample.summary.first_time_ns
    assert seconds.dtype == np.float64
    assert (seconds == (table["time_ns"] - table.begins_ns) / 1e9).all()
    rtts, in_seconds = sample.sacks["rtt_ns"], sample.sacks.seconds("rtt_ns")
    assert (np.isnan(in_seconds) == np.ma.getmaskarray(rtts)).all()
    assert np.nanmin(in_seconds) == rtts.min() / 1e9
    with pytest.raises(TypeError, match=r"transmissions\.frame holds no nanoseconds"):
        table.seconds("frame")


def test_times_are_datetimes(sample: Capture) -> None:
    table = sample.transmissions
    times = table.datetimes("time_ns")

    assert times.dtype == "datetime64[ns]"
    assert (times.astype(np.int64) == table["time_ns"]).all()
    assert str(times[0])[:19] == "2026-05-10T08:35:43"
    nothing = sample.table("rack_state").datetimes("rack_xmit_ns")
    known = sample.table("rack_state")["rack_xmit_ns"]
    assert (np.isnat(nothing) == np.ma.getmaskarray(known)).all()
    with pytest.raises(TypeError, match=r"sacks\.rtt_ns says how long, not when"):
        sample.sacks.datetimes("rtt_ns")


def test_every_column_of_nanoseconds_is_a_moment_or_a_time_that_something_took() -> None:
    capture = sctp_rack.read()
    for name in capture.tables:
        table = capture.table(name)
        for column in (one for one in TABLES[name] if one.type == "ns"):
            values = np.ma.compressed(np.ma.asarray(table[column.name]))
            assert ((values > 10**18) == is_moment(name, column.name)).all(), column


def test_a_time_window_has_both_ends(sample: Capture) -> None:
    table = sample.transmissions
    times, seconds = table.datetimes("time_ns"), table.seconds("time_ns")
    utc = [datetime.fromtimestamp(int(at) / 1e9, UTC) for at in table["time_ns"][[0, -1]]]
    hour = timedelta(hours=1)

    assert len(table.between(times[5], times[9])) == np.sum(
        (times >= times[5]) & (times <= times[9])
    )
    assert len(table.between(1.0, 2.0)) == np.sum((seconds >= 1) & (seconds <= 2)) > 0
    assert len(table.between(np.float64(1), 2)) == len(table.between(1, 2))
    assert len(table.between()) == len(table.between(begin=-5)) == 390
    assert len(table.between(end=-1)) == 0
    assert len(table.between(utc[0] - hour, utc[1].replace(tzinfo=None) + hour)) == 390
    east = utc[0].astimezone(timezone(hour)) - hour
    assert len(table.between(east, utc[0] - hour / 2)) == 0
    with pytest.raises(TypeError, match="the rows of rack_state are of no time"):
        sample.table("rack_state").between(1)


def test_what_is_chosen_of_a_table_knows_when_the_capture_begins(sample: Capture) -> None:
    direction = sample.associations[0].a2b.transmissions
    for table in (direction, direction[:9], direction.where(copy=2), *direction.parts()):
        assert table.begins_ns == sample.transmissions.begins_ns


def test_when_a_row_is_has_a_column_in_most_tables() -> None:
    assert {table: when(table) for table in TABLES} == {
        "transmissions": "time_ns",
        "sacks": "time_ns",
        "chunks": "time_ns",
        "rtt_samples": "time_ns",
        "rack_marks": "time_ns",
        "probes": "anchor_ns",
        "storms": "time_ns",
        "limits": "begin_ns",
        "windows": "begin_ns",
        "messages": "sent_ns",
        **dict.fromkeys(("counts", "paths", "associations", "rack_state")),
    }


@pytest.mark.parametrize("table", ["transmissions", "sacks", "messages", "chunks"])
def test_export_has_the_rows_that_python_has(sample: Capture, table: str) -> None:
    times = ("--from", 1, "--to", 2.5)
    ways = () if table == "chunks" else ("--dir", "a2b")
    equal: dict[str, Any] = {} if table == "chunks" else {"dir": "a2b"}
    lines = called(
        "export", "--table", table, "--assoc", 0, *ways, *times, SAMPLE
    ).stdout.splitlines()
    expected = sample.table(table).where(assoc=0, **equal).between(1, 2.5)

    assert 0 < len(lines) < len(sample.table(table))
    assert [json.loads(line) for line in lines] == json.loads(json.dumps(list(expected)))


def test_a_table_that_cannot_be_asked_is_named_with_those_that_can() -> None:
    with pytest.raises(UsageError, match="--dir is nothing for chunks: it is for transmissions, "):
        Chosen(direction="a2b").check(["sacks", "chunks"])
    result = called("export", "--table", "all", "--from", "1", "-o", "nowhere", SAMPLE)

    assert result.returncode == 2
    assert result.stderr.startswith(b"sctp-rack: --from is nothing for rack_state, counts, ")
    Chosen().check(list(TABLES))


def test_no_row_is_an_empty_file() -> None:
    result = called("export", "--table", "sacks", "--from", "3", "--to", "4", SAMPLE)

    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1e300"])
@pytest.mark.parametrize("option", ["--from", "--to"])
def test_what_is_no_time_is_a_wrong_call(option: str, seconds: str) -> None:
    result = called("export", "--table", "sacks", option, seconds, SAMPLE)

    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.endswith(b" is no time in a capture\n")
