# SPDX-License-Identifier: BSD-2-Clause
"""Counts of the core by the words that they are of."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from sctp_rack._core import ffi
from sctp_rack.names import Checksum, ChunkAnomaly, Kind, SackAnomaly, Skip, Unopened

#: Words in the order of their numbers in the core.
WORDS = {
    enum: tuple(word.value for word in enum)
    for enum in (Skip, Unopened, Checksum, ChunkAnomaly, Kind, SackAnomaly)
}


@functools.lru_cache(maxsize=256)
def read_counts(words: Sequence[str], kind: str, counts: bytes) -> dict[str, int]:
    """Of equal bytes once: a look at each count by itself takes longer."""
    return by_word(words, np.frombuffer(counts, kind).tolist())


def by_word(words: Sequence[str], counts: Any) -> dict[str, int]:
    if counts == ffi.NULL:
        return {}
    return _shared(
        tuple([(word, counts[index]) for index, word in enumerate(words) if counts[index]])
    )


def firsts(words: Sequence[str], frames: Any, counted: dict[str, int]) -> dict[str, int]:
    if not counted:
        return _shared(())
    return _shared(
        tuple([(word, frames[index]) for index, word in enumerate(words) if word in counted])
    )


@functools.lru_cache(maxsize=256)
def _shared(counted: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """Return the same for equal counts: a hundred thousand associations have few that differ."""
    return dict(counted)
