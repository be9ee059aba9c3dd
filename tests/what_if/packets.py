# SPDX-License-Identifier: BSD-2-Clause
"""Packets that reach a receiver, one chunk each."""

from sctp_rack.what_if.sack_rule import Packet

MS = 1_000_000


def packets(*places: int, apart_ns: int = MS) -> list[Packet]:
    """In that order, so far apart."""
    return [Packet(at + 1, at * apart_ns, (place,), False) for at, place in enumerate(places)]
