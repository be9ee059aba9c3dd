# SPDX-License-Identifier: BSD-2-Clause
"""Where output goes: to standard output, or to a file that is replaced only when all went well."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO, cast

import click

from sctp_rack.commands.signals import held
from sctp_rack.errors import UsageError

#: Of a name, where what makes it another one must fit behind it.
_LONGEST_PREFIX = 40

#: What says that a name can be no output.
_NO_OUTPUT = (
    *(FileExistsError, FileNotFoundError, IsADirectoryError, NotADirectoryError),
    PermissionError,
)


def write_page(page: str, output: str) -> None:
    with output_file(output, sys.stdout) as stream:
        stream.write(page.encode("utf-8", "backslashreplace"))


@contextlib.contextmanager
def in_directory(name: str, stems: Iterable[str], suffix: str) -> Iterator[dict[str, str]]:
    """A file for each stem in the directory called `name`, as `directory` makes it."""
    if name == "-":
        raise click.UsageError("Several tables need --output, a directory.")
    with directory(name) as folder:
        yield {stem: str(folder / f"{stem}.{suffix}") for stem in stems}


@contextlib.contextmanager
def directory(name: str) -> Iterator[Path]:
    """It is made where there is none, and goes again where nothing came to lie in it."""
    folder, made = Path(name), False
    try:
        with held(), _usable(name):
            made = not folder.exists()
            folder.mkdir(exist_ok=True)
        yield folder
    except BaseException:
        if made:
            with held(), contextlib.suppress(OSError):
                folder.rmdir()
        raise


def on_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def check_no_terminal(name: str, standard: TextIO | None, what: str) -> None:
    """Raises `UsageError` where what is no text would go to a terminal."""
    if name == "-" and on_terminal(standard):
        raise UsageError(f"{what} is nothing for a terminal: name a file with --output")


def check_is_another(output: str, capture: str) -> None:
    """Raises `UsageError` where both are the same file, whatever they are called."""
    with contextlib.suppress(OSError):
        if "-" not in (output, capture) and Path(output).samefile(capture):
            raise UsageError(f"{output}: the capture would be replaced: name another file")


@contextlib.contextmanager
def output_file(name: str, standard: TextIO | None) -> Iterator[BinaryIO]:
    """The file called `name`, which takes the place of one that is there only when all went well.

    So a capture can even be exported onto itself. Of a link the file that it leads to is replaced.
    """
    if name == "-":
        if standard is None:
            raise click.UsageError("standard output is closed")
        yield standard.buffer
        return
    path = Path(os.path.realpath(name))
    if path.exists() and not path.is_file():  # a device or a pipe is written as it is
        with _usable(name):
            stream = path.open("wb")
        with stream:
            yield stream
        return
    unfinished: Path | None = None
    try:
        with held(), _usable(name):
            beside = tempfile.NamedTemporaryFile(  # noqa: SIM115, closed below
                dir=path.parent, prefix=path.name[:_LONGEST_PREFIX], delete=False
            )
            unfinished = Path(beside.name)
        with beside:
            yield cast(BinaryIO, beside)
            beside.flush()
            unfinished.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            with _usable(name):
                unfinished.replace(path)
    except BaseException:
        if unfinished is not None:
            try:
                with held():
                    unfinished.unlink(missing_ok=True)
            finally:  # another signal may have come before it was held
                unfinished.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _usable(name: str) -> Iterator[None]:
    """Where a name cannot be an output the call is wrong."""
    try:
        yield
    except _NO_OUTPUT as error:
        raise UsageError(f"{name}: {error.strerror}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
