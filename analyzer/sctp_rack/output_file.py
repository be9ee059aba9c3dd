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


def write_page(page: str, output: str) -> None:
    with output_file(output, sys.stdout) as stream:
        stream.write(page.encode("utf-8", "backslashreplace"))


def in_directory(name: str, stems: Iterable[str], suffix: str) -> dict[str, str]:
    """A file for each stem in the directory called `name`, which is made where there is none."""
    if name == "-":
        raise click.UsageError("Several tables need --output, a directory.")
    try:
        Path(name).mkdir(exist_ok=True)
    except OSError as error:
        raise click.BadParameter(f"{name}: {error.strerror}", param_hint="--output") from error
    return {stem: str(Path(name) / f"{stem}.{suffix}") for stem in stems}


def on_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


@contextlib.contextmanager
def output_file(name: str, standard: TextIO | None) -> Iterator[BinaryIO]:
    """The file called `name`, which takes the place of one that is there only when all went well.

    So a capture can even be exported onto itself.
    """
    if name == "-":
        if standard is None:
            raise click.UsageError("standard output is closed")
        yield standard.buffer
        return
    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written as it is
            with path.open("wb") as stream:
                yield stream
            return
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as stream:
            unfinished = Path(stream.name)
            try:
                yield cast(BinaryIO, stream)
                stream.flush()
                unfinished.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
                unfinished.replace(path)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        raise click.BadParameter(f"{name}: {error.strerror}", param_hint="--output") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
