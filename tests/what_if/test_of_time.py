# SPDX-License-Identifier: BSD-2-Clause
"""Answers of a time: the queue is that of the whole, integrated over it; times add up."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.what_if.nr_sack import Periods
from sctp_rack.what_if.what_if import TABLES, WhatIf

from tests.captures import BUNDLED
from tests.commands.called import called

#: Gaps in the queue; timeouts, and waits for SACKs that are held back; probes.
QUEUE = BUNDLED / "usr_ge_nrsack.sender.pcapng"
TIMERS = BUNDLED / "pion-tail-loss-no-rack.sender.pcap"
PROBES = BUNDLED / "pion-tail-loss.sender.pcap"


def answers(path: Path, begin: float | None = None, end: float | None = None) -> WhatIf:
    return sctp_rack.read(path, tables=TABLES).what_if(
        sack_every=1, direction="a2b", begin=begin, end=end
    )


@pytest.mark.parametrize("path", [QUEUE, TIMERS, PROBES], ids=lambda path: path.stem)
def test_of_a_time_that_holds_all_they_are_those_of_all(path: Path) -> None:
    told = answers(path, 0)

    assert told.of_time
    assert replace(told, of_time=None) == answers(path)


CUTS = [(QUEUE, 0.7), (TIMERS, 5.6), (PROBES, 5.6)]


def cut(path: Path, at: float, kind: str) -> list[Any]:
    """The answer of a kind of two times that adjoin, and of all."""
    parts = answers(path, None, at), answers(path, at + 1e-9), answers(path)
    return [(getattr(part, kind) or [])[0] for part in parts]


@pytest.mark.parametrize(("path", "at"), CUTS)
def test_queues_of_times_that_adjoin_add_up(path: Path, at: float) -> None:
    first, second, both = cut(path, at, "nr_sack")

    assert first.end_ns == pytest.approx(second.begin_ns, abs=2)
    assert (first.begin_ns, second.end_ns) == (both.begin_ns, both.end_ns)
    assert first.acknowledgements + second.acknowledgements == both.acknowledgements
    for name in ("captured", "with_sacks", "with_nr_sacks_of_delivered"):
        _add_up(*(getattr(part, name) for part in (first, second, both)))


@pytest.mark.parametrize(("path", "at"), CUTS)
def test_timeouts_and_probes_of_times_that_adjoin_add_up(path: Path, at: float) -> None:
    first, second, both = cut(path, at, "rack")

    for name in ("timeouts", "needed_timeouts", "by_mark", "by_probe", "saved_by_marks_ns"):
        assert getattr(first, name) + getattr(second, name) == getattr(both, name)
    assert [*first.instead, *second.instead] == both.instead
    probes = [part.probes.probes if part.probes else 0 for part in (first, second, both)]
    assert probes[0] + probes[1] == probes[2]


@pytest.mark.parametrize(("path", "at"), CUTS)
def test_waits_and_sacks_of_times_that_adjoin_add_up(path: Path, at: float) -> None:
    first, second, both = cut(path, at, "sack_rule")

    waits = ("waits", "waited_ns", "would_wait_ns", "would_wait_most_ns")
    for name in (*waits, "sacks", "sacks_replayed", "would_send_sacks"):
        assert getattr(first, name) + getattr(second, name) == getattr(both, name)


def _add_up(one: Periods, other: Periods, whole: Periods) -> None:
    for name in ("whole", "gaps", "recovery"):
        first, second, both = (getattr(part, name) for part in (one, other, whole))
        assert first.time_ns + second.time_ns == pytest.approx(both.time_ns, abs=2)
        arrived = first.arrived_byte_seconds + second.arrived_byte_seconds
        assert arrived == pytest.approx(both.arrived_byte_seconds, rel=1e-6, abs=1e-3)
        assert max(first.largest_bytes, second.largest_bytes) == both.largest_bytes


def test_a_capture_of_a_time_has_the_answers_of_it() -> None:
    part = sctp_rack.read(QUEUE).between(0.4, 1.1).what_if(sack_every=1)

    assert part == answers(QUEUE, 0.4, 1.1)


def test_the_command_says_which_time_they_are_of() -> None:
    options = ("whatif", "--from", 0.4, "--to", 1.1, QUEUE)
    lines = called(*options).stdout.decode().splitlines()
    told = json.loads(called(*options, "--json").stdout)

    assert lines[0] == "Seconds 0.400 to 1.100 alone, of what all of the capture says"
    assert lines[3] == "  Retransmission queue, 700 ms of that time, user data:"
    assert told["of_time"]["end_ns"] - told["of_time"]["begin_ns"] == 700_000_000
    assert b"of_time" not in called("whatif", "--json", QUEUE).stdout


def test_where_nothing_is_under_way_that_is_said() -> None:
    done = called("whatif", "--from", 100, QUEUE)

    assert done.returncode == 0
    assert done.stdout == b"No data was under way at that time.\n"
    assert called("whatif", "--from", 2, "--to", 1, QUEUE).returncode == 2
