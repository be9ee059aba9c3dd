# SPDX-License-Identifier: BSD-2-Clause
"""The tallies of every capture of a folder: of the package, of the package without the profile of
the sender's stack, and of plain Wireshark beside them."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from sctp_rack.binding.told import STACKS

from bench.accuracy.answers import by_package, by_wireshark
from bench.accuracy.begun_later import SHARES, begun_later
from bench.accuracy.count import count
from bench.accuracy.flow import Flow, by_direction, flows
from bench.accuracy.marks import count_marks
from bench.accuracy.place import count_place
from bench.accuracy.tally import Tally, total
from bench.accuracy.truths import TAPS, Run, files_in, run_of

#: Processes that measure. Runs that are read with tshark, which is ten times as slow.
JOBS, BESIDE = 2, 300

T = TypeVar("T")


@dataclass(frozen=True)
class Measured:
    """The data of one host in one capture: what its run was, and what was said of it. A run itself
    is too much to keep."""

    name: str
    stack: str
    sender: str  #: the stack alone, without its version
    receiver: str
    encapsulation: str
    ip_id: str
    captured_at: str  #: the tap, named after the ends of the main data flow
    tap: str  #: the same as seen from this host
    package: Tally
    wireshark: Tally | None = None
    unknown: Tally | None = None  #: without the profile of the sender's stack


def measure(folder: Path, beside: int = BESIDE, unknown: bool = True) -> list[Measured]:
    """Every run of `folder` at each of its taps, so many of them beside Wireshark."""
    paths = files_in(folder)
    asked = [(path, is_among(at, len(paths), beside)) for at, path in enumerate(paths)]
    return _each(partial(_measured, unknown=unknown), asked)


def measure_begun_later(folder: Path) -> list[Measured]:
    """The same runs without their beginnings, by the package; those over DTLS need theirs."""
    return _each(_measured_later, files_in(folder))


def tally_of_package(run: Run, tap: str) -> Tally:
    """Of the data of both hosts in one capture."""
    return total([tally for _, tally in tallies_of_package(run, tap)])


def tallies_of_package(
    run: Run, tap: str, without: tuple[str, ...] = ()
) -> list[tuple[Flow, Tally]]:
    """Rows, the place of the tap and, of the main data flow at its sender, marks."""
    transmissions, marks, paths = by_package(run, tap, without)
    rows, found = by_direction(run, tap, transmissions), []
    for flow in flows(run, tap):
        tally = count(run, tap, rows[flow.direction], flow.direction)
        tally.add(count_place(flow, paths, transmissions))
        if tap == flow.tap == "sender" and run.profile is not None and not without:
            tally.add(count_marks(run, marks))
        found.append((flow, tally))
    return found


def is_among(at: int, of: int, chosen: int) -> bool:
    """So many of all, as far apart as can be."""
    return at * chosen // of != (at - 1) * chosen // of if at else chosen > 0


def together(measured: list[Measured]) -> Tally:
    """The package's tallies added up."""
    return total([one.package for one in measured])


def _each(of: Callable[[T], list[Measured]], asked: list[T]) -> list[Measured]:
    """In the order of what is asked, whichever process is sooner."""
    with get_context("spawn").Pool(min(JOBS, max(len(asked), 1))) as pool:
        return [one for found in pool.imap(of, asked, chunksize=4) for one in found]


def _measured(asked: tuple[Path, bool], unknown: bool) -> list[Measured]:
    path, beside = asked
    run = run_of(path)
    return [one for tap in TAPS for one in _at(run, tap, beside, unknown)]


def _at(run: Run, tap: str, beside: bool, unknown: bool) -> Iterator[Measured]:
    said = by_direction(run, tap, list(by_wireshark(run, tap)) if beside else [])
    known = tallies_of_package(run, tap)
    left_out = _left_out(run, tap, {flow.run.sender for flow, _ in known}) if unknown else {}
    for flow, package in known:
        way = flow.direction
        wireshark = count(run, tap, said[way], way) if beside else None
        yield _of(flow, package, wireshark, left_out.get(way))


def _left_out(run: Run, tap: str, senders: set[str]) -> dict[str, Tally]:
    """Of each direction whose sender is a known stack, as if that were not known."""
    return {
        flow.direction: tally
        for sender in senders & set(STACKS)
        for flow, tally in tallies_of_package(run, tap, (sender,))
        if flow.run.sender == sender
    }


def _measured_later(path: Path) -> list[Measured]:
    return list(_begun_later(run_of(path)))


def _begun_later(run: Run) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory() as written:
        for share in SHARES if run.keylog is None else ():
            later = begun_later(run, share, Path(written))
            for tap in TAPS:
                for flow, tally in tallies_of_package(later, tap):
                    yield _of(flow, tally)


def _of(flow: Flow, package: Tally, *others: Tally | None) -> Measured:
    run = flow.run
    return Measured(
        run.name,
        run.stack,
        run.sender,
        run.receiver,
        run.encapsulation,
        run.ip_id,
        flow.captured_at,
        flow.tap,
        package,
        *others,
    )
