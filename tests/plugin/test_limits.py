# SPDX-License-Identifier: BSD-2-Clause
"""What a sender waited for is on what it sent then, and summed up as by `sctp-rack limits`."""

import re
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.limits.shares import TABLES, limited_directions

from tests.builder import sctp
from tests.builder.talk import End, Talk
from tests.captures import BUNDLED, SAMPLE
from tests.plugin.wireshark import Wireshark

CAPTURES = [
    SAMPLE,
    BUNDLED / "usrsctp-zero-window.sender.pcap",
    BUNDLED / "usrsctp-both-ways.middle.pcap",
    BUNDLED / "usrsctp-hosts-and-taps.receiver.pcapng",
]
LINE = re.compile(
    r"^ +(\d+)  (\w+)  (\w+) +(\d+\.\d{3}) +(\d+\.\d)% +(\d+) +\d+\.\d%  +(\d)$", re.MULTILINE
)


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_a_chunk_says_what_its_sender_waited_for_before(
    capture: Path, wireshark: Wireshark
) -> None:
    held = sctp_rack.read(capture, tables=("limits", "transmissions"))
    intervals: dict[tuple[int, str], list[tuple[int, int, str, int]]] = {}
    for row in held.table("limits"):
        interval = (row["begin_ns"], row["end_ns"], row["limit"], row["limit_class"])
        intervals.setdefault((row["assoc"], row["dir"]), []).append(interval)
    expected = []
    for row in held.table("transmissions"):
        sent = row["kind"] not in ("network_duplicate", "capture_duplicate")
        said = [
            (limit, str(of))
            for begin, end, limit, of in intervals.get((row["assoc"], row["dir"]), ())
            if sent and begin < row["time_ns"] <= end
        ]
        if said:
            ((limit, of),) = said
            expected.append((row["frame"], limit, of))

    names = ("frame.number", "sctp.analysis.limit.str", "sctp.analysis.limit_class")
    printed = wireshark.tshark(
        capture, "-2", "-T", "fields", *(each for name in names for each in ("-e", name))
    )
    shown = []
    for line in printed.splitlines():
        frame, limits, classes = line.split("\t")
        pairs = zip(limits.split(","), classes.split(","), strict=True)
        shown += [(int(frame), limit, of) for limit, of in pairs if limit]
    assert shown == expected
    assert expected


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
def test_shares_are_those_of_the_command(capture: Path, wireshark: Wireshark) -> None:
    printed = wireshark.tshark(capture, "-q", "-z", "sctp_rack,limits")
    expected = {
        (str(one.assoc), one.dir, share.limit): (
            round(share.time_ns / 1e9, 3),
            round(100 * share.share, 1),
            share.bytes,
            share.limit_class,
        )
        for one in limited_directions(sctp_rack.read(capture, tables=TABLES))
        for share in one.limits
    }
    shown = {
        found[:3]: (float(found[3]), float(found[4]), int(found[5]), int(found[6]))
        for found in LINE.findall(printed)
    }
    assert shown.keys() == expected.keys()
    for key, (time_s, share, sent, of) in expected.items():
        assert shown[key][0] == pytest.approx(time_s, abs=0.0011)
        assert shown[key][1] == pytest.approx(share, abs=0.11)
        assert shown[key][2:] == (sent, of)


def test_a_filter_chooses_associations(wireshark: Wireshark, tmp_path: Path) -> None:
    talk = Talk()
    for number in range(2):
        a, b = End(f"192.0.2.{1 + number}", 5000, 16), End("198.51.100.1", 5001, 32 + number)
        talk.handshake(a, b)
        for tsn in (1, 2):
            talk.say(a, b, sctp.data(tsn), later_us=100_000)
            talk.say(b, a, sctp.sack(tsn))
    capture = talk.write(tmp_path).rename(tmp_path / "two-associations.pcapng")

    def told(option: str) -> set[str]:
        return {found[0] for found in LINE.findall(wireshark.tshark(capture, "-q", "-z", option))}

    assert told("sctp_rack,limits") == {"0", "1"}
    assert told("sctp_rack,limits,sctp_rack.assoc == 1") == {"1"}


def test_a_read_filter_leaves_nothing_to_say(wireshark: Wireshark) -> None:
    options = ("-2", "-R", "sctp.chunk_type == 16", "-q", "-z", "sctp_rack,limits")
    assert "A read filter renumbers the frames" in wireshark.tshark(SAMPLE, *options)
