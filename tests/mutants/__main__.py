# SPDX-License-Identifier: BSD-2-Clause
"""python -m tests.mutants: are wrong changes of the judge's rules found?

Changes one place of the judge, or of what it rests on, at a time, builds that file anew, and runs
the C tests that reach the line; where they pass, what the samples and the vectors say. Ends with 1
where a mutant survives that survivors.toml does not list.
"""

import argparse
import shutil
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.mutants import build
from tests.mutants.listed import listed
from tests.mutants.mutations import Mutant, mutants_of, sample, words_of

#: It checks what the rules have made, and makes nothing.
NO_RULES = {"invariants.c"}

#: What the C tests do not find, these may, in this order.
PYTHON = (
    "tests/samples/test_columns.py",
    "tests/judged",
    "tests/samples/test_expected.py::test_the_engine_gives_the_golden_rows",
)
PYTHON_SECONDS = 300.0


@dataclass(frozen=True)
class Fate:
    """Who found a mutant; `by` is empty where nobody did."""

    mutant: Mutant
    by: str
    seconds: float


class Bench:
    """Tries one mutant after the other; several may be at work side by side."""

    def __init__(
        self,
        folder: Path,
        reach: build.Reach,
        usual: dict[str, float],
        found: Counter[str],
        python: bool,
    ) -> None:
        self._folder = folder
        self._reach = reach
        self._usual = usual
        self._python = python
        self._found = found
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def fate(self, mutant: Mutant) -> Fate:
        """Built and tested."""
        begun = time.monotonic()
        return Fate(mutant, self._found_by(mutant), time.monotonic() - begun)

    def _found_by(self, mutant: Mutant) -> str:
        path = next(path for path in build.rules("*.c") if path.name == mutant.file)
        try:
            changed = build.compile_mutant(mutant.applied(path.read_text()), path, self._folder)
        except build.BrokenError:
            return "the compiler"
        library = self._folder / build.LIBRARY
        build.link(library, {path: changed})
        tests = [one for one in self._reach.of(mutant.file, mutant.line) if one in self._usual]
        for test in sorted(tests, key=lambda one: (-self._found[one], self._usual[one])):
            patience = max(build.LEAST_SECONDS, build.PATIENCE * self._usual[test])
            if not build.passes(test, library, patience):
                self._found[test] += 1  # it is asked first from now on
                return test
        if not self._python:
            return ""
        core = self._folder / "_core.abi3.so"
        build.link(core, {path: changed}, glue=True)
        return "" if python_passes(core) else "Python"


def python_passes(core: Path) -> bool:
    """The tests in Python on that core."""
    environment = {"SCTP_RACK_MUTATED_CORE": str(core), "HYPOTHESIS_DATABASE_FILE": ":memory:"}
    tests = [test for test in PYTHON if (build.ROOT / test.split("::")[0]).exists()]
    options = ["-p", "tests.mutants.with_core", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not long", *options, *tests]
    return build.ends_well(command, environment, PYTHON_SECONDS)


def all_mutants(files: list[str]) -> list[Mutant]:
    """Of these files of the judge, or of all."""
    words = words_of((build.CORE / "names.h").read_text())
    for header in build.rules("*.h"):
        words |= words_of(header.read_text())
    found = []
    for path in build.rules("*.c"):
        if path.name not in NO_RULES and (not files or path.name in files):
            found += mutants_of(path.name, path.read_text(), words)
    return found


def try_all(mutants: list[Mutant], jobs: int, python: bool) -> list[Fate]:
    """In their order."""
    build.build(jobs)
    reach = build.reach(jobs)
    usual = {}
    for test in build.programs():
        begun = time.monotonic()
        build.passes(test, build.FOLDER / build.LIBRARY, 600)
        usual[test] = time.monotonic() - begun
    core = build.FOLDER / "whole" / "_core.abi3.so"
    core.parent.mkdir(exist_ok=True)
    build.link(core, {}, glue=True)
    if python and not python_passes(core):
        raise build.BrokenError("tests in Python fail without a mutant")
    benches: SimpleQueue[Bench] = SimpleQueue()
    found: Counter[str] = Counter()
    for job in range(jobs):
        benches.put(Bench(build.FOLDER / f"bench{job}", reach, usual, found, python))

    def fate(mutant: Mutant) -> Fate:
        bench = benches.get()
        try:
            return bench.fate(mutant)
        finally:
            benches.put(bench)

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(fate, mutants))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many of all (300); 0: all")
    parser.add_argument("--seed", type=int, default=1, help="which (1)")
    parser.add_argument("--file", action="append", default=[], help="like fit.c")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--c-only", action="store_true", help="without the tests in Python")
    parser.add_argument("--list", action="store_true", help="show the mutants, and try none")
    said = parser.parse_args()
    mutants = all_mutants(said.file)
    if 0 < said.count < len(mutants):
        mutants = sample(mutants, said.count, said.seed)
    known = listed()
    wanted = [mutant for mutant in mutants if not known.reason(mutant)]
    if said.list:
        print("\n".join(map(str, wanted)))
        return 0
    fates = try_all(wanted, said.jobs, not said.c_only)
    built = [fate for fate in fates if fate.by != "the compiler"]
    left = [fate for fate in built if not fate.by]
    for fate in left:
        print(fate.mutant)
    finders = Counter(fate.by for fate in built if fate.by)
    print(", ".join(f"{test} {count}" for test, count in finders.most_common()))
    share = (len(built) - len(left)) / max(len(built), 1)
    print(
        f"{len(built)} mutants, {len(built) - len(left)} found ({share:.1%}), {len(left)} not; "
        f"{len(mutants) - len(wanted)} more are in survivors.toml"
    )
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
