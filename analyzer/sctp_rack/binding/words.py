# SPDX-License-Identifier: BSD-2-Clause
"""From the core's numbers to words: enums of names.toml, and the names of chunk types."""

import functools

from sctp_rack._core import ffi, lib
from sctp_rack.names import ENUMS


@functools.cache
def words_of(enum: str) -> list[str]:
    """The words of an enum, by their number in the core."""
    return [member.value for member in ENUMS[enum]]


def words(enum: str, mask: int) -> list[str]:
    """The words of a bit mask over an enum, in its order."""
    return [word for bit, word in enumerate(words_of(enum)) if mask >> bit & 1]


@functools.cache
def cause_name(code: int) -> str | None:
    """A cause of an ERROR or ABORT (RFC 9260 section 3.3.10) as the RFCs write it."""
    layout = lib.sr_cause_layout(code)
    return None if layout == ffi.NULL else ffi.string(layout.name).decode()


@functools.cache
def chunk_name(number: int) -> str | None:
    """A chunk type as the RFCs write it; None for an unknown one."""
    name = lib.sr_chunk_type_name(number)
    return None if name == ffi.NULL else ffi.string(name).decode()
