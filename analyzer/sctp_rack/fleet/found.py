# SPDX-License-Identifier: BSD-2-Clause
"""Which captures are meant, and by what one is known again: its path, its size and when it changed.

A hash of the content would read every byte again to find that nothing changed; that a file which is
written again has another time or size is what make and rsync rely on, too.
"""

import contextlib
import errno
import glob
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sctp_rack.errors import InputError, MissingExtraError, SctpRackError
from sctp_rack.fleet.scratch import scratch
from sctp_rack.many.which import CALLED, captures_in

#: What tells a store of fsspec from a file.
_STORE = "://"

_PATTERN = frozenset("*?[")

#: What tells versions apart where a store has no key of its own for them, as over HTTP.
_TOLD = ("ETag", "Content-MD5", "Digest", "Last-Modified")


@dataclass(frozen=True)
class Found:
    """A capture as it is now."""

    #: From the root, or the address in a store.
    name: str
    #: None where it cannot be looked at, or its store does not say.
    bytes: int | None = None
    modified_ns: int | None = None
    #: What else its store has to tell versions apart.
    version: str = ""

    @property
    def text(self) -> str:
        """The name as it is in rows."""
        return printable(self.name)

    def key(self, how: str) -> str:
        """Another one where the capture changed, or `how` it is read."""
        # A name can have all but the NUL.
        what = f"{self.name}\0{self.bytes}\0{self.modified_ns}\0{self.version}\0{how}"
        return hashlib.sha256(what.encode(errors="surrogatepass")).hexdigest()[:24]


def printable(text: str) -> str:
    """In UTF-8, which the name of a file need not be."""
    return text if text.isascii() else os.fsencode(text).decode(errors="backslashreplace")


def found_in(paths: Iterable[str]) -> list[Found]:
    """Files, of folders those that are captures, what fits a pattern, and what is in stores; each
    once.

    Raises `MissingExtraError` and `InputError` for stores.
    """
    every = (one for path in paths for one in _meant(path))
    return list({one.name: one for one in every}.values())


def found(path: str) -> Found:
    """A file as it is now."""
    name = os.path.abspath(path)  # noqa: PTH100, links stay: a ring buffer may be one
    try:
        state = os.stat(name)  # noqa: PTH116, a Path costs twice what looking does
    except OSError:
        return Found(name)
    return Found(name, state.st_size, state.st_mtime_ns)


@contextlib.contextmanager
def as_file(name: str) -> Iterator[str]:
    """The capture as a file; one in a store is fetched into TMPDIR meanwhile.

    Raises `InputError` where it is not there, `SctpRackError` where it may be later: libraries of
    stores raise what they like.
    """
    if _STORE not in name:
        yield name
        return
    store, path = _store(name)
    with scratch() as folder:
        file = str(Path(folder, "capture"))
        try:
            store.get_file(path, file)
        except FileNotFoundError as error:
            raise InputError(f"{name}: {_why(error)}") from error
        except Exception as error:
            raise SctpRackError(f"{name}: {_why(error)}") from error
        yield file


def _meant(path: str) -> Iterator[Found]:
    if _STORE in path:
        yield from _in_store(path)
        return
    fitting = [path]
    if _PATTERN & set(path) and not Path(path).exists():
        fitting = sorted(glob.glob(path, recursive=True)) or [path]  # noqa: PTH207, as a shell has it
    yield from map(found, captures_in(fitting))


def _in_store(address: str) -> Iterator[Found]:
    store, path = _store(address)
    try:
        if _PATTERN & set(path):
            files = store.glob(path)
        elif store.isdir(path):
            files = [file for file in store.find(path) if CALLED.search(file)]
        else:
            files = [path]
        for file in sorted(files):
            about = store.info(file)
            version = str([store.ukey(file), *(about.get(name) for name in _TOLD)])
            yield Found(store.unstrip_protocol(file), about.get("size"), None, version)
    except FileNotFoundError:
        yield Found(address)
    except Exception as error:
        raise InputError(f"{address}: {_why(error)}") from error


def _why(error: Exception) -> str:
    """Stores often raise one that has nothing but the name; on one line."""
    if isinstance(error, FileNotFoundError):
        return os.strerror(errno.ENOENT)
    told = error.strerror if isinstance(error, OSError) else None
    return " ".join((told or str(error) or type(error).__name__).split())


def _store(address: str) -> tuple[Any, str]:
    """Raises `MissingExtraError` without the library of the store."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise MissingExtraError(f"{address} needs `pip install fsspec`") from error
    try:
        store, path = url_to_fs(address)
    except ImportError as error:
        raise MissingExtraError(f"{address}: {error}") from error
    except ValueError as error:
        raise InputError(f"{address}: {error}") from error
    return store, str(path)
