# SPDX-License-Identifier: BSD-2-Clause
"""Debian releases with a later Wireshark, below build/matrix, and the plugin built in them.

They are installed by mmdebstrap, once, which takes root and a mirror.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RELEASES = {"trixie": [], "forky": ['--aptopt=Acquire::Check-Valid-Until "false"']}
PACKAGES = "tshark,wireshark-dev,gcc,libc6-dev,cmake,make,pkg-config,python3-minimal,libglib2.0-dev"
FOLDER = ROOT / "build" / "matrix"

#: What the plugin is built from.
SOURCES = ("core", "dissector", "VERSION")


def missing() -> str | None:
    """Why no release can be installed."""
    if os.getuid() != 0:
        return "chroots need root"
    if not shutil.which("mmdebstrap"):
        return "mmdebstrap is not installed (Debian: apt install mmdebstrap)"
    return None


def install(release: str, options: list[str]) -> Path | None:
    """The release's root folder; None where no mirror can be reached."""
    root = FOLDER / release
    if (root / "usr" / "bin" / "tshark").exists():
        return root
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(root, ignore_errors=True)
    command = ["mmdebstrap", "--variant=apt", "--mode=root", f"--include={PACKAGES}"]
    log = FOLDER / f"{release}.log"
    with log.open("wb") as out:
        done = subprocess.run(
            [*command, *options, release, str(root)], stdout=out, stderr=subprocess.STDOUT
        )
    if done.returncode == 0:
        return root
    shutil.rmtree(root, ignore_errors=True)
    return None


def inside(root: Path, *command: str, as_root: bool = False) -> str:
    """What a command prints in the release; it must end well."""
    who = [] if as_root else ["--userspec=65534:65534", "--groups="]
    environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"]
    done = subprocess.run(
        ["chroot", *who, str(root), *environment, *command], capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{root.name}: {' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def build(root: Path, source: Path, *options: str) -> Path:
    """The plugin of that source, built in /src/build of the release."""
    folder = root / "src"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in SOURCES:
        path = source / name
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, folder / name)
    prefix = "-DCMAKE_INSTALL_PREFIX=/usr"
    for command in (
        ["cmake", "-S", "/src/dissector", "-B", "/src/build", prefix, *options],
        ["cmake", "--build", "/src/build", "--parallel", "2"],
    ):
        inside(root, *command, as_root=True)
    return folder / "build" / "sctp_rack.so"
