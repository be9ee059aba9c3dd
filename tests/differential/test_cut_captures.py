# SPDX-License-Identifier: BSD-2-Clause
"""Captures cut to a snap length: tshark shows no TSN of a DATA chunk whose user data is cut, so the
header walk of dpkt is the second oracle."""

import subprocess
from collections import Counter
from pathlib import Path

import dpkt
import pytest

from tests.captures import SAMPLE
from tests.differential.our_rows import by_us

IP_HEADER, COMMON_HEADER = 20, 12
DATA, TSN_END = 0, 8


@pytest.mark.parametrize("snap_length", [40, 46, 52, 54, 60, 62, 64, 80, 96, 128])
def test_every_tsn_whose_bytes_were_captured_is_there(tmp_path: Path, snap_length: int) -> None:
    cut = tmp_path / "cut.pcapng"
    subprocess.run(["editcap", "-s", str(snap_length), SAMPLE, cut], check=True)

    expected = tsns_by_dpkt(cut)

    assert expected == by_us(cut).data
    assert (snap_length >= 14 + IP_HEADER + COMMON_HEADER + TSN_END) == bool(expected)


def tsns_by_dpkt(capture: Path) -> Counter[tuple[int, int]]:
    """(frame, TSN) of each DATA chunk whose TSN was captured, walking chunk headers."""
    seen: Counter[tuple[int, int]] = Counter()
    with capture.open("rb") as file:
        for frame, (_time, packet) in enumerate(dpkt.pcapng.Reader(file), start=1):
            at = dpkt.ethernet.Ethernet.__hdr_len__ + IP_HEADER + COMMON_HEADER
            while at + TSN_END <= len(packet):
                chunk = dpkt.sctp.Chunk(packet[at : at + TSN_END])
                if chunk.type == DATA:
                    seen[frame, int.from_bytes(packet[at + 4 : at + 8], "big")] += 1
                at += max(4, chunk.len + 3 & ~3)
    return seen
