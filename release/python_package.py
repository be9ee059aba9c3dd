# SPDX-License-Identifier: BSD-2-Clause
"""The sdist and the wheel: built by pinned tools, with no path of the building machine in them."""

import os
import re
import subprocess
import sys
from pathlib import Path

from release import archives
from release.source import Source


def environment(source: Source) -> dict[str, str]:
    """What the compiler is told: no debug information, nor where this Python has its libraries.

    Both would be paths of this machine.
    """
    tools = str(Path(sys.executable).parent)
    compiler = os.environ.get("CC", "cc")
    return {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "CC": compiler,
        "CFLAGS": f"-g0 -ffile-prefix-map={source.folder}=.",
        "LDSHARED": f"{compiler} -shared",
        "LDFLAGS": "-Wl,--strip-all",
        "SOURCE_DATE_EPOCH": str(source.epoch),
    }


def sdist(source: Source, folder: Path) -> Path:
    """The source of the Python package, which pip builds where no wheel fits."""
    build = "from setuptools import build_meta; build_meta.build_sdist({!r})"
    _python(source, "-c", build.format(str(folder)))
    [made] = folder.glob("sctp_rack-*.tar.gz")
    made.write_bytes(archives.tar_gz(archives.of_tar(made.read_bytes()), source.epoch))
    return made


def wheel(source: Source, folder: Path) -> Path:
    """One for all CPythons from 3.11 on, named by the oldest C library that it runs with."""
    plain = folder / "plain"
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-cache-dir")
    _python(source, "-m", "pip", "wheel", *options, "--wheel-dir", str(plain), ".")
    [built] = plain.glob("*.whl")
    _python(source, "-m", "auditwheel", "repair", "--wheel-dir", str(folder), str(built))
    built.unlink()
    plain.rmdir()
    [made] = folder.glob("*.whl")
    made.write_bytes(archives.zip_file(archives.of_zip(made.read_bytes()), source.epoch))
    return made


def platform(wheel_name: str) -> str:
    """The glibc that a wheel asks for, as 2.34; empty where its name says none."""
    found = re.search(r"manylinux_(\d+)_(\d+)_", wheel_name)
    return f"{found[1]}.{found[2]}" if found else ""


def _python(source: Source, *command: str) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=source.folder,
        env=environment(source),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"release: {' '.join(command)}\n{done.stdout[-3000:]}")
