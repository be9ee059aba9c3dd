# SPDX-License-Identifier: BSD-2-Clause
"""Whether a command's cost per byte stays flat while a shape's capture doubles four times.

Nor may a byte cost many times what one of small ordinary packets does: a cost that grew with the
square up to a limit is flat behind it.

The start of the program, measured on a capture without packets, is not counted. Of the smallest
and the largest capture the cost per byte is compared. Seconds of a processor vary with all else
that the machine does, so they only ask: where they doubt that a byte costs the same, instructions
are counted, which are the same on every machine, and decide. They leave out what the kernel takes
for pages of rows that lie in a file; of that, `DEAR` is the bound. What tshark itself takes,
without us, is asked only where tshark with us looks dear: its own dissector is not what is judged
here.
"""

import re
from dataclasses import dataclass, replace

import numpy as np

from tests.hostile.commands import Bench, Command
from tests.hostile.measure import Cost, least
from tests.hostile.shape import Made, Shape
from tests.hostile.shapes import BULK, SMALL
from tests.hostile.talk import FILE_HEADER

DOUBLINGS = 4
FLAT = 1.5  #: times the cost per byte of the smallest
#: What is not told from noise: the start of the program alone varies as much on a busy machine.
NOISE_S = 0.1
DEAR = 50  #: times the cost per byte of small ordinary packets
MEMORY = 3  #: times that of a bulk transfer
#: Measurements before one counts against a command, or before instructions are counted, which
#: takes 15 times as long: other work only ever adds.
AGAIN = 5
TINY = 1 << 8  #: of this part of the largest capture the instructions are those of any capture


@dataclass(frozen=True)
class Growth:
    """Of one command on one shape."""

    command: Command
    shape: Shape
    sizes: tuple[int, ...]
    costs: tuple[Cost, ...]
    start_s: float
    ordinary_mib: float  # of a bulk transfer of the largest size
    ordinary_per_mb: float  # seconds, of small packets
    bare: tuple[Cost, ...] = ()  # of tshark alone, where it was asked
    bare_start_s: float = 0.0
    #: instructions for a byte up to the smallest, and from there to the largest, where counted
    counted: tuple[float, float] | None = None

    def seconds(self, at: int) -> float:
        """Above the start, and above what tshark takes by itself where that was asked."""
        own = self.costs[at].seconds - self.start_s
        if self.bare:
            own -= self.bare[at].seconds - self.bare_start_s
        return max(own, 0.0)

    @property
    def per_mb(self) -> float:
        """Seconds for a megabyte of the largest."""
        return self.seconds(-1) / self.sizes[-1] * 1e6

    @property
    def times_dearer(self) -> float:
        """A byte of the largest, against one of the smallest; noise counts for the smallest."""
        if self.counted:
            return self.counted[1] / self.counted[0]
        times = self.sizes[-1] / self.sizes[0]
        return max(self.seconds(-1) - NOISE_S, 0.0) / (times * max(self.seconds(0), NOISE_S / 4))

    @property
    def peak_mib(self) -> float:
        """Of the dearest of them."""
        return max(cost.peak_mib for cost in self.costs)

    @property
    def limit_mib(self) -> float:
        """What the command may take here."""
        if self.command.peak_mib is not None:
            return self.command.peak_mib
        alone = max((cost.peak_mib for cost in self.bare), default=0.0)
        return max(MEMORY * self.ordinary_mib, alone + (MEMORY - 1) * self.ordinary_mib)

    def faults(self) -> list[str]:
        """What is over its limit, with numbers."""
        found = []
        expected = {3} if self.shape.is_broken else self.command.status
        for size, cost in zip(self.sizes, self.costs, strict=True):
            if cost.hung:
                found.append(f"{size / 1e6:.2f} MB: not done after {cost.seconds:.0f} s")
            elif cost.status not in expected and not (self.shape.is_broken and self.command.bare):
                found.append(f"{size / 1e6:.2f} MB: status {cost.status}: {_last(cost.errors)}")
            elif "Traceback" in cost.errors:
                found.append(f"{size / 1e6:.2f} MB: {_last(cost.errors)}")
        if not found and self.times_dearer > FLAT:
            large, small = (
                f"{self.counted[at]:.0f} instructions"
                if self.counted
                else f"{self.seconds(at):.3f} s"
                for at in (-1, 0)
            )
            found.append(
                f"a byte costs {self.times_dearer:.1f} times as much"
                f" in {self.sizes[-1] / 1e6:.2f} MB ({large})"
                f" as in {self.sizes[0] / 1e6:.2f} MB ({small})"
            )
        if not found and self.per_mb > DEAR * self.ordinary_per_mb:
            found.append(
                f"a megabyte costs {self.per_mb:.2f} s, of small ordinary packets"
                f" {self.ordinary_per_mb:.3f} s"
            )
        if self.peak_mib > self.limit_mib:
            found.append(f"{self.peak_mib:.0f} MiB, at most {self.limit_mib:.0f}")
        return found


