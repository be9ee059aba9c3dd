# SPDX-License-Identifier: BSD-2-Clause
"""What is shown of a list that nobody reads to its end: how it begins and how it ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

One = TypeVar("One")


@dataclass(frozen=True)
class Shortened(Generic[One]):
    """The first and the last, and how many are left out between them."""

    first: Sequence[One]
    left_out: int
    last: Sequence[One]


def shortened(every: Sequence[One], first: int, last: int) -> Shortened[One]:
    """All of them where no more are left out than a line about it would be worth."""
    if len(every) <= first + last + 1:
        return Shortened(every, 0, [])
    return Shortened(every[:first], len(every) - first - last, every[-last:])
