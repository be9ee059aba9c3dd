# SPDX-License-Identifier: BSD-2-Clause
"""Which captures are not in the dataset as they are now, and how all of them come into it."""

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from sctp_rack.fleet.dataset import Dataset, Segment
from sctp_rack.fleet.found import Found
from sctp_rack.fleet.merge import TOGETHER as MERGED
from sctp_rack.fleet.merge import merge, to_merge
from sctp_rack.fleet.one import Reading, row_of, without_rows
from sctp_rack.fleet.rows import FAILED, CaptureRow
from sctp_rack.fleet.shared import Shared, put_together, shares
from sctp_rack.fleet.task import Task
from sctp_rack.many.workers import in_order

#: Captures that are read as one, and their bytes. Files are made, and waited for by fsync, once for
#: all of them: 800 short ones take 7.3 s of processors by 64, 5.6 by 192.
_TOGETHER, _LARGE = 192, 12 << 20

#: Near the end they are fewer, so that no process waits long for the last of another.
_AT_THE_END = 8


#: Of a row of `captures`, what says whether it is to be read again.
_KNOWN = ["capture", "key", "status"]


@dataclass(frozen=True)
class Plan:
    """What there is to do."""

    captures: list[Found]
    #: Of the rows that are there, those that are to go, by their segment.
    stale: list[tuple[Segment, list[str]]]
    #: Of captures that were asked for and are there already, their status.
    done: list[str]


def plan(dataset: Dataset, captures: Sequence[Found], reading: Reading) -> Plan:
    """Captures that changed, that are read otherwise now, or failed, are done again."""
    keys = {one.text: reading.key(one) for one in captures}
    stale: defaultdict[str, list[str]] = defaultdict(list)
    segments, done = dict[str, Segment](), dict[str, str]()
    for row, segment in dataset.captures(_KNOWN) if dataset.is_there else ():
        name = row["capture"]
        if name not in keys:
            continue
        if row["key"] == keys[name] and row["status"] != FAILED:
            done[name] = row["status"]
        else:
            stale[segment.id].append(name)
            segments[segment.id] = segment
    return Plan(
        [one for one in captures if one.text not in done],
        [(segments[name], names) for name, names in stale.items()],
        list(done.values()),
    )


def carry_out(
    dataset: Dataset, to_do: Plan, reading: Reading, jobs: int, client: Any = None
) -> Generator[CaptureRow]:
    """What each capture came to, while it is `dataset.writing()`; a `client` of Dask reads them.

    Old rows go first, so that no capture is ever there twice. Raises what `read_some` raises.
    """
    for segment, names in to_do.stale:
        merge(dataset, [segment], names)
    processes = jobs if client is None else sum(client.nthreads().values())
    tasks = _tasks(to_do.captures, processes, reading)
    # Each process then has segments to merge.
    while some := list(islice(tasks, MERGED * max(1, processes))):
        yield from _read(dataset, some, reading, jobs, client)
        _merge_all(dataset, jobs)


def _read(
    dataset: Dataset, some: Sequence[list[Task]], reading: Reading, jobs: int, client: Any
) -> Iterator[CaptureRow]:
    """Those whose process was killed before they were there are tried once more, each alone."""

    def each(tasks: dict[str, Task]) -> Iterator[tuple[str, list[CaptureRow] | Shared | str]]:
        if client is not None:
            from sctp_rack.fleet.scheduler import read_tasks

            return read_tasks(client, dataset, tasks, reading)
        return _each(lambda name: tasks[name].carry_out(dataset, reading), list(tasks), jobs)

    tasks = {str(at): task for at, task in enumerate(task for tasks in some for task in tasks)}
    killed = list[Found]()
    shared: defaultdict[Found, list[Shared | None]] = defaultdict(list)
    for name, came_to in each(tasks):
        captures, share = tasks[name].captures, tasks[name].share
        if share is not None:
            parts = shared[captures[0]]
            parts.append(came_to if isinstance(came_to, Shared) else None)
            came_to = []
            if len(parts) == share[1]:
                row = put_together(dataset, parts)
                came_to = "" if row is None else [row]
        if isinstance(came_to, list):
            yield from came_to
        else:
            killed += captures
    there = dict[str, CaptureRow]()
    if killed:
        of_key = {row["key"]: CaptureRow(**row) for row, _ in dataset.captures()}
        keys = {one.name: reading.key(one) for one in killed}
        there = {name: of_key[key] for name, key in keys.items() if key in of_key}
        yield from there.values()
    alone = {one.name: Task([one]) for one in killed if one.name not in there}
    for name, came_to in each(alone):
        if isinstance(came_to, list):
            yield from came_to
            continue
        row = row_of(alone[name].captures[0], reading, FAILED, f"{name}: {came_to}")
        without_rows(dataset, row)
        yield row


def _tasks(captures: Sequence[Found], processes: int, reading: Reading) -> Iterator[list[Task]]:
    """Those of a segment: a huge capture is shared by all processes, where the others leave them
    nothing to do."""
    left = sum(one.bytes or 0 for one in captures)
    for group in _grouped(captures, processes):
        parts = shares(group[0], processes, left, reading) if len(group) == 1 else 1
        if parts == 1:
            yield [Task(group)]
        else:
            yield [Task(group, (part, parts)) for part in range(parts)]
        left -= sum(one.bytes or 0 for one in group)


def _grouped(captures: Sequence[Found], processes: int) -> Iterator[list[Found]]:
    """Small ones together, so that not each makes files of its own; a large one is alone.

    Several processes take some groups each, the last of which are short.
    """
    share = 2 * max(1, processes)
    few = min(_AT_THE_END, 1 + len(captures) // share)
    group, size = list[Found](), 0
    for at, one in enumerate(captures):
        bytes_ = _LARGE if one.bytes is None else one.bytes
        left = len(captures) - at + len(group)
        most = _TOGETHER if processes == 1 else min(_TOGETHER, max(few, 1 + left // share))
        if group and (size + bytes_ > _LARGE or len(group) >= most):
            yield group
            group, size = [], 0
        group.append(one)
        size += bytes_
    if group:
        yield group


def _merge_all(dataset: Dataset, jobs: int) -> None:
    while groups := {some[0].id: some for some in to_merge(dataset.segments())}:

        def work(name: str, groups: dict[str, list[Segment]] = groups) -> None:
            merge(dataset, groups[name])

        if any(how is not None for _, how in list(_each(work, list(groups), jobs))):
            dataset.sweep()  # a process was killed, which may have been done all the same
            jobs = 1


def _each(work: Callable[[str], Any], names: Sequence[str], jobs: int) -> Iterator[tuple[str, Any]]:
    """What it comes to by name, in order; a text where a process ended of itself: how."""
    if jobs == 1:
        for name in names:
            yield name, work(name)
        return

    def with_output(name: str, _output: BinaryIO) -> Any:
        return work(name)

    with closing(in_order(with_output, names, jobs, lambda _name, why: why)) as done:
        for name, (result, _) in zip(names, done, strict=True):
            yield name, result
