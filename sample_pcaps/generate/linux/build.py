# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.generate.linux.build: builds the kernel from Debian's source.

It takes about four minutes of one processor and 2 GB of disk while it lasts; what stays, in
build/linux, has 6 MB.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from ..missing import MissingError

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[2] / "build" / "linux"
SOURCE = Path("/usr/src/linux-source-6.1.tar.xz")
VERSION = "6.1.192"  #: with which the samples were made
_TOP = "linux-source-6.1"


@cache
def kernel() -> Path:
    """The kernel, if it is built."""
    path = _path()
    if not path.exists():
        raise MissingError(
            "the Linux kernel is not built: python3 -m sample_pcaps.generate.linux.build"
        )
    return path


@cache
def root() -> Path:
    """The root of the kernel's files: the program that it runs, and where it mounts its own."""
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        raise MissingError("a C compiler is missing")
    folder = OUT / "root"
    for part in ("proc", "dev"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    flags = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-static"]
    with tempfile.TemporaryDirectory(dir=OUT) as taken:
        new = Path(taken) / "host"
        _run([compiler, *flags, *sorted(map(str, HERE.glob("*.c"))), "-o", str(new)], HERE)
        new.replace(folder / "host")  # another run may have it open
    return folder


def build(jobs: int = 2) -> Path:
    """Builds the kernel, unless it is there."""
    path = _path()
    if path.exists():
        return path
    _check()
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as taken:
        _run(["tar", "--extract", f"--file={SOURCE}"], Path(taken))
        source = Path(taken) / _TOP
        if (version := _version_of(source)) != VERSION:
            raise MissingError(f"{_TOP} is {version}; the samples are of {VERSION}")
        _run(["patch", "--strip=1", f"--input={HERE / 'kernel.patch'}"], source)
        make = ["nice", "make", "ARCH=um", f"-j{jobs}"]
        _run([*make, "tinyconfig"], source)
        merge = ["scripts/kconfig/merge_config.sh", "-m", ".config"]
        _run([*merge, str(HERE / "kernel.config")], source)
        _run([*make, "olddefconfig"], source)
        _run([*make, "linux"], source)
        _run(["strip", "linux"], source)
        shutil.copy(source / "linux", f"{path}.new")
    Path(f"{path}.new").replace(path)
    return path


def _path() -> Path:
    parts = [HERE / name for name in ("kernel.patch", "kernel.config")]
    digest = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:12]
    return OUT / f"linux-{VERSION}-{digest}"


def _check() -> None:
    tools = ("make", "gcc", "flex", "bison", "bc", "patch", "tar", "xz")
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if not SOURCE.exists():
        missing.append(_TOP)
    if missing:
        raise MissingError(f"to build the Linux kernel {', '.join(missing)} is missing")


def _version_of(source: Path) -> str:
    made = dict(re.findall(r"(?m)^([A-Z]+) = (\w+)$", (source / "Makefile").read_text()))
    return ".".join(made[part] for part in ("VERSION", "PATCHLEVEL", "SUBLEVEL"))


def _run(arguments: list[str], folder: Path) -> None:
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments[:4])} failed: {done.stdout}{done.stderr}"[-4000:])


if __name__ == "__main__":
    try:
        print(build())
    except MissingError as missing:
        sys.exit(str(missing))
