# SPDX-License-Identifier: BSD-2-Clause
"""What a tap writes down: packets in the order of its own clock, some missed, some twice."""

from dataclasses import dataclass

from .capture_file import Frame
from .dice import Dice

_WITHIN_NS = 20_000  #: how soon after a packet the tap has it again


@dataclass(frozen=True)
class TapOptions:
    """How well the taps of a run capture."""

    loss: float = 0.0
    duplicate: float = 0.0
    clock_ns: int = 1  #: resolution of the clock


@dataclass(frozen=True)
class Sighting:
    """A packet in the file: `key` says which passage of which packet it is."""

    key: int
    time_ns: int
    frame: bytes
    sctp: bytes
    copy: int  #: 1; 2 where the tap has it again


class Tap:
    """One tap; what passes is told in any order."""

    def __init__(self, options: TapOptions, clock_offset_ns: int, dice: Dice) -> None:
        self._options = options
        self._offset = clock_offset_ns
        self.dice = dice
        self.sightings: list[Sighting] = []  #: in the order in which they were told

    def see(self, key: int, time_ns: int, frame: bytes, sctp: bytes) -> None:
        """A packet passes."""
        miss, repeat, later = self.dice.throw("tap", sctp, 3)
        missed = miss < self._options.loss
        twice = repeat < self._options.duplicate
        lag = 1000 + int(later * _WITHIN_NS)
        if not missed:
            self.sightings.append(Sighting(key, time_ns, frame, sctp, 1))
        if twice and not missed:
            self.sightings.append(Sighting(key, time_ns + lag, frame, sctp, 2))

    def in_order(self) -> list[Sighting]:
        """Frame 1 first."""
        return sorted(self.sightings, key=lambda seen: seen.time_ns)

    def frames(self, start_ns: int) -> list[Frame]:
        """The file's frames; the run started at `start_ns` since 1970."""
        step = self._options.clock_ns
        return [
            ((start_ns + seen.time_ns + self._offset) // step * step, seen.frame)
            for seen in self.in_order()
        ]
