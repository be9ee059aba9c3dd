# SPDX-License-Identifier: BSD-2-Clause
"""What Wireshark shows of each frame are the rows of `sctp-rack export`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.tables import TABLES as COLUMNS

from tests.builder.repeated import frames_of
from tests.captures import BUNDLED, SAMPLE, bundled, collection, long_but, name_of
from tests.plugin.painted_rows import TABLES, Row, Tables, exported, painted
from tests.plugin.wireshark import Wireshark

#: In every `make test`: NR-SACKs with loss, tail loss probes, storms, I-DATA given up.
CHOSEN = {
    SAMPLE.name,
    "pion-tail-loss.sender.pcap",
    "pion-delay-spike.sender.pcap",
    "usrsctp-i-data-pr-sctp.middle.pcap",
    "usrsctp-hosts-and-taps.receiver.pcapng",
    "usrsctp-zero-window.sender.pcap",
}

CAPTURES = [*bundled(), *collection("wild"), *collection("truth")]


def choice(paths: list[Path]) -> list[Any]:
    """The chosen ones always, all others under `long`."""
    return long_but(CHOSEN, paths)


def associations_alike(one: list[Row], other: list[Row]) -> bool:
    """Whether the numbers of associations are each other's under one mapping, both ways."""
    pairs = {(a["assoc"], b["assoc"]) for a, b in zip(one, other, strict=True)}
    return len({a for a, _ in pairs}) == len(pairs) == len({b for _, b in pairs})


def common(table: str, rows: list[Row], others: list[Row]) -> tuple[list[Row], list[Row]]:
    """Both with the columns that both have, but for the association, in one order."""
    if not rows or not others:
        return rows, others
    assert rows[0].keys() <= others[0].keys(), (
        table
    )  # else a column that is misnamed would be left out
    columns = sorted(rows[0].keys() - {"assoc"})
    ours, theirs = (
        [{column: row[column] for column in columns} for row in each] for each in (rows, others)
    )
    if table in ("transmissions", "sacks", "rack_state"):
        return ours, theirs
    return sorted(ours, key=str), sorted(theirs, key=str)


def assert_equal_tables(shown: Tables, rows: Tables, tables: tuple[str, ...] = TABLES) -> None:
    for table in tables:
        ours, theirs = common(table, shown[table], rows[table])
        assert ours == theirs, table
        if table in ("transmissions", "sacks"):
            assert associations_alike(shown[table], rows[table])


@pytest.mark.parametrize("capture", choice(CAPTURES), ids=name_of)
def test_two_passes_show_the_exported_rows(capture: Path, wireshark: Wireshark) -> None:
    assert_equal_tables(painted(wireshark, capture, "-2"), exported(capture))


@pytest.mark.parametrize("later_ns", [20_000, 5_000_000])
def test_what_is_captured_twice_is_shown_as_exported(
    later_ns: int, wireshark: Wireshark, tmp_path: Path
) -> None:
    frames = frames_of(BUNDLED / "usrsctp-both-ways.middle.pcap")
    again = frames.again(lambda one: replace(one, time_ns=one.time_ns + later_ns))
    capture = again.write(tmp_path / f"again-{later_ns}.pcapng")

    assert_equal_tables(painted(wireshark, capture, "-2"), exported(capture))


def test_at_both_ends_no_class_above_2_is_shown(wireshark: Wireshark, tmp_path: Path) -> None:
    sender, receiver = (
        frames_of(BUNDLED / f"usrsctp-tail-loss.{tap}.pcap") for tap in ("sender", "receiver")
    )
    merged = sender.with_all(receiver.frames).write(tmp_path / "merged.pcapng")
    shown = painted(wireshark, merged, "-2")

    assert_equal_tables(shown, exported(merged))
    assert {row["outcome_class"] for row in shown["transmissions"]} == {2}


def at(table: str, rows: list[Row]) -> list[Row]:
    """Only the columns that are final when the frame was read."""
    known = {column.name for column in COLUMNS[table] if column.known == "at"}
    return [{name: value for name, value in row.items() if name in known} for row in rows]


@pytest.mark.parametrize("capture", choice(CAPTURES), ids=name_of)
def test_a_single_pass_shows_what_is_known_at_the_frame(
    capture: Path, wireshark: Wireshark
) -> None:
    shown, rows = painted(wireshark, capture), exported(capture)
    tables = ("transmissions", "sacks")
    assert_equal_tables(
        {table: at(table, shown[table]) for table in tables},
        {table: at(table, rows[table]) for table in tables},
        tables,
    )
