# SPDX-License-Identifier: BSD-2-Clause
"""The core as a library of which one file is built anew, and the tests that are run on it."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core"
TESTS = ROOT / "tests" / "core"
FOLDER = ROOT / "build" / "mutants"
LIBRARY = "libmutated.so"
#: What is outside an array the C tests find, which are run under the sanitizers.
BOUNDS = ("-fsanitize=bounds", "-fsanitize-undefined-trap-on-error")
OPTIONS = ("-std=c11", "-O0", "-fPIC", "-w", "-pthread", "-DSR_INVARIANTS", *BOUNDS, f"-I{CORE}")

#: They bound what the engine costs or read files in pieces, and take longer than all others.
LEFT_OUT = {"test_cost", "test_registry_limits", "test_session"}

#: Where rules are: what the judge rests on, and it.
ROOMS = ("timeline", "books", "facts", "judge", "limits")

USES_THE_JUDGE = re.compile(rf'#include "({"|".join(ROOMS)}|engine|([a-z]+_of_)?talk)')

#: So many times what a test takes it gets before it counts as endless.
PATIENCE = 20
LEAST_SECONDS = 20.0


class BrokenError(Exception):
    """The compiler refuses a file."""


@dataclass(frozen=True)
class Reach:
    """Which C tests run a line."""

    tests: dict[str, dict[int, list[str]]]

    def of(self, file: str, line: int) -> list[str]:
        """A line without code, as that of a table, is that of the nearest one below it, or else of
        all of its file."""
        lines = self.tests.get(file, {})
        for near in range(line, line + 12):
            if near in lines:
                return lines[near]
        return sorted({test for tests in lines.values() for test in tests})


def build(jobs: int) -> None:
    """Objects of the core, programs of its tests, and Python's module."""
    (FOLDER / "objects").mkdir(parents=True, exist_ok=True)
    (FOLDER / "programs").mkdir(exist_ok=True)
    headers = max(path.stat().st_mtime for path in CORE.rglob("*.h"))
    commands = []
    for path in sorted(CORE.rglob("*.c")):
        if not _is_newer(object_of(path), path, headers):
            commands.append([*_compiler(), *OPTIONS, "-c", str(path), "-o", str(object_of(path))])
    _all(commands, jobs)
    link(FOLDER / LIBRARY, {})
    headers = max(headers, *(path.stat().st_mtime for path in TESTS.glob("*.h")))
    commands = []
    for path in (TESTS / f"{name}.c" for name in programs()):
        program = FOLDER / "programs" / path.stem
        if not _is_newer(program, path, headers):
            options = [f"-L{FOLDER}", "-lmutated", "-lcmocka", "-o", str(program)]
            commands.append([*_compiler(), *OPTIONS, str(path), *options])
    _all(commands, jobs)
    build_glue()


def build_glue() -> None:
    """What lies between Python and the core."""
    made, source = FOLDER / "glue.o", FOLDER / "glue.c"
    build_core = ROOT / "analyzer" / "build_core.py"
    headers = max(path.stat().st_mtime for path in CORE.rglob("*.h"))
    if _is_newer(made, build_core, headers):
        return
    write = f"from build_core import ffi; ffi.emit_c_code({str(source)!r})"
    _run(
        [
            sys.executable,
            "-c",
            f"import sys; sys.path.insert(0, {str(build_core.parent)!r}); {write}",
        ]
    )
    include = f"-I{sysconfig.get_path('include')}"
    limited = "-DPy_LIMITED_API=0x030b0000"
    _run([*_compiler(), *OPTIONS, include, limited, "-c", source, "-o", made])


def link(library: Path, instead: dict[Path, Path], glue: bool = False) -> None:
    """The core with other objects for some of its files."""
    objects = [instead.get(path, object_of(path)) for path in sorted(CORE.rglob("*.c"))]
    more = [FOLDER / "glue.o"] if glue else []
    _run([*_compiler(), "-shared", "-pthread", *objects, *more, "-o", library])


