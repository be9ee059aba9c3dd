# SPDX-License-Identifier: BSD-2-Clause
"""Which files of a folder are the dataset, whatever was killed while they were written.

A segment has the rows of some captures, a file `table=NAME/ID.parquet` for each table that has any,
or several `ID-N.parquet` where processes have shared a capture among them.
That of `captures` is renamed into place last, and without it the others do not count. It names the
segments that this one replaces, which do not count any more from that moment on.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sctp_rack.commands.signals import held
from sctp_rack.errors import InputError, UsageError
from sctp_rack.fleet.rows import NAMES, schema

import pyarrow as pa  # isort: skip, behind what says how to install it
import pyarrow.parquet as pq  # isort: skip

#: In a row group.
ROWS = 65536

_LAST = "captures"
_REPLACES = b"sctp-rack replaces"
_UNFINISHED = "_unfinished"
#: Between the name of a segment and the number of a share.
_SHARE = "-"
_LOCK = "_lock"

#: Seconds in which processes of a call that was killed are gone.
_PATIENCE_S = 10.0

#: What is written as numbers has no dictionary that is smaller.
_REPEATING = [
    field.name for name in NAMES for field in schema(name) if pa.types.is_string(field.type)
]


class Left(NamedTuple):
    """Files that are on the disk in a folder, one for each of the tables, and do not count yet."""

    folder: str
    tables: list[str]

    def abandon(self) -> None:
        """What was not renamed goes."""
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True)
class Segment:
    """Files of the dataset by their table."""

    id: str
    files: dict[str, list[Path]]
    captures: int

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for some in self.files.values() for file in some)


class Dataset:
    """The one in a folder."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    @property
    def is_there(self) -> bool:
        return self._of(_LAST).is_dir()

    def check(self) -> None:
        """Raises `InputError` where there is none."""
        try:
            if self.is_there:
                return
        except OSError as error:
            raise InputError(f"{self.folder}: {error.strerror}") from error
        raise InputError(f"{self.folder}: no dataset of sctp-rack batch")

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """For one process at a time and those that it forks; what was left unfinished goes.

        The folder is made, and goes again where nothing came into it. Raises `UsageError`.
        """
        made = self._make()
        try:
            with (self.folder / _LOCK).open("wb") as lock:
                self._wait_for(lock)
                self.sweep()
                yield
        except OSError as error:
            if isinstance(error, PermissionError | IsADirectoryError):
                raise UsageError(f"{self.folder}: {error.strerror}") from error
            raise
        finally:
            with held(), contextlib.suppress(OSError):
                shutil.rmtree(self.folder / _UNFINISHED, ignore_errors=True)
                if made and not self.is_there:
                    (self.folder / _LOCK).unlink()
                    self.folder.rmdir()

    def segments(self) -> list[Segment]:
        """Those that count, in the order of their names."""
        about = {}
        for file in self._of(_LAST).glob("*.parquet"):
            with contextlib.suppress(pa.ArrowInvalid):  # as a disk that lost it has it: no segment
                about[file.stem] = pq.read_metadata(file)
        gone = {name for one in about.values() for name in _replaced(one)}
        files: dict[str, dict[str, list[Path]]] = {name: {} for name in about}
        for table in NAMES:
            for file in sorted(self._of(table).glob("*.parquet")):
                if (name := _segment_of(file)) in files:
                    files[name].setdefault(table, []).append(file)
        return [
            Segment(name, files[name], about[name].num_rows)
            for name in sorted(about)
            if name not in gone
        ]

    def captures(
        self, columns: list[str] | None = None
    ) -> Iterator[tuple[dict[str, Any], Segment]]:
        """Rows of `captures`, or these columns of them, each with the segment that it is in."""
        for segment in self.segments():
            # Not `read_table`, which loads more than all the rest where there is pandas.
            with pq.ParquetFile(segment.files[_LAST][0]) as file:
                rows = file.read(columns).to_pylist()
            for row in rows:
                yield row, segment

    @contextlib.contextmanager
    def segment(
        self, name: str, replaces: Sequence[str] = (), shares: Sequence[Left] = ()
    ) -> Iterator["Unfinished"]:
        """Files that become a segment as a whole, or nothing at all, with those of `shares`."""
        files = self.unfinished(name, replaces)
        try:
            yield files
            files.close()
            self.commit(name, Left(str(files.folder), files.tables), shares)
        finally:
            files.abandon()
            for one in shares:
                one.abandon()

    def unfinished(self, name: str, replaces: Sequence[str] = ()) -> "Unfinished":
        """Files of a segment that does not count yet."""
        within = self.folder / _UNFINISHED
        within.mkdir(exist_ok=True)
        return Unfinished(Path(tempfile.mkdtemp(prefix=f"{name}-", dir=within)), replaces)

    def commit(self, name: str, left: Left, shares: Sequence[Left] = ()) -> None:
        """Files that are on the disk are a segment."""
        with held():
            for number, share in enumerate(shares):
                self._take(f"{name}{_SHARE}{number}", share)
            self._take(name, left)

    def _take(self, stem: str, left: Left) -> None:
        for table in sorted(left.tables, key=_LAST.__eq__):
            self._of(table).mkdir(exist_ok=True)
            Path(left.folder, f"{table}.parquet").rename(self._of(table) / f"{stem}.parquet")
            _sync(self._of(table))

    def remove(self, names: Sequence[str]) -> None:
        """Segments do not count any more, and their files go."""
        gone = set(names)
        for table in sorted(NAMES, key=_LAST.__ne__):
            for file in self._of(table).glob("*.parquet"):
                if _segment_of(file) in gone:
                    file.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Files that do not count go; no other process may write meanwhile."""
        shutil.rmtree(self.folder / _UNFINISHED, ignore_errors=True)
        live = {segment.id for segment in self.segments()}
        everything = {
            _segment_of(file) for name in NAMES for file in self._of(name).glob("*.parquet")
        }
        self.remove(sorted(everything - live))

    def _of(self, table: str) -> Path:
        return self.folder / f"table={table}"

    def _make(self) -> bool:
        """Whether there was none. Raises `UsageError` for a folder of something else."""
        try:
            made = not self.folder.exists()
            self.folder.mkdir(exist_ok=True)
            others = {file.name for file in self.folder.iterdir()} - {_LOCK, _UNFINISHED}
        except OSError as error:
            raise UsageError(f"{self.folder}: {error.strerror}") from error
        if others and not self.is_there and not (self.folder / _LOCK).exists():
            raise UsageError(f"{self.folder}: there is something else in it: name another folder")
        return made

    def _wait_for(self, lock: BinaryIO) -> None:
        """Processes that were forked have it, too, until they are gone."""
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError as error:
                if time.monotonic() > end:
                    why = f"{self.folder}: another sctp-rack writes it"
                    raise UsageError(why) from error
                time.sleep(0.05)


class Unfinished:
    """A segment that is being written: rows of a table make its file."""

    def __init__(self, folder: Path, replaces: Sequence[str]) -> None:
        self.folder = folder
        self._replaces = json.dumps(list(replaces)).encode()
        self._open: dict[str, tuple[BinaryIO, Any]] = {}

    @property
    def tables(self) -> list[str]:
        return list(self._open)

    def write(self, table: str, rows: Any) -> None:
        """A table of Arrow, as a row group."""
        if table not in self._open:
            file = (self.folder / f"{table}.parquet").open("wb")
            told = schema(table).with_metadata({_REPLACES: self._replaces})
            writer = pq.ParquetWriter(
                file,
                told if table == _LAST else schema(table),
                compression="zstd",
                use_dictionary=[name for name in _REPEATING if name in schema(table).names],
            )
            self._open[table] = file, writer
        self._open[table][1].write_table(rows, row_group_size=ROWS)

    def forget(self) -> None:
        """Nothing was written."""
        for file, writer in self._open.values():
            writer.is_open = False  # else it would be closed when it is collected
            with contextlib.suppress(OSError):
                file.close()
        self._open.clear()

    def close(self) -> None:
        """All is on the disk."""
        for file, writer in self._open.values():
            writer.close()
            file.flush()
            os.fsync(file.fileno())
            file.close()

    def abandon(self) -> None:
        """What was not renamed goes."""
        with held():
            self.forget()
            shutil.rmtree(self.folder, ignore_errors=True)


def together(keys: Iterable[str]) -> str:
    """The name of a segment that is made of these."""
    return hashlib.sha256("\n".join(keys).encode()).hexdigest()[:24]


def _segment_of(file: Path) -> str:
    return file.stem.partition(_SHARE)[0]


def _replaced(about: Any) -> list[str]:
    told = (about.metadata or {}).get(_REPLACES)
    return list(json.loads(told)) if told else []


def _sync(folder: Path) -> None:
    """What was renamed into it stays so."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
