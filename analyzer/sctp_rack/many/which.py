# SPDX-License-Identifier: BSD-2-Clause
"""Which captures are meant by names of files and of folders."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from errno import EACCES
from pathlib import Path

from sctp_rack.binding.source import STANDARD_INPUT
from sctp_rack.errors import InputError
from sctp_rack.readers.choose import MAGICS

#: What a capture is called, also one of a ring buffer (`tcpdump -C`), and compressed.
CALLED = re.compile(r"\.(pcap|pcapng|cap)\d*(\.(gz|zst|lz4))?$", re.IGNORECASE)


def captures_in(paths: Iterable[str]) -> list[str]:
    """The files among `paths` as they are, and of each folder those that are captures.

    These are called so (`.pcap`, `.pcapng`, `.cap`, also compressed) or begin as pcap and pcapng
    do, in the folder and those in it, sorted. A log of packets has to be named. A folder without
    any stands for itself, so that who opens it says what is wrong.
    """
    return [capture for path in paths for capture in _meant(path)]


def no_capture(path: str) -> InputError:
    """What is wrong with a folder that stands for itself."""
    closed = not os.access(path, os.R_OK | os.X_OK)
    return InputError(f"{path}: {os.strerror(EACCES) if closed else 'no capture in this folder'}")


def is_dataset(path: str) -> bool:
    """Whether it is what `sctp-rack batch` makes; of what is closed, who opens it says so."""
    try:
        return Path(path, "table=captures").is_dir()
    except OSError:
        return False


def is_folder(path: str) -> bool:
    """Whether it is the name of one; "-" is standard input."""
    return path != STANDARD_INPUT and Path(path).is_dir()


def _meant(path: str) -> list[str]:
    return (sorted(_within(path)) or [path]) if is_folder(path) else [path]


def _within(folder: str) -> Iterator[str]:
    """As `os.walk` goes, but a file is not looked at again to know that it is one."""
    folders = [folder]
    while folders:
        with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif _is_file(entry) and (CALLED.search(entry.name) or _begins_as_one(entry.path)):
                    yield entry.path


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def _begins_as_one(file: str) -> bool:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(4) in MAGICS
    except OSError:
        return False
