# SPDX-License-Identifier: BSD-2-Clause
"""How the tree of a frame reads where a field alone would mislead."""

import re
from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.files import pcap
from tests.builder.layers import ipv4
from tests.captures import SAMPLE
from tests.plugin.painted_rows import exported
from tests.plugin.wireshark import Wireshark

RAW = 101


def answer(chunk: bytes) -> bytes:
    """A packet of the other side."""
    return sctp.packet(chunk, sport=5001, dport=5000, vtag=0x55667788)


@pytest.fixture(scope="module")
def without_the_first(tmp_path_factory: pytest.TempPathFactory, wireshark: Wireshark) -> Path:
    """A retransmission whose first copy was sent before the capture began."""
    packets = [
        sctp.packet(sctp.data(9)),
        answer(sctp.sack(7, [(2, 2)])),
        sctp.packet(sctp.data(8)),
        answer(sctp.sack(9)),
    ]
    path = tmp_path_factory.mktemp("faces") / "middle.pcap"
    path.write_bytes(pcap([ipv4(132, packet) for packet in packets], RAW))
    return path


def tree(wireshark: Wireshark, capture: Path, filter_: str) -> str:
    """Of the frames that pass."""
    return wireshark.tshark(capture, "-2", "-Y", filter_, "-V", "-O", "sctp_rack")


def test_a_link_to_no_frame_is_a_sentence(without_the_first: Path, wireshark: Wireshark) -> None:
    again = exported(without_the_first)["transmissions"][1]
    assert (again["kind"], again["prev_frame"]) == ("retransmission", None)
    shown = tree(wireshark, without_the_first, "sctp.analysis.retransmission == 0")
    assert "[Retransmission of a copy that the capture does not hold]" in shown
    assert "in frame: 0" not in shown


def test_the_acknowledgement_of_a_lost_copy_is_said_to_be_of_another(wireshark: Wireshark) -> None:
    note = "(another copy of it arrived)"
    lost = tree(wireshark, SAMPLE, 'sctp.analysis.outcome == "lost" && sctp.analysis.acked_in')
    links = re.findall(r"\[TSN acknowledged in frame: \d+ ?(.*?)\]", lost)
    assert links
    assert set(links) == {note}
    acked = tree(wireshark, SAMPLE, 'sctp.analysis.outcome == "acked" && frame.number < 100')
    assert "TSN acknowledged in frame: " in acked
    assert note not in acked
