# SPDX-License-Identifier: BSD-2-Clause
"""Decides which of two TSNs comes later, and gives TSNs a place on an unbounded line.

A TSN is a serial number: after 2^32 - 1 comes 0, and "later" is not transitive. So `Tsn` has no
`<`, and everything inside the model works with the unwrapped sequence number (`seq`, a plain int)
that a `TsnLine` gives to each TSN at the door.
"""

from dataclasses import dataclass

MODULUS = 1 << 32
HALF = 1 << 31


@dataclass(frozen=True, slots=True)
class Tsn:
    """A transmission sequence number as it is on the wire, 0 to 2^32 - 1."""

    value: int

    def __post_init__(self) -> None:
        """Raise ValueError for a number that has no place in 32 bits."""
        if not 0 <= self.value < MODULUS:
            raise ValueError(f"a TSN is 0 to 2^32 - 1, not {self.value}")

    def follows(self, other: "Tsn") -> bool:
        """Say whether this TSN is later than the other: RFC 9260 section 1.6, RFC 1982."""
        return self != other and (self.value - other.value) % MODULUS < HALF

    def plus(self, count: int) -> "Tsn":
        """Return the TSN `count` places later (earlier, if negative)."""
        return Tsn((self.value + count) % MODULUS)

    def __str__(self) -> str:
        """Return the number in decimal."""
        return str(self.value)


def tsn_at(seq: int) -> Tsn:
    """Return the TSN that has this place on the line."""
    return Tsn(seq % MODULUS)


class TsnLine:
    """Unwraps TSNs that lie within 2^31 of a moving reference, the cumulative ack point."""

    def __init__(self, first: Tsn) -> None:
        """Start the line so that the first TSN's place equals its value."""
        self._reference = first.value

    def seq(self, tsn: Tsn) -> int:
        """Return the place of a TSN; the one nearest to the reference is meant."""
        ahead = (tsn.value - self._reference) % MODULUS
        return self._reference + (ahead if ahead < HALF else ahead - MODULUS)

    def move_reference(self, seq: int) -> None:
        """Follow the cumulative ack point, so that the line can wrap any number of times."""
        self._reference = seq
