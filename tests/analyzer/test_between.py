# SPDX-License-Identifier: BSD-2-Clause
"""What is told of a time: sums of times that adjoin are those of both, and a whole is the whole."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.summary.summary import ACKNOWLEDGE, CARRY_DATA

from tests.analyzer.test_room import capture as several
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED
from tests.commands.called import called

#: Losses and timeouts, spurious ones of both ways, and storms: what is told crosses every border.
SAMPLES = (
    "usr_ge_nrsack.sender.pcapng",
    "linux-delay-spike.sender.pcap",
    "pion-reorder-low.middle.pcap",
    "usrsctp-tsn-wrap.sender.pcap",
)

#: Of `Data`, `Sacks`, `Recovery` and `Rack`: what adds up.
DATA = ("chunks", "bytes", "tsns", "repeated", "acked", "acked_bytes", "kinds")
SACKS = ("chunks", "with_gaps", "gaps", "nr_gaps", "dups", "zero_window", "malformed")
RECOVERY = (
    *("lost", "lost_tsns", "retransmissions", "causes", "cause_classes", "spurious_causes"),
    *("spurious_cause_classes", "verdicts", "probes", "outcomes", "timeouts"),
)
RACK = ("marks", "false_marks", "avoided")


def counted(value: Any, name: str = "") -> Counter[str]:
    if isinstance(value, dict):
        parts = (counted(one, f"{name}.{key}") for key, one in value.items())
        return sum(parts, Counter[str]())
    return Counter({name: value})


def sums(capture: Capture) -> Counter[str]:
    """All that adds up, of each side."""
    total = Counter[str]()
    for one in capture.summary.associations:
        for name, side in (("a", one.a), ("b", one.b)):
            told: list[tuple[Any, tuple[str, ...]]] = [
                (side.data, DATA),
                (side.sacks, SACKS),
                (side.recovery, RECOVERY),
            ]
            told += [(side.recovery.rack, RACK)] if side.recovery else []
            for what, fields in told:
                values = {field: getattr(what, field) for field in fields} if what else {}
                total += counted(values, f"{one.assoc}{name} {type(what).__name__}")
            if side.recovery and side.recovery.rtt:
                total[f"{one.assoc}{name} samples"] += side.recovery.rtt.samples
            if side.delivery:
                total += counted(side.delivery.messages, f"{one.assoc}{name} messages")
    return total


@pytest.mark.parametrize("name", SAMPLES)
def test_times_that_adjoin_add_up_to_both(name: str) -> None:
    capture = sctp_rack.read(BUNDLED / name)
    whole, rows = sums(capture), capture.transmissions
    times = sorted({row["time_ns"] for row in rows})
    for share in (3, 2):
        at = (times[len(times) // share] - (rows.begins_ns or 0)) / 1e9
        assert sums(capture.between(None, at)) + sums(capture.between(at + 1e-9, None)) == whole


@pytest.mark.parametrize("name", SAMPLES)
def test_a_time_that_holds_all_tells_all(name: str) -> None:
    capture = sctp_rack.read(BUNDLED / name)
    told = capture.between(0)

    assert told.findings == capture.findings
    assert told.summary.findings == capture.summary.findings
    for one, of_it in zip(capture.summary.associations, told.summary.associations, strict=True):
        for side, part in ((one.a, of_it.a), (one.b, of_it.b)):
            kept = (*(CARRY_DATA if side.data else ()), *(ACKNOWLEDGE if side.sacks else ()))
            chunks = {chunk: count for chunk, count in side.chunks.items() if chunk in kept}
            assert part == replace(side, flow=None, chunks=chunks)


def test_the_command_tells_what_python_does() -> None:
    path = BUNDLED / SAMPLES[1]
    told = json.loads(called("analyze", "--json", "--from", 0.3, "--to", 0.7, path).stdout)
    capture = sctp_rack.read(path)
    begin_ns = capture.summary.first_time_ns or 0
    of_it = capture.between(0.3, 0.7)

    assert told["of_time"] == {
        "begin_ns": begin_ns + 300_000_000,
        "end_ns": begin_ns + 700_000_000,
    }
    (one,) = told["associations"]
    side = of_it.summary.associations[0].a
    assert side.data and one["a"]["data"]["chunks"] == side.data.chunks
    assert side.delivery and one["a"]["delivery"]["goodput_bps"] == side.delivery.goodput_bps
    assert [finding["text"] for finding in told["findings"]] == [one.text for one in of_it.findings]


def text(*arguments: object) -> str:
    done = called("analyze", *arguments)
    assert done.returncode == 0
    return done.stdout.decode()


def test_the_head_says_which_time_is_told_and_what_is_of_a_part_alone_is_left_out() -> None:
    told = text("--from", 0.5, "--to", 1, BUNDLED / SAMPLES[0])

    assert "\n  Seconds 0.500 to 1.000 (08:35:43.472 to 08:35:43.972 UTC) alone; all of " in told
    assert "\n  in all          frame 1 to 673, handshake, shutdown" in told
    assert "also sent" not in told and "SRTT at the end" not in told


@pytest.mark.parametrize("options", [("--from", 100), ("--to", -1)])
def test_where_no_frame_is_that_is_said(options: tuple[object, ...]) -> None:
    told = text(*options, BUNDLED / SAMPLES[0])

    assert "No frame at that time: the capture lasts 7.869 s." in told
    assert "Association" not in told


def test_a_time_that_ends_before_it_begins_is_none() -> None:
    done = called("analyze", "--from", 2, "--to", 1, BUNDLED / SAMPLES[0])
    assert done.returncode == 2
    assert b"--from 2 is behind --to 1" in done.stderr

    with pytest.raises(ValueError, match="2 is behind 1"):
        sctp_rack.read().between(2, 1)


def test_processes_tell_the_same_and_each_capture_counts_from_its_own_first_frame() -> None:
    names = [BUNDLED / name for name in SAMPLES[:2]]
    options = ("--from", 0.2, "--to", 0.6, *names)
    told = text(*options)

    assert told == text("--jobs", 2, *options)
    alone = [text(*options[:4], name) for name in names]
    assert told.startswith("".join(alone))
    assert told[len("".join(alone)) :].startswith("Seconds 0.200 to 0.600 of each alone; ")


@pytest.fixture
def stall(tmp_path: Path) -> Capture:
    """Nothing is acknowledged for nine seconds; meanwhile a sends the same again, twice."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000), later_us=20_000)
    talk.say(A, B, sctp.data(1001), later_us=20_000)
    talk.say(A, B, sctp.data(1001), later_us=3_000_000)
    talk.say(A, B, sctp.data(1001), later_us=5_980_000)
    talk.say(B, A, sctp.sack(1001), later_us=20_000)
    return sctp_rack.read(talk.write(tmp_path))


