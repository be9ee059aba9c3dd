# SPDX-License-Identifier: BSD-2-Clause
"""What a tap writes down: packets in the order of its own clock, some missed, some twice."""

from dataclasses import dataclass

from .capture_file import LONGEST, Frame
from .dice import Dice
from .wire import headers_of_data

_WITHIN_NS = 20_000  #: how soon after a packet the tap has it again


@dataclass(frozen=True)
class TapOptions:
    """How well the taps of a run capture."""

    loss: float = 0.0
    duplicate: float = 0.0
    clock_ns: int = 1  #: resolution of the clock
    begins_ns: int = 0  #: what passes before is in no file
    snaplen: int = LONGEST  #: bytes of a frame that are in the file

    @property
    def is_partial(self) -> bool:
        """Whether something may pass a tap and not be in its file."""
        return bool(self.loss or self.begins_ns) or self.snaplen != LONGEST


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
        missed = miss < self._options.loss or time_ns < self._options.begins_ns
        twice = repeat < self._options.duplicate
        lag = 1000 + int(later * _WITHIN_NS)
        if not missed:
            self.sightings.append(Sighting(key, time_ns, frame, sctp, 1))
        if twice and not missed:
            self.sightings.append(Sighting(key, time_ns + lag, frame, sctp, 2))

    def shows(self, seen: Sighting, tsn: int) -> bool:
        """Whether the header of the chunk is in what the file has of the frame."""
        kept = self._options.snaplen - (len(seen.frame) - len(seen.sctp))
        return any(there == tsn and end <= kept for there, end in headers_of_data(seen.sctp))

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
