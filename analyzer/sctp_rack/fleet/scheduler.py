# SPDX-License-Identifier: BSD-2-Clause
"""Captures are read by the workers of a Dask scheduler, who see the same folders.

They leave files that do not count, and this process makes segments of them: what a worker does that
was thought to be lost counts nothing.
"""

import contextlib
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sctp_rack.errors import MissingExtraError, SctpRackError, UsageError
from sctp_rack.fleet.dataset import Dataset, Unfinished
from sctp_rack.fleet.found import Found
from sctp_rack.fleet.one import Reading, read_some
from sctp_rack.fleet.rows import CaptureRow

try:
    from distributed import Client, KilledWorker, as_completed
except ModuleNotFoundError as error:
    raise MissingExtraError("--scheduler needs `pip install distributed`") from error

#: What Dask can try to reach.
_ADDRESS = re.compile(r"(\w+://)?[^/\s]+:\d+")

#: A segment that is to be: its name, and the folder and the tables of its files.
_Left = tuple[str, str, list[str]]


class _Remote(Dataset):
    """Leaves its segments to be committed."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.left: list[_Left] = []

    @contextlib.contextmanager
    def segment(self, name: str, replaces: Sequence[str] = ()) -> Iterator[Unfinished]:
        files = self.unfinished(name, replaces)
        try:
            yield files
            files.close()
        except BaseException:
            files.abandon()
            raise
        self.left.append((name, str(files.folder), files.tables))


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """Raises `UsageError` for what is no address, `SctpRackError` where there is no scheduler."""
    if not _ADDRESS.fullmatch(address):
        raise UsageError(f"--scheduler {address}: no address as tcp://HOST:8786")
    logging.getLogger("distributed").setLevel(logging.ERROR)  # of workers that are lost
    try:
        client = Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SctpRackError(f"{address}: no Dask scheduler answers") from error
    with client:
        yield client


def read_groups(
    client: Client, dataset: Dataset, groups: Mapping[str, Sequence[Found]], reading: Reading
) -> Iterator[tuple[str, list[CaptureRow] | str]]:
    """Of each group by its name what its captures came to, as it is done; how its worker ended
    where Dask gives it up, after some others were killed with it."""
    folder = str(dataset.folder.absolute())
    futures = {
        client.submit(_read, folder, list(some), reading, pure=False): name
        for name, some in groups.items()
    }
    for future in as_completed(futures, loop=client.loop):
        try:
            rows, left = future.result()
        except KilledWorker:
            yield futures[future], "the workers that read it were killed"
            continue
        for name, where, tables in left:
            dataset.commit(name, Path(where), tables)
        future.release()
        yield futures[future], rows


def _read(
    folder: str, captures: Sequence[Found], reading: Reading
) -> tuple[list[CaptureRow], list[_Left]]:
    dataset = _Remote(folder)
    return list(read_some(dataset, captures, reading)), dataset.left
