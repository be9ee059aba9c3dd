# SPDX-License-Identifier: BSD-2-Clause
"""Where a capture's bytes come from: a file, a pipe, and the decompression of either."""

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from sctp_rack.errors import InputError, MissingExtraError

_PIECE = 1 << 20  # bytes

#: The name of standard input on the command line.
STANDARD_INPUT = "-"


class Readable(Protocol):
    """What a source is asked for.

    `readinto1` gives what one step of the decompression gives, so that bytes before a broken place
    are not lost with it.
    """

    def readinto1(self, buffer: Any, /) -> int: ...
    def close(self) -> None: ...


#: Told how many bytes of a file were read, and how many it has.
Progress = Callable[[int, int], None]


class _WatchedFile(io.FileIO):
    """Tells of each read, however it is decompressed afterwards."""

    def __init__(self, path: str, progress: Progress) -> None:
        super().__init__(path)
        self._size, self._done = os.fstat(self.fileno()).st_size, 0
        self._progress = progress

    def readinto(self, buffer: Any, /) -> int | None:
        count = super().readinto(buffer)
        self._done += count or 0
        if self._size:  # a pipe has none
            self._progress(self._done, self._size)
        return count


def open_source(path: str, progress: Progress | None = None) -> Readable:
    """Opens the capture at `path`, or standard input for "-", and decompresses gzip, zstd and lz4.

    `progress` is told of a file, not of standard input.

    Raises `InputError` where it cannot be opened and `MissingExtraError` where the library for its
    compression is not installed.
    """
    stream = _open_standard_input() if path == STANDARD_INPUT else _open_file(path, progress)
    try:
        magic = stream.peek(4)[:4]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    for prefix, decompress in _DECOMPRESSORS.items():
        if magic.startswith(prefix):
            return decompress(stream, path)
    return cast(Readable, stream)


def is_live(path: str) -> bool:
    """Whether it comes through a pipe, as a capture under way does: an interrupt ends it then."""
    try:
        mode = (
            os.fstat(sys.stdin.fileno()) if path == STANDARD_INPUT else Path(path).stat()
        ).st_mode
    except (AttributeError, OSError):  # standard input is closed
        return False
    return not stat.S_ISREG(mode)


class Peeked:
    """A source whose first bytes were looked at: they come again."""

    def __init__(self, source: Readable) -> None:
        self._source = source
        self._head = bytearray()
        self._broken: BaseException | None = None
        self._ended = False

    def look(self) -> bytes | bytearray:
        """Reads one step further; all that was read so far, or nothing at the end of the input.

        What breaks the input off is raised later, when the bytes before it have been read.
        """
        piece = bytearray(_PIECE)
        try:
            count = self._source.readinto1(piece)
        except input_errors() as error:
            self._broken, count = error, 0
        self._ended |= count == 0
        self._head += piece[:count]
        return self._head if count else b""

    def readinto1(self, buffer: Any, /) -> int:
        if self._head:
            view = memoryview(buffer).cast("B")
            head = self._head[: len(view)]
            view[: len(head)] = head
            del self._head[: len(head)]
            return len(head)
        if self._broken is not None:
            raise self._broken
        return 0 if self._ended else self._source.readinto1(buffer)

    def close(self) -> None:
        self._source.close()


def read_lines(source: Readable) -> Iterator[bytes]:
    """Lines without their ends; one longer than 1 MiB in pieces. Closes `source` behind the last.

    Raises what its decompression raises on broken or cut data.
    """
    rest = b""
    piece = bytearray(_PIECE)
    try:
        while count := source.readinto1(piece):
            *lines, rest = (rest + piece[:count]).split(b"\n")
            yield from lines
            if len(rest) > _PIECE:
                yield rest
                rest = b""
        yield rest
    finally:
        source.close()


def _open_file(path: str, progress: Progress | None) -> io.BufferedReader:
    try:
        if progress:
            return io.BufferedReader(_WatchedFile(path, progress))
        return Path(path).open("rb")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def _open_standard_input() -> io.BufferedReader:
    if sys.stdin is None:
        raise InputError(f"{STANDARD_INPUT}: standard input is closed")
    return open(sys.stdin.fileno(), "rb", closefd=False)


def _gzip(stream: BinaryIO, _path: str) -> Readable:
    return cast(Readable, gzip.GzipFile(fileobj=stream))


def _zstd(stream: BinaryIO, path: str) -> Readable:
    try:
        import zstandard
    except ModuleNotFoundError as error:
        raise _missing(path, "zstd") from error
    reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
    return cast(Readable, reader)


def _lz4(stream: BinaryIO, path: str) -> Readable:
    try:
        import lz4.frame
    except ModuleNotFoundError as error:
        raise _missing(path, "lz4") from error
    return cast(Readable, lz4.frame.LZ4FrameFile(stream))


def _missing(path: str, compression: str) -> MissingExtraError:
    package = {"zstd": "zstandard", "lz4": "lz4"}[compression]
    return MissingExtraError(f"{path}: reading {compression} needs `pip install {package}`")


_DECOMPRESSORS: dict[bytes, Callable[[BinaryIO, str], Readable]] = {
    b"\x1f\x8b": _gzip,
    b"\x28\xb5\x2f\xfd": _zstd,
    b"\x04\x22\x4d\x18": _lz4,
}


def input_errors() -> tuple[type[BaseException], ...]:
    """What decompressors raise on broken or cut data, and what reading itself raises."""
    errors: tuple[type[BaseException], ...] = (OSError, zlib.error, EOFError, RuntimeError)
    try:
        import zstandard
    except ModuleNotFoundError:
        return errors
    return (*errors, zstandard.ZstdError)
