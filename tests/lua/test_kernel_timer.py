# SPDX-License-Identifier: BSD-2-Clause
"""Drop-in and engine know alike how late a timer of the Linux kernel may be: by 8/63 of a second.

In the capture it is 16 ms late, without feedback before it; all from there on comes later.
"""

import struct
from pathlib import Path

import pytest
import sctp_rack

from tests.captures import BUNDLED
from tests.lua.drop_in import judged

TIMEOUT = 459  #: the frame that T3-rtx sends
HEADER, RECORD = 24, 16


def held_up(capture: Path, ms: int, to: Path) -> Path:
    """The capture, where a timeout and all behind it comes so much later."""
    content = bytearray(capture.read_bytes())
    at, frame = HEADER, 0
    while at < len(content):
        frame += 1
        seconds, fraction, length = struct.unpack_from("<III", content, at)
        if frame >= TIMEOUT:
            passed = seconds * 1_000_000_000 + fraction + ms * 1_000_000
            struct.pack_into("<II", content, at, *divmod(passed, 1_000_000_000))
        at += RECORD + length
    to.write_bytes(content)
    return to


@pytest.mark.parametrize(("ms", "is_sure"), [(60, True), (150, False)])
def test_what_a_kernel_rounds_up_is_no_doubt(ms: int, is_sure: bool, tmp_path: Path) -> None:
    path = held_up(BUNDLED / "linux-bulk-loss.sender.pcap", ms, tmp_path / "late.pcap")

    (engine,) = sctp_rack.read(path).table("transmissions").where(frame=TIMEOUT)
    (drop_in,) = [
        row
        for association in judged(path)
        for direction in association["directions"]
        for row in direction["transmissions"]
        if row["frame"] == TIMEOUT
    ]

    for row in (engine, drop_in):
        assert row["cause"] == "t3"
        assert (row["cause_class"] > 2) == is_sure
