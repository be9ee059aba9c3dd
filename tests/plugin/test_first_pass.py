# SPDX-License-Identifier: BSD-2-Clause
"""Who asks the first pass for what it cannot know is told so in one line.

An empty answer looks like a true one.
"""

import pytest

from tests.captures import SAMPLE
from tests.plugin.wireshark import Wireshark

ADVICE = "known only when all of the capture was read: tshark needs -2, and -Y where you gave -R"
LOST = "sctp.analysis.lost"


def said(wireshark: Wireshark, *options: str) -> list[str]:
    """What tshark writes to stderr about the plugin."""
    command = ("tshark", "-r", str(wireshark.capture(SAMPLE)), *options)
    done = wireshark.process(*command)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if "sctp_rack" in line]


@pytest.mark.parametrize(
    "options",
    [
        ("-Y", LOST),
        ("-Y", f"!{LOST}"),
        ("-2", "-R", LOST),
        ("-2", "-R", f"!{LOST}"),
        ("-2", "-R", f"sctp || {LOST}", "-q", "-z", "sctp_rack,stat"),
        ("-2", "-R", LOST, "-Y", LOST),
        ("-q", "-z", f"sctp_rack,stat,{LOST}"),
        ("-q", "-z", f"sctp_rack,tree,{LOST}"),
        ("-q", "-z", f"io,stat,1,COUNT({LOST}){LOST}"),
    ],
    ids=" ".join,
)
def test_a_field_that_is_known_later_is_named(
    options: tuple[str, ...], wireshark: Wireshark
) -> None:
    assert said(wireshark, *options) == [f"tshark: sctp_rack: {LOST} is {ADVICE}"]


def test_expert_infos_are_fields_too(wireshark: Wireshark) -> None:
    told = said(wireshark, "-Y", "sctp.analysis.spurious || sctp.analysis.cause == 1")
    assert told == [f"tshark: sctp_rack: sctp.analysis.cause and 1 more are {ADVICE}"]


@pytest.mark.parametrize(
    "options",
    [
        ("-2", "-Y", LOST),
        ("-2", "-Y", f"!{LOST}"),
        ("-2", "-q", "-Y", LOST),
        ("-2", "-q", "-z", f"sctp_rack,stat,{LOST}"),
        ("-2", "-R", "sctp", "-Y", LOST),
        ("-Y", "sctp_rack.sack.dup_tsn || sctp.analysis.zero_window || sctp.analysis.hole"),
        ("-V",),
        ("-q", "-z", "sctp_rack,stat"),
        (),
    ],
    ids=" ".join,
)
def test_nothing_is_said_of_what_is_known(options: tuple[str, ...], wireshark: Wireshark) -> None:
    assert said(wireshark, *options) == []


def test_nothing_is_said_of_captures_without_sctp(wireshark: Wireshark) -> None:
    empty = wireshark.home / "without.pcapng"
    wireshark.run("tshark", "-r", str(wireshark.capture(SAMPLE)), "-Y", "!sctp", "-w", str(empty))
    done = wireshark.process("tshark", "-r", str(empty), "-Y", LOST)
    assert (done.returncode, done.stderr) == (0, "")
