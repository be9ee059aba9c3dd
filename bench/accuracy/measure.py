# SPDX-License-Identifier: BSD-2-Clause
"""The tallies of every capture of a folder: of the package, and of plain Wireshark beside it."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.accuracy.answers import by_package, by_wireshark
from bench.accuracy.begun_later import SHARES, begun_later
from bench.accuracy.count import count
from bench.accuracy.marks import count_marks
from bench.accuracy.place import count_place
from bench.accuracy.tally import Tally, total
from bench.accuracy.truths import TAPS, Run, runs_in


@dataclass(frozen=True)
class Measured:
    """One capture."""

    run: Run
    tap: str
    package: Tally
    wireshark: Tally | None


def measure(folder: Path, with_wireshark: bool = True) -> list[Measured]:
    """Every run of `folder` at each of its taps."""
    found = []
    for run in runs_in(folder):
        for tap in TAPS:
            package = tally_of_package(run, tap)
            beside = count(run, tap, by_wireshark(run, tap)) if with_wireshark else None
            found.append(Measured(run, tap, package, beside))
    return found


def measure_begun_later(folder: Path) -> list[Measured]:
    """The same runs without their beginnings, by the package; those over DTLS need theirs."""
    found = []
    with tempfile.TemporaryDirectory() as written:
        for run in runs_in(folder):
            for share in SHARES if run.keylog is None else ():
                later = begun_later(run, share, Path(written))
                for tap in TAPS:
                    found.append(Measured(later, tap, tally_of_package(later, tap), None))
    return found


def tally_of_package(run: Run, tap: str) -> Tally:
    """Rows, the place of the tap and, at the sender's tap, marks."""
    transmissions, marks, paths = by_package(run, tap)
    tally = count(run, tap, transmissions)
    tally.add(count_place(run, tap, paths, transmissions))
    if tap == "sender" and run.profile is not None:
        tally.add(count_marks(run, marks))
    return tally


def together(measured: list[Measured]) -> Tally:
    """The package's tallies added up."""
    return total([one.package for one in measured])