def compile_mutant(source: str, path: Path, into: Path) -> Path:
    """The object of a changed file, which stays where its headers are found."""
    changed, made = into / path.name, into / f"{path.stem}.o"
    changed.write_text(source)
    place = f"-iquote{path.parent}"
    _run([*_compiler(), *OPTIONS, place, "-c", changed, "-o", made])
    return made


def rules(pattern: str) -> list[Path]:
    """The files of the rooms."""
    return [path for room in ROOMS for path in sorted((CORE / room).glob(pattern))]


def object_of(path: Path) -> Path:
    """Where it is kept."""
    return FOLDER / "objects" / f"{'-'.join(path.relative_to(CORE).with_suffix('').parts)}.o"


def programs() -> list[str]:
    """The C tests that may run a line of the judge."""
    return sorted(
        path.stem
        for path in TESTS.glob("test_*.c")
        if path.stem not in LEFT_OUT and USES_THE_JUDGE.search(path.read_text())
    )


def passes(program: str, library: Path, seconds: float) -> bool:
    """A C test on that library."""
    where = {"LD_LIBRARY_PATH": str(library.parent)}
    return ends_well([FOLDER / "programs" / program], where, seconds)


def ends_well(command: Sequence[str | Path], environment: dict[str, str], seconds: float) -> bool:
    """In time, with status 0. Nobody reads what it says."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def reach(jobs: int) -> Reach:
    """Built once more to count which lines each test runs."""
    folder, kept = FOLDER / "counting", FOLDER / "reach.json"
    newest = max(
        path.stat().st_mtime
        for path in (*CORE.rglob("*.[ch]"), *TESTS.glob("*.[ch]"), Path(__file__))
    )
    if kept.exists() and kept.stat().st_mtime > newest:
        stored = json.loads(kept.read_text())
        return Reach(
            {file: {int(key): on for key, on in of.items()} for file, of in stored.items()}
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    counted = {path: folder / object_of(path).name for path in rules("*.c")}
    _all(
        [
            [*_compiler(), *OPTIONS, "--coverage", "-c", str(path), "-o", str(made)]
            for path, made in counted.items()
        ],
        jobs,
    )
    objects = [counted.get(path, object_of(path)) for path in sorted(CORE.rglob("*.c"))]
    _run([*_compiler(), "-shared", "--coverage", "-pthread", *objects, "-o", folder / LIBRARY])
    tests: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for program in programs():
        for counts in folder.glob("*.gcda"):
            counts.unlink()
        if not passes(program, folder / LIBRARY, 600):
            raise BrokenError(f"{program} fails without a mutant")
        for file, line in _lines_run(folder):
            tests[file][line].append(program)
    kept.write_text(json.dumps(tests))
    return Reach(tests)


def _lines_run(folder: Path) -> list[tuple[str, int]]:
    counts = sorted(str(path) for path in folder.glob("*.gcda"))
    if not counts:
        return []
    done = subprocess.run(
        ["gcov", "--json-format", "--stdout", *counts], cwd=folder, capture_output=True, check=True
    )
    found = []
    for text in done.stdout.decode().splitlines():
        for file in json.loads(text)["files"]:
            if file["file"].endswith(".c"):
                name = Path(file["file"]).name
                found += [(name, line["line_number"]) for line in file["lines"] if line["count"]]
    return found


def _compiler() -> list[str]:
    return os.environ.get("CC", "gcc").split()


def _is_newer(made: Path, source: Path, headers: float) -> bool:
    return made.exists() and made.stat().st_mtime > max(source.stat().st_mtime, headers)


def _run(command: list[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BrokenError(done.stderr)


def _all(commands: list[list[str]], jobs: int) -> None:
    waiting = list(commands)
    running: list[subprocess.Popen[bytes]] = []
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append(subprocess.Popen(waiting.pop(0)))
        if running.pop(0).wait():
            raise BrokenError("see above")
