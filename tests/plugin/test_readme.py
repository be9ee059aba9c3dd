# SPDX-License-Identifier: BSD-2-Clause
"""Display filters and the commands that docs/wireshark.md shows of the plugin do as it says."""

import re

import pytest

from tests.captures import BUNDLED, ROOT, SAMPLE
from tests.plugin.test_frames import shown
from tests.plugin.wireshark import Wireshark

SECTION = re.search(
    r"^## In Wireshark\n(.*?)^## ",
    (ROOT / "docs/wireshark.md").read_text(),
    re.DOTALL | re.MULTILINE,
)
assert SECTION
FILTERS = re.findall(r"`(sctp[^`]*)`", "\n".join(re.findall(r"^\| .* \|$", SECTION[1], re.M)))
COMMANDS = re.findall(r"^tshark .*$", SECTION[1], re.M)

#: Captures that between them have all that the filters look for, but for data taken back.
CAPTURES = (
    SAMPLE,
    BUNDLED / "pion-tail-loss.sender.pcap",
    BUNDLED / "usrsctp-delay-spike.sender.pcap",
    BUNDLED / "usrsctp-zero-window.sender.pcap",
)


def test_each_filter_finds_frames(wireshark: Wireshark) -> None:
    assert len(FILTERS) > 10
    found = [shown(wireshark, capture, *FILTERS) for capture in CAPTURES]
    nothing = [
        each for number, each in enumerate(FILTERS) if not any(frames[number] for frames in found)
    ]
    assert nothing == ["sctp.analysis.reneged"]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_prints_lines(command: str, wireshark: Wireshark) -> None:
    wireshark.capture(SAMPLE)
    printed = wireshark.run("sh", "-c", command.replace("CAPTURE", SAMPLE.name))
    assert len(printed.splitlines()) > 5, printed
