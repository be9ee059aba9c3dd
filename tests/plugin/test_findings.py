# SPDX-License-Identifier: BSD-2-Clause
"""`-z sctp_rack,findings` says what `sctp-rack analyze` says, but for what it cannot know."""

import re
from collections.abc import Callable, Collection
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.findings.alike import gathered
from sctp_rack.findings.find import find
from sctp_rack.findings.say import say
from sctp_rack.findings.sentences import SENTENCES
from sctp_rack.names import Finding

from tests.builder import failing, sctp
from tests.builder.talk import Carrier, End, Talk, in_ipv4, in_ipv6
from tests.captures import BUNDLED, ROOT, SAMPLE, bundled, collection, long_but, name_of
from tests.plugin.wireshark import Wireshark

Told = tuple[str, str, list[int]]

#: Those that rest on more than SCTP packets and ICMP; and here on more than SCTP packets.
OF_THE_FILE = {code for code in Finding if code not in SENTENCES}
LEFT_OUT = OF_THE_FILE | {
    Finding.ICMP_QUOTES,
    Finding.ICMP_UNREACHABLE,
    Finding.ICMP_TOO_BIG,
}

#: What `failing.signalled` has.
SIGNALLED = {
    Finding.UNANSWERED_INIT,
    Finding.REFUSED_INIT,
    Finding.INCOMPLETE_HANDSHAKE,
    Finding.ABORT,
    Finding.ERROR_CAUSES,
    Finding.UNANSWERED_HEARTBEATS,
}

#: In every run of the tests: a storm, a closed window, lost tails, several associations and hosts,
#: nothing at all. The others are `long`.
CHOSEN = {
    "usrsctp-delay-spike.sender.pcap",
    "usrsctp-zero-window.sender.pcap",
    "pion-tail-loss.sender.pcap",
    "usrsctp-hosts-and-taps.receiver.pcapng",
}


def told(printed: str) -> list[Told]:
    """Severity, sentence and frames of each, in their order."""
    found: list[Told] = []
    for line in printed.splitlines():
        if begin := re.match(r"(note|warning|error)  (.*)$", line):
            found.append((begin[1], begin[2], []))
        elif re.match(r"    frame\.number ", line):
            found[-1][2].extend(map(int, re.findall(r"\d+", line)))
    return found


def of_analyze(
    capture: Path, assoc: int | None = None, left_out: Collection[Finding] = frozenset(LEFT_OUT)
) -> list[Told]:
    """What the command says, but for what the plugin cannot know, or another."""
    held = sctp_rack.read(capture)
    summary = held.summary if assoc is None else held.only(assoc).summary
    known = [one for one in find(summary) if one.code not in left_out]
    words = {"`analyze --json`": "`sctp-rack analyze --json`"}
    if Finding.ICMP_QUOTES in left_out:
        words[say("unanswered_init.icmp")] = say("unanswered_init.silent")
    return [(one.severity, _replaced(one.text, words), one.frames) for one in gathered(known)]


def _replaced(text: str, words: dict[str, str]) -> str:
    for before, after in words.items():
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize(
    "capture",
    long_but(CHOSEN, [*bundled(), *collection("wild"), *collection("truth")]),
    ids=name_of,
)
def test_findings_are_those_of_the_command(capture: Path, wireshark: Wireshark) -> None:
    printed = wireshark.tshark(capture, "-q", "-z", "sctp_rack,findings")
    assert told(printed) == of_analyze(capture)


def three(folder: Path) -> Path:
    """Associations of which one is sent again once and for nothing, and two are one-way."""
    talk = Talk()
    for number in range(3):
        a, b = End(f"192.0.2.{1 + number}", 5000, 16), End("198.51.100.1", 5001, 32 + number)
        talk.handshake(a, b)
        for tsn in (1, 2, 5000000 + number):
            talk.say(a, b, sctp.data(tsn), later_us=100_000)
        if number == 0:
            talk.say(b, a, sctp.sack(2))
    return talk.write(folder).rename(folder / "three-associations.pcapng")


