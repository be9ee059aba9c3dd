# SPDX-License-Identifier: BSD-2-Clause
"""Expert infos, the Info column and both kinds of statistics say what the rows say."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.captures import BUNDLED, SAMPLE
from tests.plugin.painted_rows import Tables, exported
from tests.plugin.wireshark import Wireshark

CAPTURES = [SAMPLE, BUNDLED / "pion-tail-loss.sender.pcap"]
TITLES = {"kind": "Kind", "cause": "Cause", "verdict": "Verdict", "outcome": "Outcome"}


def counted(rows: Tables) -> Counter[tuple[str, ...]]:
    """Transmissions by direction, what and word."""
    counts = Counter[tuple[str, ...]]()
    for row in rows["transmissions"]:
        for column, title in {**TITLES, "probe": "Tail loss probe"}.items():
            if row[column]:
                counts[str(row["assoc"]), row["dir"], title, row[column]] += 1
    for row in rows["rack_marks"]:
        title = "Marked lost by the chosen profile"
        counts[str(row["assoc"]), row["dir"], title, row["resolution"]] += 1
    return counts


def by_table(printed: str) -> Counter[tuple[str, ...]]:
    line = re.compile(r"^ +(\d+)  (\w+)  (\S.*?\S) {2,}(\w+) +(\d+)$", re.M)
    return Counter({found[:4]: int(found[4]) for found in line.findall(printed)})


@pytest.mark.parametrize("passes", [["-2"], []], ids=["two passes", "one pass"])
@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_the_table_counts_the_rows(capture: Path, passes: list[str], wireshark: Wireshark) -> None:
    printed = wireshark.tshark(capture, *passes, "-q", "-z", "sctp_rack,stat")
    assert by_table(printed) == counted(exported(capture))


def test_the_table_counts_what_passes_its_filter(wireshark: Wireshark) -> None:
    rows = exported(SAMPLE)
    for name in ("transmissions", "rack_marks"):
        rows[name] = [row for row in rows[name] if row["frame"] < 200]
    printed = wireshark.tshark(SAMPLE, "-2", "-q", "-z", "sctp_rack,stat,frame.number < 200")
    assert by_table(printed) == counted(rows)


def test_the_table_says_that_a_read_filter_leaves_it_empty(wireshark: Wireshark) -> None:
    options = ("-2", "-R", "sctp.chunk_type == 16", "-q", "-z", "sctp_rack,stat")
    assert "A read filter renumbers the frames" in wireshark.tshark(SAMPLE, *options)


def test_a_wrong_filter_is_refused(wireshark: Wireshark) -> None:
    wireshark.capture(SAMPLE)
    done = wireshark.process("tshark", "-r", SAMPLE.name, "-q", "-z", "sctp_rack,stat,nonsense ==")
    assert done.returncode != 0
    assert "sctp_rack,stat" in done.stderr


@pytest.mark.parametrize("name", ["stat", "findings", "limits"])
def test_a_wrong_name_is_refused_with_the_right_one(name: str, wireshark: Wireshark) -> None:
    """Wireshark itself takes what only begins with one."""
    wireshark.capture(SAMPLE)
    done = wireshark.process("tshark", "-r", SAMPLE.name, "-q", "-z", f"sctp_rack,{name}s")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"it is sctp_rack,{name}, or sctp_rack,{name},FILTER" in done.stderr


@pytest.mark.parametrize("name", ["stat", "findings", "limits"])
def test_what_nothing_passes_is_said_to_be_so(name: str, wireshark: Wireshark) -> None:
    for filter_, none in (('cause == "t3"', True), ('cause == "fast"', False)):
        option = f"sctp_rack,{name},sctp.analysis.{filter_}"
        printed = wireshark.tshark(SAMPLE, "-2", "-q", "-z", option)
        assert ("\nNo frame passes this filter." in printed) is none
        assert ("10.94.1.10" in printed or "Association 0" in printed) is not none


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_the_tree_counts_the_rows(capture: Path, wireshark: Wireshark) -> None:
    printed = wireshark.tshark(capture, "-2", "-q", "-z", "sctp_rack,tree")
    counts, assoc, direction, title = Counter[tuple[str, ...]](), "", "", ""
    for line in printed.splitlines():
        if found := re.match(r"^Association (\d+), (\w+)", line):
            assoc, direction = found.groups()
        elif found := re.match(r"^  (\w+) +(\d+) ", line):
            counts[assoc, direction, title, found[1]] = int(found[2])
        elif found := re.match(r"^ (\S.*?\S) {2,}\d+ ", line):
            title = found[1]
    assert counts == counted(exported(capture))


def test_the_tree_says_that_one_pass_is_not_enough(wireshark: Wireshark) -> None:
    printed = wireshark.tshark(SAMPLE, "-q", "-z", "sctp_rack,tree")
    transmissions = len(exported(SAMPLE)["transmissions"])
    assert re.search(rf"^Not judged yet \(tshark: use -2\) +{transmissions} ", printed, re.M)


def test_expert_infos_and_the_info_column_say_what_the_rows_say(wireshark: Wireshark) -> None:
    rows = exported(SAMPLE)["transmissions"]
    spurious = sum(row["verdict"] == "spurious" for row in rows)
    lost = sum(row["outcome"] == "lost" for row in rows)
    assert spurious and lost

    experts = wireshark.tshark(SAMPLE, "-2", "-q", "-z", "expert,note")
    for count, text in (
        (spurious, "This retransmission was spurious"),
        (lost, "This transmission was lost"),
    ):
        assert re.search(rf"^ +{count} .* SCTP loss recovery  {text}$", experts, re.M), text

    summary = wireshark.tshark(SAMPLE, "-2")
    assert summary.count("[SCTP Spurious Retransmission]") == spurious
    assert summary.count("[SCTP Lost]") == lost


def whole_text(wireshark: Wireshark, *options: str) -> str:
    """The packet list and the trees."""
    tree = ("-T", "pdml", "-J", "sctp_rack")
    runs = [wireshark.tshark(SAMPLE, "-2", *options, *more) for more in ((), tree)]
    return "".join(runs)


@pytest.fixture(scope="module")
def whole(wireshark: Wireshark) -> str:
    """Without a choice."""
    return whole_text(wireshark)


@pytest.mark.parametrize(
    ("preference", "absent"),
    [
        ("info_prefix", ["[SCTP Lost]"]),
        ("sacks", ["sctp_rack.sack.cum_tsn", "sctp_rack.srtt"]),
        ("state", ["sctp_rack.srtt"]),
        ("expert_infos", ["sctp.analysis.spurious"]),
    ],
)
def test_each_part_can_be_switched_off(
    preference: str, absent: list[str], whole: str, wireshark: Wireshark
) -> None:
    less = whole_text(wireshark, "-o", f"sctp_rack.{preference}:FALSE")
    for name in absent:
        assert name in whole
        assert name not in less


def test_marks_of_another_profile_can_be_chosen(wireshark: Wireshark) -> None:
    from sctp_rack.binding.session import Session
    from sctp_rack.columns.of_rows import columns_of

    marks = Counter[str]()
    for batch in Session(str(SAMPLE), ["rack_marks"]).batches():
        columns = columns_of("rack_marks", batch)
        marks.update(
            p for p, frame in zip(columns["profile"], columns["frame"], strict=True) if frame
        )
    assert len(marks) > 2
    for profile, count in marks.items():
        fields = ("-T", "fields", "-E", "occurrence=a", "-e", "sctp.analysis.rack_lost")
        printed = wireshark.tshark(SAMPLE, "-2", "-o", f"sctp_rack.profile:{profile}", *fields)
        assert len([tsn for line in printed.split() for tsn in line.split(",")]) == count
