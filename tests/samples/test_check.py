# SPDX-License-Identifier: BSD-2-Clause
"""The check of made runs finds a truth that is not the truth: one test for each of its rules."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sample_pcaps.generate import truth
from sample_pcaps.generate.build import MissingError
from sample_pcaps.generate.check import acknowledgements, rules
from sample_pcaps.generate.check.__main__ import check, check_together
from sample_pcaps.generate.check.checked import Checked, Fault
from sample_pcaps.generate.check.counters import compared
from sample_pcaps.generate.check.seen import Capture, frames_of, frames_of_each
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.link import Path as Way
from sample_pcaps.generate.loss import Independent
from sample_pcaps.generate.make import make
from sample_pcaps.generate.run import TAPS
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import Pause, bulk
from tests.captures import BUNDLED, IN_DTLS

pytestmark = pytest.mark.long

Record = dict[str, Any]
Rule = Callable[[Checked], Iterator[Fault]]
#: Data both ways, losses, and packets that the network repeats.
SAMPLE = "usrsctp-both-ways"


@cache
def sample() -> Checked:
    document = truth.read(BUNDLED / f"{SAMPLE}.truth.ndjson")
    captures = rules.captures_of(document, BUNDLED)
    return Checked(document, {tap: frames_of(Capture(captures[tap])) for tap in TAPS})


def corrupted(change: Callable[[Record], None]) -> Checked:
    document = deepcopy(sample().document)
    change(document)
    return Checked(document, sample().seen)


def faults(rule: Rule, change: Callable[[Record], None]) -> list[str]:
    assert list(rule(sample())) == []
    return [str(fault) for fault in rule(corrupted(change))]


def first(document: Record, **wanted: Any) -> Record:
    found: Record = next(
        record
        for record in document["transmissions"]
        if all(record[name] == value for name, value in wanted.items())
    )
    return found


def test_a_frame_too_many_is_found() -> None:
    def one_more(document: Record) -> None:
        document["frames"]["middle"] += 1

    (fault,) = faults(rules.frames_are_as_many_as_told, one_more)
    assert fault.startswith(f"{SAMPLE}.middle.pcap: ")


def test_a_chunk_that_is_elsewhere_is_found_in_both_frames() -> None:
    def move(document: Record) -> None:
        first(document, dir="a2b", copy=1)["frames"]["sender"] += 1

    found = faults(rules.each_chunk_is_where_it_is_told, move)
    assert [fault.rpartition(" is ")[2] for fault in found] == [
        "not there",
        "there, and not in the truth",
    ]
    assert " frame " in found[0]


@pytest.mark.parametrize(("field", "tap"), [("t_ns", "sender"), ("arrive_ns", "receiver")])
def test_a_time_that_is_a_nanosecond_off_is_found(field: str, tap: str) -> None:
    def shift(document: Record) -> None:
        first(document, dir="a2b", fate="delivered")[field] += 1

    (fault,) = faults(rules.times_are_as_told, shift)
    assert f".{tap}." in fault


def test_a_time_in_the_middle_that_is_not_between_those_at_the_hosts_is_found() -> None:
    def arrive_early(document: Record) -> None:
        record = first(document, dir="a2b", fate="delivered")
        record["arrive_ns"] = record["t_ns"] + 1

    assert any(".middle." in fault for fault in faults(rules.times_are_as_told, arrive_early))


def test_a_repetition_of_nothing_is_found() -> None:
    def repeat_another_copy(document: Record) -> None:
        document["network_duplicates"][0]["copy"] = 9

    assert faults(rules.repetitions_come_later, repeat_another_copy)


def test_what_was_lost_and_is_there_is_found() -> None:
    def lose(document: Record) -> None:
        record = first(document, dir="a2b", fate="delivered")
        record["fate"], record["arrive_ns"] = "dropped_before_middle", None

    found = faults(rules.what_passed_is_there, lose)
    assert {fault.split(".")[1] for fault in found} == {"middle", "receiver"}


def test_what_arrived_and_is_not_there_is_found() -> None:
    def deliver(document: Record) -> None:
        record = first(document, dir="a2b", fate="dropped_before_middle")
        record["fate"], record["arrive_ns"] = "delivered", record["t_ns"] + 1

    assert len(faults(rules.what_passed_is_there, deliver)) == 2


def test_a_fate_without_an_arrival_is_found() -> None:
    def forget(document: Record) -> None:
        first(document, dir="a2b", fate="delivered")["arrive_ns"] = None

    assert faults(rules.what_passed_is_there, forget)


@pytest.mark.parametrize(
    ("field", "value"), [("spurious", True), ("copy", 3), ("retransmission", False)]
)
def test_a_retransmission_that_is_told_wrong_is_found(field: str, value: object) -> None:
    def change(document: Record) -> None:
        first(document, dir="a2b", copy=2, spurious=False)[field] = value

    assert faults(rules.copies_and_spuriousness_agree, change)


def test_a_lost_copy_that_is_called_delivered_is_found_in_the_next_acknowledgement() -> None:
    def deliver(document: Record) -> None:
        record = first(document, dir="a2b", fate="dropped_before_middle")
        record["fate"], record["arrive_ns"] = "delivered", record["t_ns"] + 30 * MS

    (fault,) = faults(acknowledgements.acknowledgements_agree_with_fates, deliver)
    assert fault.endswith("is not acknowledged, and was delivered")


def test_a_delivered_copy_that_is_called_discarded_is_found_acknowledged() -> None:
    def discard(document: Record) -> None:
        first(document, dir="a2b", fate="delivered")["fate"] = "discarded"

    (fault,) = faults(acknowledgements.acknowledgements_agree_with_fates, discard)
    assert fault.endswith("is acknowledged and never arrived")


def test_an_acknowledgement_before_the_copy_that_is_called_the_first_is_found() -> None:
    def arrive_late(document: Record) -> None:
        for record in document["transmissions"]:
            if record["dir"] == "a2b" and record["fate"] == "delivered":
                record["arrive_ns"] += 400 * MS
                record["frames"]["receiver"] = None
                return

    found = faults(acknowledgements.acknowledgements_agree_with_fates, arrive_late)
    assert found and found[0].endswith("is acknowledged before it arrived")


def test_what_is_never_acknowledged_is_found() -> None:
    def deliver_another(document: Record) -> None:
        first(document, dir="a2b", fate="delivered")["tsn"] += 5000

    (fault,) = faults(
        acknowledgements.what_was_delivered_is_acknowledged_in_the_end, deliver_another
    )
    assert fault.endswith("is never acknowledged")


def test_a_duplicate_that_is_reported_and_never_came_is_found() -> None:
    def forget(document: Record) -> None:
        document["network_duplicates"] = []

    assert faults(acknowledgements.duplicates_are_reported_only_where_copies_arrived, forget)


Counters = dict[str, dict[str, int]]


@pytest.fixture(scope="module")
def counted(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Stack], tuple[Checked, Counters]]:
    """A run of a stack, made once, and what the stack counted."""
    return cache(lambda stack: make_counted(stack, tmp_path_factory.mktemp(stack.name)))


def make_counted(stack: Stack, folder: Path) -> tuple[Checked, Counters]:
    """With losses, a closed window and repetitions."""
    scenario = Scenario(
        "counted",
        "",
        stack,
        7,
        bulk(60, 600, interval_ns=20 * MS),
        Way(losses=(Independent(0.1),), duplicate=0.05),
        pauses=(Pause("b", 300 * MS, 3000 * MS),),
        rcvbuf=9000,
        mtu=700,
    )
    try:
        document = make(scenario, folder, counters=True)
    except MissingError as missing:
        pytest.skip(str(missing))
    captures = rules.captures_of(document, folder)
    run = Checked(document, {tap: frames_of(Capture(captures[tap])) for tap in TAPS})
    return run, json.loads((folder / "counted.counters.json").read_text())


@pytest.mark.parametrize(
    ("stack", "names"),
    [
        (
            Stack.USRSCTP,
            (
                *("senddata", "sendretransdata", "recvdata", "recvdupdata"),
                *("datadroprwnd", "datadropchklmt"),
            ),
        ),
        (Stack.PION, ("nDATAs", "nT3Timeouts", "nFastRetrans")),
        (Stack.DCSCTP, ("rtx_packets", "rtx_bytes")),
        (
            Stack.LINUX,
            (
                *("rtxchunks", "oodchunks", "ouodchunks", "idupchunks", "osacks"),
                *("SctpInOrderChunks", "SctpInUnorderChunks", "SctpInDataChunkDiscards"),
                *("SctpT3Retransmits", "SctpFastRetransmits"),
            ),
        ),
    ],
)
def test_a_counter_that_differs_is_found(
    stack: Stack, names: tuple[str, ...], counted: Callable[[Stack], tuple[Checked, Counters]]
) -> None:
    run, counters = counted(stack)

    assert list(rules.broken(run)) == compared(run, counters, "") == []
    for host in "ab":
        for name in names:
            wrong = deepcopy(counters)
            wrong[host][name] += 100
            (fault,) = compared(run, wrong, "counted.counters.json")
            assert str(fault).startswith(f"counted.counters.json: {host} counted ")


@pytest.mark.parametrize(
    ("stack", "host", "names"),
    [
        (Stack.DCSCTP, "a", ("rtx_packets", "rtx_bytes")),
        (
            Stack.LINUX,
            "a",
            ("rtxchunks", "oodchunks", "SctpT3Retransmits", "SctpFastRetransmits"),
        ),
        (
            Stack.LINUX,
            "b",
            ("SctpInOrderChunks", "idupchunks", "osacks", "SctpInDataChunkDiscards"),
        ),
    ],
)
def test_a_counter_that_is_less_than_truth_allows_is_found(
    stack: Stack,
    host: str,
    names: tuple[str, ...],
    counted: Callable[[Stack], tuple[Checked, Counters]],
) -> None:
    run, counters = counted(stack)

    for name in names:
        wrong = deepcopy(counters)
        assert wrong[host][name] > 0
        wrong[host][name] = 0
        (fault,) = compared(run, wrong, "counted.counters.json")
        assert fault.what.startswith(f"{host} counted 0 ")


def test_what_a_tap_missed_or_cut_is_not_held_against_a_counter_of_packets(
    counted: Callable[[Stack], tuple[Checked, Counters]],
) -> None:
    """A packet is known by its frame; what has none may be one of another chunk, or of its own."""
    run, counters = counted(Stack.DCSCTP)
    document = deepcopy(run.document)
    document["capture_options"]["snaplen"] = 96
    for record in document["transmissions"][::2]:
        record["frames"] = dict.fromkeys(TAPS)

    assert compared(Checked(document, run.seen), counters, "") == []


def test_linux_may_count_timeouts_that_mark_nothing_where_chunks_were_abandoned(
    counted: Callable[[Stack], tuple[Checked, Counters]],
) -> None:
    run, counters = counted(Stack.LINUX)
    more = deepcopy(counters)
    more["a"]["SctpT3Retransmits"] += 100
    document = deepcopy(run.document)
    first(document, dir="a2b", copy=2)["abandoned"] = True

    assert len(compared(run, more, "")) == 1
    assert compared(Checked(document, run.seen), more, "") == []


def each_kind_of_capture(folder: Path) -> list[Capture]:
    """Of several link types, in both formats, cut, empty, and inside DTLS."""
    plain = (SAMPLE, "usrsctp-hosts-and-taps", IN_DTLS)
    found = []
    for name in plain:
        document = truth.read(BUNDLED / f"{name}.truth.ndjson")
        keys = BUNDLED / str(document["keylog"]) if document["keylog"] else None
        files = rules.captures_of(document, BUNDLED).values()
        found += [Capture(file, keys) for file in files]
    source = str(found[0].path)
    for cut in ("50", "90"):
        subprocess.run(["editcap", "-s", cut, source, str(folder / f"{cut}.pcap")], check=True)
        found.append(Capture(folder / f"{cut}.pcap", cut=True))
    subprocess.run(["editcap", "-r", source, str(folder / "empty.pcap"), "0"], check=True)
    return [found[0], Capture(folder / "empty.pcap"), *found[1:]]


def test_captures_that_are_read_together_have_the_frames_that_each_has_alone(
    tmp_path: Path,
) -> None:
    captures = each_kind_of_capture(tmp_path)
    together = frames_of_each(captures)

    assert together == [frames_of(capture) for capture in captures]
    assert [len(frames) for frames in together].count(0) == 1
    assert any(str(capture.path).endswith(".pcapng") for capture in captures)


def test_a_fault_among_many_runs_is_named_as_in_its_run_alone(tmp_path: Path) -> None:
    names = ("usrsctp-nth-loss", SAMPLE, "linux-bulk-loss")
    for name in names:
        for file in BUNDLED.glob(f"{name}.*"):
            shutil.copy(file, tmp_path)
    document = deepcopy(sample().document)
    first(document, dir="a2b", fate="delivered")["t_ns"] += 1
    document["frames"]["middle"] += 1
    truth.write(document, tmp_path / f"{SAMPLE}.truth.ndjson")
    paths = [tmp_path / f"{name}.truth.ndjson" for name in names]
    together = check_together(paths)

    assert together == [check(path) for path in paths]
    before, wrong, behind = together
    assert before == behind == []
    assert {fault.file.split(".")[1] for fault in wrong} == {"sender", "middle"}


def test_a_capture_that_cannot_be_read_is_named_and_the_others_are_checked(tmp_path: Path) -> None:
    for name in (SAMPLE, "usrsctp-nth-loss"):
        for file in BUNDLED.glob(f"{name}.*"):
            shutil.copy(file, tmp_path)
    broken = next(tmp_path.glob(f"{SAMPLE}.middle.*"))
    broken.write_bytes(broken.read_bytes()[:-7])
    wrong, right = check_together(
        [tmp_path / f"{name}.truth.ndjson" for name in (SAMPLE, "usrsctp-nth-loss")]
    )

    assert [(fault.file, "cut short" in fault.what) for fault in wrong] == [(broken.name, True)]
    assert right == []


def test_the_samples_over_dtls_and_with_misses_pass_all_rules() -> None:
    for name in (SAMPLE, IN_DTLS, "usrsctp-hosts-and-taps", "usrsctp-multihoming"):
        assert check(BUNDLED / f"{name}.truth.ndjson") == []


def test_a_cut_capture_has_the_chunks_whose_header_is_there(tmp_path: Path) -> None:
    capture = BUNDLED / f"{SAMPLE}.sender.pcap"
    subprocess.run(["editcap", "-s", "50", str(capture), str(tmp_path / "cut.pcap")], check=True)

    whole, cut = frames_of(Capture(capture)), frames_of(Capture(tmp_path / "cut.pcap", cut=True))
    for there, before in zip(cut, whole, strict=True):
        assert there.tsns == before.tsns[: len(there.tsns)]
        assert there.tsns or not before.tsns or before.acknowledged  # which comes first
    assert any(frame.tsns for frame in cut)
    assert any(frame.acknowledged for frame in cut)


def test_the_command_names_what_is_wrong_and_fails(tmp_path: Path) -> None:
    for file in BUNDLED.glob(f"{SAMPLE}.*.pcap"):
        shutil.copy(file, tmp_path)
    document = deepcopy(sample().document)
    first(document, dir="a2b", fate="delivered")["t_ns"] += 1
    truth.write(document, tmp_path / f"{SAMPLE}.truth.ndjson")
    command = ["python", "-m", "sample_pcaps.generate.check", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 1
    assert done.stdout.startswith(f"{SAMPLE}.sender.pcap frame ")
    assert "1 runs, 1 with faults" in done.stderr