class Judge:
    """Measures growths; what does not depend on the shape is measured once."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._starts = dict[str, float]()
        self._ordinary = dict[tuple[str, str, int], Cost]()
        self._made = dict[int, Made]()
        self._shape: Shape | None = None
        (bench.folder / "ordinary").mkdir(mode=0o755)

    def growth(
        self, command: Command, shape: Shape, doublings: tuple[int, ...] = (0, DOUBLINGS)
    ) -> Growth | None:
        """None: the command does not fit the shape. `doublings`: which sizes are measured."""
        sizes = tuple(command.largest >> (DOUBLINGS - times) for times in doublings)
        captures = [self._capture(shape, size) for size in sizes]
        if not command.fits(captures[0]):
            return None
        costs = self._costs(command, captures)
        growth = Growth(
            command,
            shape,
            sizes,
            costs,
            self._start(command),
            self._of_bulk(command),
            self._of_small(command),
        )
        for _ in range(AGAIN - 1):
            if not growth.faults() or any(cost.hung for cost in growth.costs):
                break
            costs = _least(growth.costs, self._costs(command, captures))
            growth = replace(growth, costs=costs, start_s=self._start(command, again=True))
            if command.bare is not None:
                bare = self._costs(command.bare, captures)
                alone = _least(growth.bare, bare) if growth.bare else bare
                growth = replace(
                    growth, bare=alone, bare_start_s=self._start(command.bare, again=True)
                )
        if growth.times_dearer > FLAT and not any(cost.hung for cost in growth.costs):
            growth = replace(growth, counted=self._counted(command, shape, captures))
        return growth

    def _counted(
        self, command: Command, shape: Shape, captures: list[Made]
    ) -> tuple[float, float] | None:
        """Instructions for a byte, without those for any capture; None: they were too many."""
        made = [self._capture(shape, command.largest // TINY), captures[0], captures[-1]]
        if 2 * made[0].size > made[1].size or not command.fits(made[0]):
            made[0] = self._empty()
        counts = [self._instructions(command, each) for each in made]
        if None in counts:
            return None
        sizes = [each.size for each in made]
        (small, large) = np.diff(np.array(counts, float)) / np.diff(sizes)
        return max(float(small), 1.0), float(large)

    def _instructions(self, command: Command, made: Made) -> int | None:
        """Above those of tshark alone."""
        count = self._bench.instructions(command, made)
        if count is None or command.bare is None:
            return count
        alone = self._bench.instructions(command.bare, made)
        return None if alone is None else count - alone

    def _costs(self, command: Command, captures: list[Made]) -> tuple[Cost, ...]:
        return tuple(self._bench.cost(command, made) for made in captures)

    def _capture(self, shape: Shape, size: int) -> Made:
        """Made once; those of the shape before are removed."""
        if shape != self._shape:
            for made in self._made.values():
                made.path.unlink()
            self._made.clear()
            self._shape = shape
        if size not in self._made:
            self._made[size] = shape.make(self._bench.folder, size)
        return self._made[size]

    def _start(self, command: Command, *, again: bool = False) -> float:
        """Seconds on a capture without packets, the least so far."""
        made = self._empty()
        known = self._starts.get(command.name)
        if known is None or again:
            runs = 3 if known is None else 1
            took = least(self._bench.cost(command, made) for _ in range(runs)).seconds
            self._starts[command.name] = min(took, known or took)
        return self._starts[command.name]

    def _empty(self) -> Made:
        path = self._bench.folder / "empty.pcap"
        path.write_bytes(FILE_HEADER)
        return Made(path, len(FILE_HEADER), 1)

    def _of_bulk(self, command: Command) -> float:
        """MiB, where the limit is a multiple of it."""
        if command.peak_mib is not None:
            return 0.0
        return self._of(BULK, command).peak_mib

    def _of_small(self, command: Command) -> float:
        """Seconds for a megabyte."""
        seconds = self._of(SMALL, command).seconds - self._start(command)
        return max(seconds, 2 * NOISE_S) / command.largest * 1e6

    def _of(self, shape: Shape, command: Command) -> Cost:
        key = shape.name, command.name, command.largest
        if key not in self._ordinary:
            made = shape.make(self._bench.folder / "ordinary", command.largest)
            self._ordinary[key] = least(self._bench.cost(command, made) for _ in range(2))
            made.path.unlink()
        return self._ordinary[key]


def _last(errors: str) -> str:
    """The last line of what it said, without folders."""
    line = errors.strip().rpartition("\n")[2]
    return re.sub(r"/\S*/", "", line)


def _least(some: tuple[Cost, ...], others: tuple[Cost, ...]) -> tuple[Cost, ...]:
    return tuple(least(pair) for pair in zip(some, others, strict=True))
