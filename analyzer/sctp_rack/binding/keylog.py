# SPDX-License-Identifier: BSD-2-Clause
"""A TLS key log beside a capture, which grows while the capture is live."""

from pathlib import Path

from sctp_rack.errors import InputError

_PIECE = 1 << 20  # bytes
#: Lines of key logs are shorter; of a longer one what was read is let go.
_LONGEST_LINE = 1 << 16


class KeyLog:
    """The file at `path`. Raises `InputError` where it cannot be opened or read."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._rest = b""
        try:
            self._file = Path(path).open("rb", buffering=0)  # noqa: SIM115 - it is read while the capture is
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from error

    def news(self) -> bytes:
        """Lines that were not there before, a piece of them; nothing where there are none.

        A line without an end is there as far as it goes, and again once it goes on: a part of a
        key decrypts nothing.
        """
        try:
            piece = self._file.read(_PIECE)
        except OSError as error:
            raise InputError(f"{self._path}: {error.strerror}") from error
        if not piece:
            return b""
        lines = self._rest + piece
        self._rest = lines[lines.rfind(b"\n") + 1 :]
        if len(self._rest) > _LONGEST_LINE:
            self._rest = b""
        return lines

    def close(self) -> None:
        """Nothing is read any more."""
        self._file.close()
