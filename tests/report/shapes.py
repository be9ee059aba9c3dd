# SPDX-License-Identifier: BSD-2-Clause
"""Captures of which a page could get too long: they hold far more of one thing than is read."""

from collections.abc import Callable
from pathlib import Path

from tests.builder import sctp
from tests.builder.talk import A, B, End, Talk

#: What a shape has so many of; it writes its capture into a folder.
Shape = Callable[[Path, int], Path]

#: What an IPv4 packet has no room for more of.
MOST_BLOCKS = 16_000


def copies(folder: Path, count: int) -> Path:
    """One TSN that is sent again and again, each answered by a SACK that leaves it out."""
    talk = Talk()
    talk.handshake()
    for tsn in (1000, 1001, 1002):
        talk.say(A, B, sctp.data(tsn))
    for at in range(count):
        talk.say(B, A, sctp.sack(1000, [(2, 2)]), ident=at % 65536)
        talk.say(A, B, sctp.data(1001), ident=at % 65536)
    talk.say(B, A, sctp.sack(1002), ident=0)
    return talk.write(folder)


def associations(folder: Path, count: int) -> Path:
    """As many associations, in each of which T3-rtx sends again what had arrived."""
    talk = Talk()
    again = [sctp.data(tsn) for tsn in range(1001, 1005)]
    for at in range(count):
        port, tag = 1024 + at % 60_000, 2 * at + 1
        a, b = End("10.1.0.1", port, tag), End("10.2.0.1", port, tag + 1)
        talk.say(a, b, sctp.data(1000), ident=1, later_us=100)
        talk.say(b, a, sctp.sack(1000), ident=1, later_us=100)
        talk.say(a, b, *again, ident=2, later_us=100)
        talk.say(a, b, *again, ident=3, later_us=1_100_000)
        talk.say(b, a, sctp.sack(1004, dups=range(1001, 1005)), ident=2, later_us=100)
    return talk.write(folder)


def blocks(folder: Path, count: int) -> Path:
    """As many gap blocks in few SACKs, while one TSN stays missing and is sent again."""
    talk = Talk()
    talk.handshake()
    for tsn in (1000, 1001, 1002):
        talk.say(A, B, sctp.data(tsn))
    for at in range(0, count, MOST_BLOCKS):
        few = min(MOST_BLOCKS, count - at)
        talk.say(B, A, sctp.sack(1000, [(2 * one, 2 * one) for one in range(1, few + 1)]))
        talk.say(A, B, sctp.data(1001))
    talk.say(B, A, sctp.sack(1002))
    return talk.write(folder)
