# SPDX-License-Identifier: BSD-2-Clause
"""The sample inside DTLS is a run of its own, made like the one in clear: two hosts, a link with
the same dice, the handshake of DTLS before. Its rows and its truth are those of the clear run,
some frames and a while later.

The shutdown is left out: it begins when the simulation takes its next step, up to 20 ms apart."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.readers.tshark import TsharkSource

from sample_pcaps.generate import truth
from tests.captures import BUNDLED, IN_CLEAR, IN_DTLS
from tests.commands.called import called
from tests.readers.rows import Rows, rows_of

TAPS = ("sender", "middle", "receiver")
KEYLOG = BUNDLED / f"{IN_DTLS}.keys.log"
HANDSHAKE_FRAMES = 6
SHUTDOWN = (7, 8, 14)  #: types of chunks

#: Columns with a time since 1970, of every table and of one.
TIMES = ("time_ns", "acked_time_ns", "rack_xmit_ns", "anchor_ns")
TIMES_OF = {
    "rack_state": ("pto_ns",),
    "messages": ("sent_ns", "delivered_ns"),
    "limits": ("begin_ns", "end_ns"),
    "windows": ("begin_ns", "end_ns"),
}

Record = dict[str, Any]


def secured(tap: str) -> Path:
    return BUNDLED / f"{IN_DTLS}.{tap}.pcapng"


def clear(tap: str) -> Path:
    return BUNDLED / f"{IN_CLEAR}.{tap}.pcap"


@cache
def decrypted(tap: str) -> Rows:
    return rows_of(secured(tap), keylog=str(KEYLOG))


def compared(rows: Rows, later_ns: int, later_frames: int) -> Rows:
    """The rows as they would be so much earlier, without the shutdown, encapsulation, and what the
    file as a whole has."""
    ending = min(row["frame"] for row in rows["chunks"] if row["type"] in SHUTDOWN)
    return {
        table: [
            moved(row, (*TIMES, *TIMES_OF.get(table, ())), later_ns, later_frames)
            for row in all_rows
            if (row.get("frame") or 0) < ending
        ]
        for table, all_rows in rows.items()
        if table != "associations"  # its first and last frame
    }


def moved(row: Record, times: Iterable[str], later_ns: int, later_frames: int) -> Record:
    later = dict.fromkeys(times, later_ns) | {
        name: later_frames for name in row if name.endswith("frame")
    }
    return {
        name: value - later[name] if name in later and value is not None else value
        for name, value in row.items()
        if name != "encapsulation"
    }


@pytest.mark.parametrize("tap", TAPS)
def test_tshark_decrypts_the_same(tap: str) -> None:
    by_tshark = rows_of(secured(tap), TsharkSource(str(secured(tap)), keylog=str(KEYLOG)))

    assert decrypted(tap) == by_tshark


@pytest.mark.parametrize("tap", TAPS)
def test_the_rows_inside_dtls_are_those_of_the_same_run_in_clear(tap: str) -> None:
    inside, outside = decrypted(tap), rows_of(clear(tap))
    later_ns = inside["chunks"][0]["time_ns"] - outside["chunks"][0]["time_ns"]

    assert len(inside["transmissions"]) > 100
    assert {row["encapsulation"] for row in inside["chunks"]} == {"dtls"}
    assert compared(inside, later_ns, HANDSHAKE_FRAMES) == compared(outside, 0, 0)


def test_the_truth_inside_dtls_is_that_of_the_same_run_in_clear() -> None:
    inside, outside = (truth.read(BUNDLED / f"{name}.truth.ndjson") for name in (IN_DTLS, IN_CLEAR))
    for kind in ("transmissions", "stack_marks", "probes"):
        ours, theirs = inside[kind], outside[kind]
        assert isinstance(ours, list) and isinstance(theirs, list)
        later_ns = ours[0]["t_ns"] - theirs[0]["t_ns"]
        assert [earlier(record, later_ns) for record in ours] == theirs


def earlier(record: Record, later_ns: int) -> Record:
    times = {
        name: record[name] - later_ns
        for name in ("t_ns", "arrive_ns")
        if record.get(name) is not None
    }
    frames = {}
    if "frames" in record:
        seen = record["frames"].items()
        frames = {"frames": {tap: at and at - HANDSHAKE_FRAMES for tap, at in seen}}
    return record | times | frames


def test_one_line_with_a_key_log_says_what_the_clear_run_says() -> None:
    inside = called("analyze", secured("sender"), "--keylog", KEYLOG)
    outside = called("analyze", clear("sender"))

    assert inside.returncode == outside.returncode == 0
    assert b"9 of 27 retransmissions were spurious" in inside.stdout
    places = re.compile(rb"^.*frames, 2.*|.*frame \d+ to .*|First: frame .*", re.MULTILINE)
    later = [places.sub(b"", shown.stdout).splitlines()[1:] for shown in (inside, outside)]
    assert later[0] == later[1]
