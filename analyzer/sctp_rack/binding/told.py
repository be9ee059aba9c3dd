# SPDX-License-Identifier: BSD-2-Clause
"""What is told of a capture instead of measured: which words and times there are."""

from collections.abc import Iterable
from typing import Any

from sctp_rack.names import ENUMS, Profile, Vantage

#: Places of the tap, and profiles of a sender, that can be told.
VANTAGES = tuple(word.value for word in Vantage if word != Vantage.UNKNOWN)
PROFILES = tuple(word.value for word in Profile)
#: Those of a stack, which can be left out; the others are texts.
STACKS = tuple(word for word in PROFILES if not word.startswith("rfc"))

#: An hour: more is a mistake.
LONGEST_MS = 3_600_000

#: TLP.max_ack_delay of RACK-TLP (RFC 8985 section 7.2) unless told, nanoseconds: how long a
#: receiver may hold back its SACK (RFC 9260 section 6.2).
MAX_ACK_DELAY = 200_000_000


def tell(
    told: Any,
    vantage: str | None,
    loop_ms: float | None,
    profile: str | None,
    max_ack_delay_ms: float | None,
    without_profiles: Iterable[str],
) -> None:
    """Fills `struct sr_told`. Raises `ValueError` for an unknown word, and for what is no time."""
    loop_ns = _nanoseconds("loop", loop_ms)
    max_ack_delay_ns = _nanoseconds("max_ack_delay", max_ack_delay_ms)
    told.vantage = _number("vantage", VANTAGES, vantage)
    told.profile = _number("profile", PROFILES, profile)
    told.loop = loop_ns is not None
    told.loop_ns = loop_ns or 0
    told.max_ack_delay = max_ack_delay_ns is not None
    told.max_ack_delay_ns = MAX_ACK_DELAY if max_ack_delay_ns is None else max_ack_delay_ns
    told.without = _left_out(without_profiles, profile)


def _number(enum: str, words: tuple[str, ...], told: str | None) -> int:
    """What the core calls it, from 1; 0 where nothing was told."""
    if told is None:
        return 0
    if told not in words:
        raise ValueError(f"no {enum} {told!r}: there are {', '.join(words)}")
    return 1 + list(ENUMS[enum]).index(ENUMS[enum](told))


def _left_out(stacks: Iterable[str], told: str | None) -> int:
    """A bit for each profile."""
    bits = 0
    for name in stacks:
        if name not in STACKS or name == told:
            raise ValueError(
                f"cannot leave out {name!r}: there are {', '.join(STACKS)}, unless told"
            )
        bits |= 1 << (_number("profile", STACKS, name) - 1)
    return bits


def _nanoseconds(what: str, ms: float | None) -> int | None:
    if ms is None:
        return None
    if not 0 <= ms <= LONGEST_MS:
        raise ValueError(f"a {what} of {ms} ms: it takes from 0 ms to an hour")
    return round(ms * 1_000_000)
