# SPDX-License-Identifier: BSD-2-Clause
"""Signalling without any loss is what it is made to be, and nothing in it is called lost."""

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
import sctp_rack

from bench.accuracy.details import details
from bench.accuracy.signalling.make import make
from bench.accuracy.signalling.measure import claims, measure
from bench.accuracy.signalling.setting import (
    FIRST_TO_LOOK_AT,
    IP_IDS,
    KEPT,
    MS,
    SHAPES,
    TAPS,
    Setting,
    setting,
)
from bench.accuracy.signalling.tallies import Invented, Tallies
from bench.accuracy.signalling.with_loss import resends_in, resends_table
from bench.accuracy.truths import runs_in
from tests.captures import BUNDLED, SAMPLE

#: A turn of all shapes, ways to number and taps, and some more, so that files of each kind are in.
SEEDS = range(FIRST_TO_LOOK_AT, FIRST_TO_LOOK_AT + len(SHAPES) * len(IP_IDS) * len(TAPS) + 20)
TSNS = 160


def some(**wanted: object) -> Setting:
    """The first setting with these values."""
    return next(
        one
        for one in (setting(seed, TSNS) for seed in range(1, 1000))
        if all(getattr(one, name) == value for name, value in wanted.items())
    )


def test_all_combinations_take_turns_and_each_kind_of_file_is_there() -> None:
    settings = [setting(seed) for seed in SEEDS]

    assert len({(one.shape, one.ip_id, one.tap) for one in settings}) == 6 * 6 * 3
    assert {one.kept for one in settings} == set(KEPT)
    assert {one.associations for one in settings} == {1, 2, 4}
    assert {one.udp for one in settings} == {one.nagle for one in settings} == {False, True}
    assert min(one.round_trip_ns for one in settings) < 2 * MS
    assert max(one.round_trip_ns for one in settings) > 250 * MS


def test_the_same_seed_makes_the_same_bytes_and_another_makes_others(tmp_path: Path) -> None:
    first, again, other = (
        make(setting(seed, TSNS), tmp_path / name).read_bytes()
        for name, seed in (("first", 5), ("again", 5), ("other", 6))
    )

    assert first == again != other


@pytest.mark.parametrize("shape", SHAPES)
def test_each_tsn_is_there_once_and_in_order_and_all_are_acknowledged(
    shape: str, tmp_path: Path
) -> None:
    of = some(shape=shape, kept="whole")
    capture = sctp_rack.read(make(of, tmp_path / "a.pcap"))
    rows = list(capture.transmissions)
    ways = {(row["assoc"], row["dir"]) for row in rows}

    assert len(rows) == of.tsns
    assert len(capture.associations) == of.associations
    for way in ways:
        tsns = [row["tsn"] for row in rows if (row["assoc"], row["dir"]) == way]
        assert all((later - one) % 2**32 == 1 for one, later in pairwise(tsns))
    assert all(row["acked_frame"] for row in rows)
    assert {row["crc"] for row in rows} == {"good"}
    assert not any(row["gaps"] or row["dups"] for row in capture.sacks)


def test_tshark_sees_no_retransmission_in_it(tmp_path: Path) -> None:
    """Judged by numbers of TSNs alone."""
    for shape in SHAPES:
        path = make(some(shape=shape, kept="whole", udp=False), tmp_path / "a.pcap")
        command = ["tshark", "-o", "sctp.relative_tsns:FALSE", "-o", "sctp.checksum:CRC32C"]
        command += ["-r", str(path), "-Y", "sctp.retransmission || sctp.checksum.status == 0"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == ""


def test_feedback_leaves_with_every_second_packet_or_when_its_timer_is_due(tmp_path: Path) -> None:
    of = some(shape="periodic", kept="whole", tap="receiver", associations=1, jitter_ns=0)
    capture = sctp_rack.read(make(of, tmp_path / "a.pcap"))
    latest_ns = of.sack_delay_ns + of.tick_ns + 2 * of.react_ns + MS
    for row in capture.transmissions:
        if row["dir"] == "a2b":
            assert row["acked_time_ns"] - row["time_ns"] <= latest_ns


def test_ip_ids_are_counted_as_told(tmp_path: Path) -> None:
    steps = {
        ip_id: _steps(some(ip_id=ip_id, associations=1, kept="whole"), tmp_path)
        for ip_id in IP_IDS[:5]
    }

    assert steps["flow"] == {1}
    assert steps["zero"] == {0}
    assert steps["socket"] <= {1, 2, 3, 4}
    assert len(steps["host"]) > 1
    assert len(steps["random"]) > 30


def _steps(of: Setting, folder: Path) -> set[int]:
    path = make(of, folder / "a.pcap")
    fields = ["-T", "fields", "-e", "ip.src", "-e", "ip.id"]
    command = ["tshark", "-r", str(path), *fields]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    ids = [int(line.split()[1], 16) for line in lines if line.startswith("192.0.2.1\t")]
    return {(later - one) % 65_536 for one, later in pairwise(ids)}


def test_what_is_claimed_of_a_capture_with_losses_is_counted() -> None:
    """The count would see them: here they are real."""
    found = claims(sctp_rack.read(SAMPLE))

    assert found.resends > 10
    assert found.lost > 10


def test_sums_are_by_each_difference_and_the_section_tells_them() -> None:
    one, other = some(shape="typing", ip_id="zero"), some(shape="bursts", ip_id="zero")
    tallies = Tallies()
    tallies.add(one, Invented(captures=1, originals=100, resends=1))
    tallies.add(other, Invented(captures=1, originals=300, resends=1))
    text = details([], "TShark", signalling=tallies)

    assert tallies.total.resends_per_million == 5000
    assert "False retransmissions per million originals: 5,000" in text
    assert "| shape | typing | 100 | 10,000 |" in text
    assert "| IP-ID | zero | 400 | 5,000 |" in text


def test_in_runs_with_truth_invented_and_found_resends_are_told_apart() -> None:
    found = resends_in(BUNDLED)
    run = next(one for one in runs_in(BUNDLED) if one.name == "usrsctp-nth-loss")

    assert {ip_id for ip_id, _ in found} == {"flow", "zero", "IPv6"}
    assert run.ip_id == "flow"
    for sums in found.values():
        assert sums.originals > 100
        assert sums.seen_found <= sums.seen
        assert sums.unseen >= sums.unseen_found
        assert sums.seen + sums.unseen >= sums.unknowable
        assert sums.unknowable >= sums.claimed
        assert sums.invented_per_million < 2000
    assert found["flow", "sender"].seen_found > 100
    assert "| flow | sender |" in resends_table(found)


@pytest.fixture(scope="module")
def looked_at() -> Tallies:
    return measure(SEEDS[0], len(SEEDS) * TSNS, TSNS)


def test_no_original_of_signalling_is_called_lost_a_probe_or_repeated(looked_at: Tallies) -> None:
    total = looked_at.total

    assert total.originals >= 20_000
    assert total.lost == total.probes == total.duplicates == 0


def test_no_original_of_signalling_is_called_a_retransmission(looked_at: Tallies) -> None:
    assert looked_at.total.resends == 0


def test_findings_on_signalling_are_about_the_capture(looked_at: Tallies) -> None:
    """A display filter for DATA is told, or leaves one way; what took the other path was
    acknowledged and never captured."""
    findings = {kept: set(sums.findings) for kept, sums in looked_at.group("capture")}

    assert findings.pop("DATA alone") <= {"one_way", "filtered"}
    assert findings.pop("one path") <= {"capture_loss"}
    assert not any(findings.values())
