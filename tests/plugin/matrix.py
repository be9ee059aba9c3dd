#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Builds the plugin for the Wireshark of later Debian releases and compares what it shows there.

The releases are installed into build/matrix by mmdebstrap, once, which takes root and a mirror;
where there is none of them this says so and ends well. In each the plugin is built from this
source, loaded by an unprivileged tshark, and every bundled capture must show the exported rows.
The Lua drop-in must say there what it says here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.captures import COLLECTION, ROOT, bundled, collection
from tests.lua import in_release
from tests.plugin.painted_rows import TABLES, exported, rows_of_pdml
from tests.plugin.test_equal_rows import assert_equal_tables, at

RELEASES = {"trixie": [], "forky": ['--aptopt=Acquire::Check-Valid-Until "false"']}
PACKAGES = "tshark,wireshark-dev,gcc,libc6-dev,cmake,make,pkg-config,python3-minimal,libglib2.0-dev"
FOLDER = ROOT / "build" / "matrix"
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


def build(root: Path) -> None:
    source = root / "src"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    for name in SOURCES:
        path = ROOT / name
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, source / name)
    for command in (
        ["cmake", "-S", "/src/dissector", "-B", "/src/build", "-DCMAKE_INSTALL_PREFIX=/usr"],
        ["cmake", "--build", "/src/build", "--parallel", "2"],
        ["cmake", "--install", "/src/build"],
    ):
        inside(root, *command, as_root=True)


def captures_inside(root: Path) -> None:
    """Where the release sees them."""
    folder = root / "captures"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for capture in _captures():
        shutil.copy(capture, folder)
        (folder / capture.name).chmod(0o644)


def _captures() -> list[Path]:
    return [*bundled(), *collection("wild")]


def compare(root: Path) -> int:
    """How many captures show the exported rows; ends where one does not."""
    captures = _captures()
    for capture in captures:
        rows = exported(capture)
        tshark = ("tshark", "-r", f"/captures/{capture.name}", "-T", "pdml", "-J", "sctp_rack")
        assert_equal_tables(rows_of_pdml(inside(root, *tshark, "-2")), rows, TABLES)
        shown, known = rows_of_pdml(inside(root, *tshark)), ("transmissions", "sacks")
        assert_equal_tables(
            {table: at(table, shown[table]) for table in known},
            {table: at(table, rows[table]) for table in known},
            known,
        )
    return len(captures)


def look_around(root: Path) -> None:
    """Statistics, expert infos and DTLS are there too."""
    sample = "/captures/usr_ge_nrsack.sender.pcapng"
    for tap in ("sctp_rack,stat", "sctp_rack,tree", "expert,note"):
        said = inside(root, "tshark", "-2", "-r", sample, "-q", "-z", tap)
        assert "spurious" in said or "not needed" in said, (tap, said)
    if COLLECTION.is_dir():
        names = "pion_dtls.sender.pcapng", "pion_dtls.keylog"
        for name in names:
            shutil.copy(COLLECTION / "truth" / name, root / "captures")
            (root / "captures" / name).chmod(0o644)
        keys = ("-o", f"tls.keylog_file:/captures/{names[1]}")
        shown = inside(
            root, "tshark", "-2", "-r", f"/captures/{names[0]}", *keys, "-Y", "sctp_rack"
        )
        assert shown


def main() -> int:
    """Each release in turn."""
    reason = missing()
    if reason:
        print(f"matrix: skipped, {reason}")
        return 0
    for release, options in RELEASES.items():
        start = time.monotonic()
        root = install(release, options)
        if root is None:
            print(f"{release}: skipped, it cannot be installed (see {FOLDER / release}.log)")
            continue
        build(root)
        captures_inside(root)
        judged = in_release.compare(root, inside)
        in_release.beside_the_plugin(root, inside)
        version = inside(root, "tshark", "--version").splitlines()[0].rstrip(".")
        assert "sctp_rack.so" in inside(root, "tshark", "-G", "plugins")
        count = compare(root)
        look_around(root)
        took = f"{time.monotonic() - start:.0f} s"
        print(f"{release}: {version}: {count} captures, {judged} in Lua, {took}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
