# SPDX-License-Identifier: BSD-2-Clause
"""What applications of signalling write, and when."""

import math
from collections.abc import Callable
from functools import partial
from random import Random

from .ends import Application, Association
from .setting import MS, SECOND, TIMERS_NS, Setting


class _Users:
    """The two users of an association."""

    def __init__(self, association: Association, setting: Setting, random: Random) -> None:
        self._association, self._random = association, random
        self._setting = setting
        self._size = random.choice((1, 20, 60, 140, 400, 900))
        self._choose()

    def _choose(self) -> None:
        """What this association does all the time."""

    def heard(self, side: int, messages: int) -> None:
        """Nothing is answered unless a shape does."""

    def _write(self, side: int, count: int = 1) -> None:
        """Messages of about the same size, bundled or one call after the other."""
        sizes = [self._size + self._random.randrange(8) for _ in range(count)]
        if count == 1 or self._random.random() < 0.3:
            self._association.write(side, sizes)
            return
        for n, size in enumerate(sizes):
            later_ns = n * self._random.randrange(2_000, 40_000)
            self._association.after(later_ns, partial(self._association.write, side, [size]))

    def _log(self, low: float, high: float) -> float:
        """As often in each decade."""
        return math.exp(self._random.uniform(math.log(low), math.log(high)))


class Periodic(_Users):
    """Reports: some messages each period, of one end or of both."""

    def _choose(self) -> None:
        self._periods_ns = [self._log(20 * MS, 10 * SECOND) for _ in (0, 1)]
        self._jitter = self._random.choice((0.0, 0.001, 0.01, 0.1))
        self._counts = [self._random.choice((1, 1, 1, 2, 5)) for _ in (0, 1)]
        self._sides = self._random.choice(((0,), (1,), (0, 1)))

    def begin(self) -> None:
        """Each end by its own clock."""
        for side in self._sides:
            self._wait(side)

    def _wait(self, side: int) -> None:
        drift = 1 + self._random.uniform(-self._jitter, self._jitter)
        self._association.after(self._periods_ns[side] * drift, lambda: self._report(side))

    def _report(self, side: int) -> None:
        self._write(side, self._counts[side])
        self._wait(side)


class RequestAndResponse(_Users):
    """a asks, b answers when it has thought, a asks again when it has."""

    def _choose(self) -> None:
        self._thinks_ns = self._log(1 * MS, 10 * SECOND)
        self._serves_ns = self._log(0.1 * MS, 1 * SECOND)
        self._answers = self._random.choice((1, 1, 2, 4))
        self._spread = self._random.choice((1.0, 1.05, 3.0))
        self._heard = 0

    def begin(self) -> None:
        """The first request."""
        self._association.after(self._think(), lambda: self._write(0))

    def heard(self, side: int, messages: int) -> None:
        """A request is answered, the last answer makes a new request."""
        if side == 1:
            delay_ns = self._serves_ns * self._log(1 / self._spread, self._spread)
            self._association.after(delay_ns, lambda: self._write(1, self._answers))
            return
        self._heard += messages
        if self._heard >= self._answers:
            self._heard = 0
            self._association.after(self._think(), lambda: self._write(0))

    def _think(self) -> float:
        return self._thinks_ns * self._log(1 / self._spread, self._spread)


class Bursts(_Users):
    """Some messages, then a pause that nearly is what a timer of some stack would take."""

    def _choose(self) -> None:
        round_trip_ns = self._setting.round_trip_ns
        self._side = self._random.choice((0, 0, 1))
        self._timers_ns = [
            *TIMERS_NS,
            2 * round_trip_ns + 2 * MS,  # PTO of a flight of several packets, in RFC 8985 and pion
            2 * round_trip_ns + 200 * MS,  # PTO with the delayed acknowledgement
        ]
        self._most = self._random.choice((1, 3, 10, 30))

    def begin(self) -> None:
        """The first burst."""
        self._burst()

    def _burst(self) -> None:
        self._write(self._side, self._random.randint(1, self._most))
        timer_ns = self._random.choice(self._timers_ns) * self._random.choice((1, 1, 1, 2, 4))
        since_ns = self._random.choice((0, self._setting.round_trip_ns))  # data, or its feedback
        off_ns = self._random.choice((0.0, 1 * MS, 15 * MS)) * self._random.uniform(-1, 1)
        self._association.after(max(1 * MS, timer_ns + since_ns + off_ns), self._burst)


class Typing(_Users):
    """A key now and then, which the other end may echo."""

    def _choose(self) -> None:
        self._size = 1
        self._key_ns = self._log(60 * MS, 300 * MS)
        self._echoes = self._random.random() < 0.5

    def begin(self) -> None:
        """The first key."""
        self._association.after(self._key_ns, self._key)

    def heard(self, side: int, messages: int) -> None:
        """The echo."""
        if side == 1 and self._echoes:
            self._association.after(self._log(0.1 * MS, 5 * MS), lambda: self._write(1, messages))

    def _key(self) -> None:
        self._write(0)
        thinks = self._random.random() < 0.08
        typical_ns = self._log(1 * SECOND, 10 * SECOND) if thinks else self._key_ns
        self._association.after(typical_ns * self._random.lognormvariate(0, 0.4), self._key)


class Dialogues(_Users):
    """Procedures that begin at random, of some messages to and fro, several at a time."""

    def _choose(self) -> None:
        self._every_ns = self._log(50 * MS, 5 * SECOND)
        self._serves_ns = self._log(0.5 * MS, 100 * MS)
        self._steps: list[list[int]] = [[], []]  #: how many are to come, of each message to a side

    def begin(self) -> None:
        """The first procedure."""
        self._association.after(self._random.expovariate(1 / self._every_ns), self._procedure)

    def heard(self, side: int, messages: int) -> None:
        """Each message is answered until its procedure ends."""
        for _ in range(messages):
            left = self._steps[side].pop(0) if self._steps[side] else 0
            if left:
                delay_ns = self._serves_ns * self._log(0.2, 5)
                self._association.after(delay_ns, partial(self._step, side, left - 1))

    def _procedure(self) -> None:
        self._step(self._random.choice((0, 1)), self._random.randint(1, 7))
        self.begin()

    def _step(self, side: int, left: int) -> None:
        self._steps[1 - side].append(left)
        self._write(side)


class BothWays(_Users):
    """Bursts of one end across reports of the other."""

    def _choose(self) -> None:
        self._bursts = Bursts(self._association, self._setting, self._random)
        self._reports = Periodic(self._association, self._setting, self._random)

    def begin(self) -> None:
        """Both."""
        self._bursts.begin()
        self._reports.begin()


_SHAPES: dict[str, Callable[[Association, Setting, Random], Application]] = {
    "periodic": Periodic,
    "request and response": RequestAndResponse,
    "bursts": Bursts,
    "typing": Typing,
    "dialogues": Dialogues,
    "both ways": BothWays,
}


def users(association: Association, setting: Setting, random: Random) -> Application:
    """Those of the setting's shape."""
    return _SHAPES[setting.shape](association, setting, random)
