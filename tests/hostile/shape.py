# SPDX-License-Identifier: BSD-2-Clause
"""What a shape is: a generator of packets that is told how many bytes to write, and its name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.hostile.talk import Attack, Wire

#: Sends packets; each `yield` lets another shape of the same file go on.
Program = Callable[[Attack], Iterator[None]]

#: Writes a file of another form than pcap, of so many bytes when it is unpacked.
File = Callable[[Path, int], None]


@dataclass(frozen=True)
class Made:
    """A capture, and the frame that `explain` is asked about; 0: it has no data."""

    path: Path
    size: int
    frame_of_data: int


@dataclass(frozen=True)
class Shape:
    """One way to hurt, or several in one file."""

    name: str
    says: str
    program: Program | None = None
    file: File | None = None
    suffix: str = ".pcap"
    is_broken: bool = False  #: the commands end with a word about the file
    parts: tuple["Shape", ...] = ()
    on_one_association: bool = False
    seed: int = 1

    @property
    def is_ordinary(self) -> bool:
        """It is what the others are compared with."""
        return self.says.startswith("No attack:")

    def make(self, folder: Path, size: int) -> Made:
        """A capture of about `size` bytes."""
        path = folder / f"{self.name}-{size}{self.suffix}"
        if self.file is not None:
            self.file(path, size)
            return Made(path, size, 0)
        return _write(path, size, self)


_END = object()

#: In the order of the page.
SHAPES: list[Shape] = []


def frames(program: Program) -> Program:
    """Takes a generator of packets up as a shape; its docstring's first line is what is said."""
    SHAPES.append(Shape(program.__name__, _line(program.__doc__), program=program))
    return program


def file(suffix: str, *, is_broken: bool = False) -> Callable[[File], File]:
    """Takes up what writes a whole file."""

    def taken(write: File) -> File:
        says = _line(write.__doc__)
        SHAPES.append(Shape(write.__name__, says, file=write, suffix=suffix, is_broken=is_broken))
        return write

    return taken


def combination(seed: int, of: list[Shape]) -> Shape:
    """Two to four shapes that a seed chooses, packet by packet in turn."""
    random = Random(seed)
    parts = tuple(random.sample(of, random.randrange(2, 5)))
    shared = random.random() < 0.6
    where = "on one association" if shared else "each on its own"
    says = f"{', '.join(part.name for part in parts)}: {where}."
    return Shape(f"seed-{seed}", says, parts=parts, on_one_association=shared, seed=seed)


def _write(path: Path, size: int, shape: Shape) -> Made:
    random = Random(shape.seed)
    programs = [part.program for part in shape.parts or (shape,)]
    with Wire(path) as wire:
        flow = Attack(wire, 0, random).flow() if shape.on_one_association else None
        attacks = [Attack(wire, size // len(programs), random, flow) for _ in programs]
        running = [
            program(attack)
            for program, attack in zip(programs, attacks, strict=True)
            if program is not None
        ]
        while running:
            turns = random.randrange(1, 64) if len(running) > 1 else -1
            at = random.randrange(len(running))
            while turns:
                turns -= 1
                if next(running[at], _END) is _END:
                    del running[at]
                    break
        return Made(path, wire.written, max(attack.frame_of_data for attack in attacks))


def _line(text: str | None) -> str:
    assert text, "what a shape does is said in its docstring"
    return " ".join(text.split())
