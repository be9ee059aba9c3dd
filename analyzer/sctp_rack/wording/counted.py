# SPDX-License-Identifier: BSD-2-Clause
"""How a count reads with its noun."""


def many(count: int, noun: str) -> str:
    """The count with its noun, which takes an s unless there is one."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
