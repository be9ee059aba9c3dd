# SPDX-License-Identifier: BSD-2-Clause
"""Which files of a ring buffer are closed: a later one is there, or nobody writes it any more.

`dumpcap -b` and `tcpdump -C`, `-G` number their files, date them, or both; digits apart, those of a
ring have the same name. The last one is closed where it has not changed for a while and no process
that can be seen has it open.
"""

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from sctp_rack.fleet.found import Found, found
from sctp_rack.many.which import captures_in, is_folder

_DIGITS = re.compile(r"\d+")


class Ring:
    """Looks at a folder again and again."""

    def __init__(self, folder: str, quiet_s: float) -> None:
        self._folder = folder
        self._quiet_ns = int(quiet_s * 1e9)
        #: What was seen of a file, and since when.
        self._seen: dict[str, tuple[Found, int]] = {}
        #: Those that were told of.
        self._told: dict[str, Found] = {}

    def closed(self, now_ns: int) -> list[Found]:
        """Files that are closed and were not told of as they are now, the oldest first."""
        names = [name for name in captures_in([self._folder]) if not is_folder(name)]
        files = [one for one in map(found, names) if one.modified_ns is not None]
        there = {one.name for one in files}
        self._seen = {name: seen for name, seen in self._seen.items() if name in there}
        self._told = {name: told for name, told in self._told.items() if name in there}
        last = {max(ring, key=_age).name for ring in _rings(files)}
        new = []
        for one in sorted(files, key=_age):
            before, since_ns = self._seen.get(one.name, (None, now_ns))
            if one != before:
                since_ns = now_ns
            self._seen[one.name] = one, since_ns
            if self._told.get(one.name) == one:
                continue
            if one.name not in last or (
                now_ns - since_ns >= self._quiet_ns and not _is_open(one.name)
            ):
                self._told[one.name] = one
                new.append(one)
        return new


def _rings(files: Iterable[Found]) -> Iterable[list[Found]]:
    rings: defaultdict[str, list[Found]] = defaultdict(list)
    for one in files:
        path = Path(one.name)
        rings[f"{path.parent}/{_DIGITS.sub('0', path.name)}"].append(one)
    return rings.values()


def _age(one: Found) -> tuple[int, list[int], str]:
    """By when it changed last, then by its numbers: files of one moment have the same time."""
    return one.modified_ns or 0, [int(part) for part in _DIGITS.findall(one.name)], one.name


def _is_open(file: str) -> bool:
    """By a process whose files can be seen; where none can, as outside of Linux, by nobody."""
    try:
        state = Path(file).stat()
    except OSError:
        return False
    return (state.st_dev, state.st_ino) in set(_open_files())


def _open_files() -> Iterator[tuple[int, int]]:
    own = str(os.getpid())
    with contextlib.suppress(OSError):
        for process in Path("/proc").iterdir():
            if not process.name.isdigit() or process.name == own:
                continue
            with contextlib.suppress(OSError):
                for descriptor in (process / "fd").iterdir():
                    with contextlib.suppress(OSError):
                        state = descriptor.stat()
                        yield state.st_dev, state.st_ino
