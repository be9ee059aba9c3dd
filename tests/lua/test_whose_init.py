# SPDX-License-Identifier: BSD-2-Clause
"""An INIT ACK tells the drop-in, as it does the engine, who reports duplicates, and who is pion."""

import struct
from pathlib import Path
from typing import Any

import pytest

from tests.builder import sctp
from tests.builder.talk import COOKIE_ECHO, INIT_ACK, A, B, Talk, init, rows
from tests.lua import drop_in

ALL = 65535
COOKIE, ECN, FORWARD_TSN = (struct.pack(">HH", kind, 4) for kind in (7, 0x8000, 0xC000))
FORWARD_FIRST = bytes.fromhex("80080006c0820000")
RE_CONFIG_FIRST = bytes.fromhex("8008000682c00000")
#: Of a packet and its answer.
ROUND_TRIP_US = 40_000


def _init_ack(streams: int, *parameters: bytes) -> bytes:
    value = struct.pack(">IIHHI", B.vtag, 65536, streams, streams, 1000)
    return sctp.chunk(INIT_ACK, 0, value + b"".join(parameters))


def _evidence(found: list[dict[str, Any]]) -> list[list[str]]:
    return [
        [code for code in row["evidence"] or [] if code.startswith("S")]
        for row in found
        if row["copy"] > 1
    ]


@pytest.mark.parametrize(
    ("streams", "parameters", "tells"),
    [
        (16, (FORWARD_TSN, FORWARD_FIRST, COOKIE), True),  # usrsctp
        (ALL, (ECN, FORWARD_TSN, FORWARD_FIRST, COOKIE), True),  # usrsctp as well
        (ALL, (FORWARD_TSN, FORWARD_FIRST, COOKIE), False),  # aiortc
        (ALL, (COOKIE, ECN, RE_CONFIG_FIRST, FORWARD_TSN), True),  # Linux
        (10, (COOKIE, RE_CONFIG_FIRST, FORWARD_TSN), True),  # Linux without ECN
        (ALL, (COOKIE, RE_CONFIG_FIRST, FORWARD_TSN), False),  # mediasoup
    ],
)
def test_who_tells_of_duplicates(
    streams: int, parameters: tuple[bytes, ...], tells: bool, tmp_path: Path
) -> None:
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, _init_ack(streams, *parameters), later_us=ROUND_TRIP_US)
    talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=100)
    talk.say(B, A, sctp.cookie_ack(), later_us=ROUND_TRIP_US)
    at_once = sctp.data(1000, at_once=True)  # answered alike, whichever copy comes
    talk.say(A, B, at_once)
    talk.say(A, B, at_once, later_us=1_000_000)
    talk.say(B, A, sctp.sack(1000), later_us=ROUND_TRIP_US)
    path = talk.write(tmp_path)

    ours = [
        row
        for association in drop_in.judged(path)
        for direction in association["directions"]
        for row in direction["transmissions"]
    ]
    theirs = rows(path, "transmissions")

    assert _evidence(ours) == _evidence(theirs)
    assert any("S10" in codes for codes in _evidence(ours)) == tells


@pytest.mark.parametrize(
    ("streams", "parameters", "of_pion"),
    [
        (ALL, (COOKIE, RE_CONFIG_FIRST), True),
        (4, (COOKIE, RE_CONFIG_FIRST), True),  # it takes those of the INIT that it answers
        (4, (COOKIE, FORWARD_FIRST), False),
        (4, (COOKIE, RE_CONFIG_FIRST, FORWARD_TSN), False),
    ],
)
def test_whose_probe_comes_200_ms_and_two_round_trips_later(
    streams: int, parameters: tuple[bytes, ...], of_pion: bool, tmp_path: Path
) -> None:
    """pion waits so long for the SACK of a single chunk (RFC 8985 section 7.2); its RTO is 1 s."""
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, _init_ack(streams, *parameters), later_us=100)
    talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=ROUND_TRIP_US)
    talk.say(B, A, sctp.cookie_ack(), later_us=100)
    for tsn in (1000, 1001, 1002, 1003):
        talk.say(B, A, sctp.data(tsn), later_us=1_000_000)
        talk.say(A, B, sctp.sack(tsn), later_us=ROUND_TRIP_US)
    talk.say(B, A, sctp.data(1004), later_us=1_000_000)
    talk.say(B, A, sctp.data(1004), later_us=2 * ROUND_TRIP_US + 200_000)
    talk.say(A, B, sctp.sack(1004), later_us=ROUND_TRIP_US)
    path = talk.write(tmp_path)

    (ours,) = (
        row["cause"]
        for association in drop_in.judged(path)
        for direction in association["directions"]
        for row in direction["transmissions"]
        if row["copy"] > 1
    )
    (theirs,) = (row["cause"] for row in rows(path, "transmissions") if row["copy"] > 1)

    assert (ours == "tlp", theirs == "tlp") == (of_pion, of_pion)