@pytest.mark.parametrize("carrier", [in_ipv4, in_ipv6])
def test_what_two_sides_say_is_told_as_by_the_command(
    wireshark: Wireshark, tmp_path: Path, carrier: Carrier
) -> None:
    capture = failing.signalled(tmp_path, carrier)
    known = of_analyze(capture)
    codes = {one.code for one in find(sctp_rack.read(capture).summary)}

    assert told(wireshark.tshark(capture, "-q", "-z", "sctp_rack,findings")) == known
    assert codes >= SIGNALLED


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (failing.stalled, Finding.STALL),
        (failing.limited, Finding.TRANSFER_LIMITED),
        (failing.icmp, Finding.UNANSWERED_INIT),
    ],
)
def test_what_takes_long_is_told_as_by_the_command(
    wireshark: Wireshark, tmp_path: Path, made: Callable[[Path], Path], code: Finding
) -> None:
    capture = made(tmp_path)

    assert told(wireshark.tshark(capture, "-q", "-z", "sctp_rack,findings")) == of_analyze(capture)
    assert code in {one.code for one in find(sctp_rack.read(capture).summary)}


def test_a_filter_chooses_associations(wireshark: Wireshark, tmp_path: Path) -> None:
    capture = three(tmp_path)
    one = wireshark.tshark(capture, "-q", "-z", "sctp_rack,findings,sctp_rack.assoc == 1")
    assert told(wireshark.tshark(capture, "-q", "-z", "sctp_rack,findings")) == of_analyze(capture)
    assert told(one) == of_analyze(capture, 1)
    assert told(one)


def test_of_many_of_a_kind_the_first_is_told(wireshark: Wireshark, tmp_path: Path) -> None:
    talk = Talk()
    for number in range(12):
        a, b = End(f"192.0.2.{1 + number}", 5000, 16), End("198.51.100.1", 5001, 32 + number)
        talk.handshake(a, b)
        talk.say(a, b, sctp.data(1), sctp.data(2))
        talk.say(b, a, sctp.sack(2))
        talk.say(b, a, sctp.sack(1))
    capture = talk.write(tmp_path).rename(tmp_path / "twelve-associations.pcapng")
    printed = wireshark.tshark(capture, "-q", "-z", "sctp_rack,findings")
    assert "And 11 other findings of this kind" in printed
    assert told(printed) == of_analyze(capture)


def test_one_and_two_passes_say_the_same(wireshark: Wireshark) -> None:
    option = ("-q", "-z", "sctp_rack,findings")
    assert wireshark.tshark(SAMPLE, *option) == wireshark.tshark(SAMPLE, "-2", *option)


def test_a_verdict_that_the_user_told_counts(wireshark: Wireshark) -> None:
    capture = BUNDLED / "usrsctp-delay-spike.sender.pcap"
    spurious = [
        row["frame"]
        for row in sctp_rack.read(capture).transmissions
        if row["verdict"] == "spurious"
    ]
    known = ",".join(f"{frame}=needed" for frame in spurious)
    options = ("-q", "-z", "sctp_rack,findings", "-o", f"sctp_rack.override:{known}")
    assert "sent 6 chunks again, all of them spuriously" not in wireshark.tshark(capture, *options)


def test_of_a_capture_without_anything_that_is_said(wireshark: Wireshark, tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    capture = talk.write(tmp_path).rename(tmp_path / "handshake.pcapng")
    assert "\nNothing.\n" in wireshark.tshark(capture, "-q", "-z", "sctp_rack,findings")


def test_the_documents_name_what_is_left_out() -> None:
    text = (ROOT / "docs/wireshark.md").read_text(encoding="utf-8")
    section = text.split("### Findings", 1)[1].split("\n### ", 1)[0]
    assert {word for word in re.findall(r"`(\w+)`", section) if word in set(Finding)} == LEFT_OUT
