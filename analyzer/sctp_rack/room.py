# SPDX-License-Identifier: BSD-2-Clause
"""Whether there is room for what a library takes: some end the process where there is none."""

import mmap


def check_room(size: int) -> None:
    """Raises `MemoryError` where `size` bytes of address space are not to be had."""
    try:
        mmap.mmap(-1, size).close()
    except OSError as error:
        raise MemoryError from error
