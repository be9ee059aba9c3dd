# SPDX-License-Identifier: BSD-2-Clause
"""Figures of a time: those of times that adjoin add up, and of a time that holds all are all."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.comparison.compare import compare
from sctp_rack.comparison.measures import Measures, directions_of, measures_of

from tests.captures import BUNDLED
from tests.commands.called import called

BEFORE = BUNDLED / "pion-tail-loss-no-rack.sender.pcap"
AFTER = BUNDLED / "pion-tail-loss.sender.pcap"

#: Counts and times that adjoining times share.
ADD_UP = (
    *("chunks", "sent_bytes", "useful_bytes", "lost", "retransmissions", "spurious", "probes"),
    *("undetermined", "recoveries", "timeout_recoveries", "in_recovery_ns", "timeouts"),
    *("waited_ns", "messages_pending", "messages_given_up"),
)


@pytest.fixture(scope="module", params=[BEFORE, AFTER], ids=lambda path: path.name)
def capture(request: pytest.FixtureRequest) -> Capture:
    return sctp_rack.read(request.param)


def measured(capture: Capture) -> Measures:
    return measures_of(directions_of(capture))


@pytest.mark.parametrize("at", [1.5, 5.6])
def test_times_that_adjoin_add_up(capture: Capture, at: float) -> None:
    """5.6 s lie within a recovery of one of them, 1.5 s in a wait for T3-rtx."""
    one, other, whole = (
        measured(part) for part in (capture.between(None, at), capture.between(at + 1e-9), capture)
    )

    for name in ADD_UP:
        both = getattr(one, name) + getattr(other, name)
        assert both == pytest.approx(getattr(whole, name), abs=2 if name.endswith("_ns") else 0)
    for limit, time_ns in whole.limits_ns.items():
        parts = one.limits_ns.get(limit, 0) + other.limits_ns.get(limit, 0)
        assert parts == pytest.approx(time_ns, abs=2)
    counts = (one.tsn_latency.count, other.tsn_latency.count)
    assert sum(counts) == whole.tsn_latency.count and min(counts) > 0


def test_of_a_time_that_holds_all_they_are_those_of_all(capture: Capture) -> None:
    told = measured(capture.between(0))

    assert told.of_time
    assert replace(told, of_time=None) == measured(capture)


def test_what_a_sender_gave_up_before_counts_for_no_latency() -> None:
    """FORWARD-TSN is not among the chunks of a time; that there was one is known."""
    capture = sctp_rack.read(BUNDLED / "usrsctp-i-data-pr-sctp.sender.pcap")

    assert measured(capture.between(0)).tsn_latency == measured(capture).tsn_latency


def test_text_and_json_say_which_time_they_are_of() -> None:
    options = ("compare", "--from", 2.5, "--to", 8, BEFORE, AFTER)
    text = called(*options).stdout.decode()
    told = json.loads(called(*options, "--json").stdout)

    assert "\nSeconds 2.500 to 8.000 of each alone; all of it was read and judged.\n" in text
    for one, path in zip(told["captures"], (BEFORE, AFTER), strict=True):
        first_ns = sctp_rack.read(path, tables=[]).summary.first_time_ns or 0
        assert one["of_time"]["begin_ns"] == first_ns + 2_500_000_000
    assert "of_time" not in called("compare", "--json", BEFORE, AFTER).stdout.decode()


def test_a_capture_without_data_at_that_time_is_not_compared() -> None:
    done = called("compare", "--from", 100, BEFORE, AFTER)

    assert done.returncode == 2
    assert b"pion-tail-loss-no-rack.sender.pcap: no DATA at that time" in done.stderr


def test_a_page_says_which_time_it_is_of(tmp_path: Path) -> None:
    page = tmp_path / "x.html"
    done = called("compare", "--from", 2.5, "--to", 8, BEFORE, AFTER, "-o", page)

    assert done.returncode == 0
    assert "Seconds 2.500 to 8.000 of each alone" in page.read_text()


def test_in_python_parts_are_compared() -> None:
    one, other = (sctp_rack.read(path).between(2.5, 8) for path in (BEFORE, AFTER))

    assert compare({"one": one, "other": other}).time.startswith("Seconds 2.500 to 8.000")
