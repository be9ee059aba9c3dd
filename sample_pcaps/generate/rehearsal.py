# SPDX-License-Identifier: BSD-2-Clause
"""A run is made again; where a packet shall fare otherwise a twin leaves it and goes on alone.

All twins have the run up to there in common, so it is made once: this process forks. Only the hosts
are programs of their own; those of a twin are begun anew and told at once all that was told before.
"""

import json
import os
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from .likeness import first_difference, tolerance_ns
from .link import MS, Carrier, Passage
from .loss import Passenger
from .run import TAPS, Carried, Run

Fate = Literal["drop", "deliver"]
Change = tuple[tuple[int, Fate], ...]  #: packets by number, and how each fares otherwise
Differs = dict[str, int | None]  #: by tap, when it first sees something else; None: it never does

_LOOKS_EACH_NS = 100 * MS


@dataclass
class _Window:
    """What is compared of a twin."""

    change: Change
    until_ns: int
    pipe: int  #: to who asks
    before: dict[str, int]  #: by tap, how much it had seen when the twin left
    looked_ns: int = 0


class Rehearsal(Run):
    """The run again, as far as the last change."""

    def __init__(self, run: Run, changes: dict[Change, int]) -> None:
        """`changes`, and until when taps are compared for each."""
        self._run = run
        self._asked: dict[int, list[tuple[Change, int]]] = {}
        for change, until_ns in changes.items():
            first = min((packet for packet, _ in change), default=1)
            self._asked.setdefault(first, []).append((change, until_ns))
        self._window: _Window | None = None
        self._tolerance_ns = tolerance_ns(run.scenario)
        self.differs: dict[Change, Differs] = {}
        links: dict[str, Carrier] = {
            side: _Again(self, [carried for carried in run.carried if carried.side == side])
            for side in "ab"
        }
        super().__init__(run.scenario, links, then=run)

    def run(self) -> None:
        """Afterwards `differs` tells of every change."""
        try:
            super().run()
        except BaseException:
            if self._window is None:
                raise
            traceback.print_exc()
            os._exit(1)
        if self._window is not None:
            os.write(self._window.pipe, json.dumps(self._seen(self._window.until_ns)).encode())
            os._exit(0)

    def is_over(self, now: int) -> bool:
        """A twin ends with what is compared, or when every tap has seen a difference."""
        if self._window is None:
            return not self._asked or super().is_over(now)
        if now >= self._window.until_ns + self._tolerance_ns or super().is_over(now):
            return True
        if now < self._window.looked_ns + _LOOKS_EACH_NS:
            return False
        self._window.looked_ns = now
        return None not in self._seen(now - self._tolerance_ns).values()

    def fate_of(self, packet: int) -> Fate | None:
        """Before a packet enters its link: how it fares otherwise. Here twins leave."""
        if self._window is None:
            for change, until_ns in self._asked.pop(packet, ()):
                if self._leaves(change, until_ns):
                    break
        return dict(self._window.change).get(packet) if self._window else None

    def _leaves(self, change: Change, until_ns: int) -> bool:
        """True in the twin; the other waits for what it sees."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            before = {tap: len(self.taps[tap].sightings) for tap in TAPS}
            self._window = _Window(change, until_ns, writing, before)
            self.begin_hosts_again()
            return True
        os.close(writing)
        with os.fdopen(reading, "rb") as answer:
            told = answer.read()
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError(f"a twin of {self.scenario.name} failed")
        self.differs[change] = json.loads(told)
        return False

    def _seen(self, until_ns: int) -> Differs:
        assert self._window is not None
        return {
            tap: first_difference(
                self._run.taps[tap].sightings[before:],
                self.taps[tap].sightings[before:],
                self._tolerance_ns,
                until_ns,
            )
            for tap, before in self._window.before.items()
        }


class _Again:
    """A link on which each packet fares as it did, but for those that are changed."""

    def __init__(self, rehearsal: Rehearsal, carried: Iterable[Carried]) -> None:
        self._rehearsal = rehearsal
        self._then: dict[bytes, list[Carried]] = {}
        for one in carried:
            self._then.setdefault(one.sctp, []).append(one)

    def carry(self, time_ns: int, packet: bytes, passenger: Passenger) -> Passage:
        """Of equal packets it is the one sent at that time; what was not sent is lost at once."""
        equal = self._then.get(packet)
        if not equal:
            return Passage(packet)
        then = min(equal, key=lambda one: abs(one.time_ns - time_ns))
        equal.remove(then)
        later = time_ns - then.time_ns
        passage = _shifted(then.passage, later)
        match self._rehearsal.fate_of(then.packet):
            case "drop":
                passage = replace(passage, end_ns=None, again=[])
            case "deliver":
                middle_ns, end_ns = then.passage.unless_lost
                passage = replace(passage, middle_ns=middle_ns + later, end_ns=end_ns + later)
        return passage


def _shifted(passage: Passage, later: int) -> Passage:
    return replace(
        passage,
        middle_ns=None if passage.middle_ns is None else passage.middle_ns + later,
        end_ns=None if passage.end_ns is None else passage.end_ns + later,
        again=[_shifted(again, later) for again in passage.again],
    )
