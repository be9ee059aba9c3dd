# SPDX-License-Identifier: BSD-2-Clause
"""Where the TSNs begin changes no row of real stacks. And of a run that has lost nothing yet there
is nothing to say."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sctp_rack
from sctp_rack.names import Severity

from bench.accuracy.truths import Run, is_lost, runs_in
from tests.analyzer.test_judging_properties import LISTS, TSNS, from_one
from tests.builder.rewritten import moved, packets_of, write
from tests.captures import BUNDLED, COLLECTION
from tests.readers.rows import Rows, rows_of, without

TAPS = ("sender", "middle", "receiver")
FREQUENT = {
    ("usrsctp-i-data-pr-sctp", "sender"),
    ("usrsctp-delay-spike", "receiver"),
    ("pion-reorder-low", "middle"),
}


def _runs() -> Iterator[Any]:
    """Runs with their taps, in the clear; few of them, the others take long."""
    for folder in (BUNDLED, COLLECTION / "truth"):
        for run in runs_in(folder) if folder.is_dir() else ():
            if run.keylog:
                continue
            for tap in TAPS:
                marks = () if (run.name, tap) in FREQUENT else pytest.mark.long
                yield pytest.param(run, tap, marks=marks, id=f"{run.name}.{tap}")


every_run = pytest.mark.parametrize(("run", "tap"), list(_runs()))


def _rows(path: Path) -> Rows:
    return {table: rows for table, rows in rows_of(path).items() if table != "findings"}


@lru_cache(maxsize=1)  # what is tried on a capture comes one after the other
def _plain(path: Path) -> Rows:
    """Its rows in plain IP."""
    with TemporaryDirectory() as folder:
        return _rows(write(packets_of(path), Path(folder, "plain.pcapng")))


def _shifted(rows: Rows, by: int) -> Rows:
    """TSNs as before a move, without what pion does: it compares them as numbers."""
    return {
        table: [
            {
                name: from_one(value, by + 1000) if name in TSNS | LISTS else value
                for name, value in row.items()
                if name != "value"
            }
            for row in all_rows
            if not (table == "rack_marks" and row["profile"] == "pion")
        ]
        for table, all_rows in rows.items()
    }


#: Of a sender that is not pion, pion's replay is asked how sure a cause is.
_OF_PION = ("cause_class", "sender_has_rack")


@pytest.mark.parametrize("first", [(1 << 32) - 40, (1 << 31) - 40])
@every_run
def test_where_the_tsns_begin_changes_no_row_but_its_tsns(
    run: Run, tap: str, first: int, tmp_path: Path
) -> None:
    """Of pion's senders what does not depend on the sender: it marks by the number of a TSN."""
    packets = packets_of(run.capture(tap))
    by = (first - min(record["tsn"] for record in run.document["transmissions"])) % (1 << 32)
    here = _plain(run.capture(tap))
    there = _rows(write([moved(one, by) for one in packets], tmp_path / "there.pcapng"))
    expected, found = (_shifted(rows, k) for rows, k in ((here, 0), (there, by)))
    if run.document["stack"] == "pion":
        columns = ("frame", "chunk", "tsn", "copy", "kind", "verdict", "verdict_class", "outcome")
        expected, found = (
            {
                "transmissions": [
                    {name: row[name] for name in columns} for row in rows["transmissions"]
                ],
                "sacks": rows["sacks"],
            }
            for rows in (expected, found)
        )

    assert without(found, *_OF_PION) == without(expected, *_OF_PION)


def _until_first_loss(run: Run) -> int:
    """When the first data of the run is lost, missed by a tap, repeated or sent again."""
    records = run.document["transmissions"]
    repeated = {(one["dir"], one["tsn"]) for one, _ in run.repeated}
    times: list[int] = [
        record["t_ns"]
        for record in records
        if is_lost(record)
        or record["retransmission"]
        or not all(record.get("captured", {}).values())
        or (record["dir"], record["tsn"]) in repeated
    ]
    return min(times) if times else max(record["t_ns"] for record in records)


@every_run
def test_where_nothing_was_lost_yet_there_is_nothing_to_say(
    run: Run, tap: str, tmp_path: Path
) -> None:
    offset_ns = run.document["clock_offset_ns"].get(tap, 0)
    until_ns = _until_first_loss(run) + offset_ns
    packets = [one for one in packets_of(run.capture(tap)) if one.time_ns < until_ns]
    capture = sctp_rack.read(write(packets, tmp_path / "begin.pcapng"))

    for row in capture.transmissions:
        assert row["kind"] in ("original", "reordered")
        assert row["outcome"] in ("acked", "unresolved")
        assert row["verdict"] is row["cause"] is row["probe"] is None
    assert len(capture.table("probes")) == len(capture.table("storms")) == 0
    assert all(row["lost_tsns_a2b"] in (0, None) for row in capture.table("associations"))
    assert [f for f in capture.findings if f.severity != Severity.NOTE] == []
