# SPDX-License-Identifier: BSD-2-Clause
"""An input that can be read twice: the file itself, or a copy of what a pipe gave."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sctp_rack.binding.source import STANDARD_INPUT, Readable, input_errors, open_source
from sctp_rack.commands.signals import held
from sctp_rack.errors import StorageError

_PIECE = 1 << 20  # bytes


@contextlib.contextmanager
def on_disk(capture: str) -> Iterator[str]:
    """The path of `capture`, or of a temporary copy where that is a pipe or standard input.

    Raises `InputError` where it cannot be opened, and `StorageError` where there is no room for the
    copy.
    """
    path = Path(capture)
    if capture != STANDARD_INPUT and (path.is_file() or not path.exists()):
        yield capture
        return
    with held():
        temporary = tempfile.NamedTemporaryFile(prefix="sctp-rack-")  # noqa: SIM115, see below
    with temporary as copy:
        with contextlib.closing(open_source(capture)) as source:
            while piece := _piece_of(source):
                try:
                    copy.write(piece)
                    copy.flush()
                except OSError as error:
                    why = os.strerror(error.errno or 0)
                    raise StorageError(f"cannot copy {capture} to {copy.name}: {why}") from error
        yield copy.name


def _piece_of(source: Readable) -> bytes:
    """Nothing at its end, or where it breaks off."""
    piece = bytearray(_PIECE)
    try:
        return bytes(piece[: source.readinto1(piece)])
    except input_errors():
        return b""
