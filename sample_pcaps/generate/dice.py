# SPDX-License-Identifier: BSD-2-Clause
"""Dice of hosts and taps: in a twin run the same packet throws what it threw in the run."""

from collections import Counter
from random import Random


class Dice:
    """Thrown once for each packet, told by its bytes and by how often they came before."""

    def __init__(self, random: Random, then: "Dice | None" = None) -> None:
        """`then`: the dice of the run of which this is a twin."""
        self._random = random
        self._then = then._thrown if then else {}
        self._thrown: dict[tuple[str, bytes, int], tuple[float, ...]] = {}
        self._seen: Counter[tuple[str, bytes]] = Counter()

    def throw(self, what: str, packet: bytes, count: int) -> tuple[float, ...]:
        """So many numbers from 0 to 1: for a packet that the run did not have they are new."""
        self._seen[what, packet] += 1
        key = what, packet, self._seen[what, packet]
        new = tuple(self._random.random() for _ in range(count))
        self._thrown[key] = self._then.get(key, new)
        return self._thrown[key]