def test_a_stall_is_told_of_each_time_that_it_lasts_in(stall: Capture) -> None:
    """Nothing was sent and nothing acknowledged, and the longest stall is why."""
    side = stall.between(4, 5).summary.associations[0].a

    assert side.data is None
    assert side.delivery and side.delivery.goodput_bps == 0
    assert [pause.retransmissions for pause in side.delivery.pauses] == [2]
    assert not stall.between(None, 0.01).summary.associations[0].a.delivery


def test_what_is_acknowledged_in_a_time_is_over_the_time_in_which_data_was_under_way(
    stall: Capture,
) -> None:
    """Of 1,001 what came at the end of the time, of which it is outstanding from the begin on."""
    data = stall.associations[0].a2b.transmissions
    (acked, *_) = data.where(tsn=1001)
    end_s = (acked["acked_time_ns"] - (data.begins_ns or 0)) / 1e9
    delivery = stall.between(end_s - 2, end_s + 100).summary.associations[0].a.delivery

    assert delivery and delivery.goodput_bps == round(8 * acked["bytes"] / 2)


def test_what_came_only_behind_it_is_not_told(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000), later_us=20_000)
    talk.say(A, B, sctp.data(1001), later_us=5_000_000)
    talk.say(B, A, sctp.sack(1001), later_us=20_000)
    talk.say(A, B, sctp.chunk(6, 0, b""), later_us=20_000)
    capture = sctp_rack.read(talk.write(tmp_path))
    codes = {finding.code for finding in capture.findings}

    assert "abort" in codes
    assert "abort" not in {finding.code for finding in capture.between(None, 2).findings}
    assert {one.code for one in capture.between(6, None).findings} >= {"abort"}


def test_associations_without_a_frame_then_are_not_told(tmp_path: Path) -> None:
    """By the times of their packets where a session has them, by frames of rows in memory."""
    path = several(tmp_path, 5)
    whole = sctp_rack.read(path)
    first_ns = whole.summary.first_time_ns or 0
    begins = [one.table("transmissions")["time_ns"][0] for one in whole.associations]
    at = (int(begins[2]) - first_ns) / 1e9
    told = json.loads(called("analyze", "--json", "--from", at, "--to", at + 1e-5, path).stdout)

    assert [one["assoc"] for one in told["associations"]] == [2]
    assert [one.number for one in whole.between(at, at + 1e-5).associations] == [2]
