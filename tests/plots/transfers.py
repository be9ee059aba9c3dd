# SPDX-License-Identifier: BSD-2-Clause
"""Captures to draw: the bundled sample, and a transfer too large to be drawn chunk by chunk."""

from collections.abc import Mapping
from pathlib import Path

import sctp_rack
from sctp_rack.association import Direction

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED

#: TSN of the first chunk of a long transfer: it wraps on the way.
FIRST_TSN = 2**32 - 2000
_EVERY = 500


def sample(name: str | None = None) -> Direction:
    """The first direction of a bundled capture."""
    path = None if name is None else BUNDLED / f"{name}.sender.pcap"
    return sctp_rack.read(path).associations[0].a2b


def long_transfer(folder: Path, chunks: int = 6000) -> Path:
    """Every 500th chunk is lost, is missed three times, and comes again."""
    talk = Talk()
    talk.handshake()
    missing: dict[int, int] = {}
    for number in range(chunks):
        talk.say(A, B, sctp.data(_tsn(number)), later_us=700)
        if number % _EVERY == _EVERY - 1:
            missing[number] = 0
            continue
        talk.say(B, A, _sack(number, missing), later_us=300)
        for lost in list(missing):
            missing[lost] += 1
            if missing[lost] == 3:
                del missing[lost]
                talk.say(A, B, sctp.data(_tsn(lost)), later_us=100)
    return talk.write(folder)


def _tsn(number: int) -> int:
    return (FIRST_TSN + number) % 2**32


def _sack(highest: int, missing: Mapping[int, int]) -> bytes:
    if not missing:
        return sctp.sack(_tsn(highest))
    lost = min(missing)
    return sctp.sack(_tsn(lost - 1), [(2, highest - lost + 1)])
