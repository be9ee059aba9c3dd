# SPDX-License-Identifier: BSD-2-Clause
"""The kinds of distributions that the mix is written in."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
Drawn = TypeVar("Drawn", covariant=True)


class Distribution(Protocol[Drawn]):
    """Something to draw from."""

    def draw(self, random: Random) -> Drawn: ...


@dataclass(frozen=True)
class Uniform:
    """Each value between two as often."""

    low: float
    high: float

    def draw(self, random: Random) -> float:
        return random.uniform(self.low, self.high)


@dataclass(frozen=True)
class Log:
    """Each order of magnitude between two values as often."""

    low: float
    high: float

    def draw(self, random: Random) -> float:
        return math.exp(random.uniform(math.log(self.low), math.log(self.high)))


@dataclass(frozen=True)
class Whole:
    """Each whole number from one to another as often."""

    low: int
    high: int

    def draw(self, random: Random) -> int:
        return random.randint(self.low, self.high)


@dataclass(frozen=True, eq=False)
class Choice(Generic[T]):
    """One of several, by weight."""

    weights: Mapping[T, float]

    def draw(self, random: Random) -> T:
        return random.choices(list(self.weights), list(self.weights.values()))[0]


@dataclass(frozen=True)
class Sometimes(Generic[T]):
    """With a probability a draw from another distribution, else nothing."""

    probability: float
    then: Distribution[T]

    def draw(self, random: Random) -> T | None:
        return self.then.draw(random) if random.random() < self.probability else None
