# SPDX-License-Identifier: BSD-2-Clause
"""Captures are read by the workers of a Dask scheduler, who see the same folders.

They leave files that do not count, and this process makes segments of them: what a worker does that
was thought to be lost counts nothing.
"""

import contextlib
import logging
import re
from collections.abc import Iterator, Mapping, Sequence

from sctp_rack.errors import MissingExtraError, SctpRackError, UsageError
from sctp_rack.fleet.dataset import Dataset, Left, Unfinished
from sctp_rack.fleet.one import Reading
from sctp_rack.fleet.rows import CaptureRow
from sctp_rack.fleet.shared import Shared
from sctp_rack.fleet.task import Task

try:
    from distributed import Client, KilledWorker, as_completed
except ModuleNotFoundError as error:
    raise MissingExtraError("--scheduler needs `pip install distributed`") from error

#: What Dask can try to reach.
_ADDRESS = re.compile(r"(\w+://)?[^/\s]+:\d+")

#: A segment that is to be: its name, and its files.
_ToBe = tuple[str, Left]


class _Remote(Dataset):
    """Leaves its segments to be committed."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.left: list[_ToBe] = []

    @contextlib.contextmanager
    def segment(
        self, name: str, replaces: Sequence[str] = (), shares: Sequence[Left] = ()
    ) -> Iterator[Unfinished]:
        files = self.unfinished(name, replaces)
        try:
            yield files
            files.close()
        except BaseException:
            files.abandon()
            raise
        self.left.append((name, Left(str(files.folder), files.tables)))


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


def read_tasks(
    client: Client, dataset: Dataset, tasks: Mapping[str, Task], reading: Reading
) -> Iterator[tuple[str, list[CaptureRow] | Shared | str]]:
    """What each task came to by its name, as it is done; how its worker ended where Dask gives it
    up, after some others were killed with it."""
    folder = str(dataset.folder.absolute())
    futures = {
        client.submit(_read, folder, task, reading, pure=False): name
        for name, task in tasks.items()
    }
    for future in as_completed(futures, loop=client.loop):
        try:
            came_to, left = future.result()
        except KilledWorker:
            yield futures[future], "the workers that read it were killed"
            continue
        for name, files in left:
            dataset.commit(name, files)
        future.release()
        yield futures[future], came_to


def _read(
    folder: str, task: Task, reading: Reading
) -> tuple[list[CaptureRow] | Shared, list[_ToBe]]:
    dataset = _Remote(folder)
    return task.carry_out(dataset, reading), dataset.left
