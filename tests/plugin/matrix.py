#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Builds the plugin for the Wireshark of later Debian releases and compares what it shows there.

The releases are installed into build/matrix by mmdebstrap, once, which takes root and a mirror;
where there is none of them this says so and ends well. In each the plugin is built from this
source, loaded by an unprivileged tshark, and bundled captures must show the exported rows: every
second in the one release, those between in the other.
The Lua drop-in must say there what it says here.
"""

from __future__ import annotations

import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from release.chroots import FOLDER, RELEASES, build, inside, install, missing
from tests.captures import COLLECTION, ROOT, bundled, collection
from tests.lua import in_release
from tests.plugin.painted_rows import TABLES, exported, rows_of_pdml
from tests.plugin.test_equal_rows import assert_equal_tables, at


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
    captures = _captures()[list(RELEASES).index(root.name) :: len(RELEASES)]
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
    for tap, word in (("sctp_rack,findings", "warning  "), ("sctp_rack,limits", "application")):
        said = inside(root, "tshark", "-r", sample, "-q", "-z", tap)
        assert word in said, (tap, said)
    in_release.refuse_misspelt_words(root, inside, ("tshark", "-2", "-r", sample))
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


def compared(release: str) -> str:
    """What was compared in a release, or why it was not; ends where something differs."""
    start = time.monotonic()
    root = install(release, RELEASES[release])
    if root is None:
        return f"{release}: skipped, it cannot be installed (see {FOLDER / release}.log)"
    build(root, ROOT)
    inside(root, "cmake", "--install", "/src/build", as_root=True)
    captures_inside(root)
    judged = in_release.compare(root, inside)
    in_release.beside_the_plugin(root, inside)
    version = inside(root, "tshark", "--version").splitlines()[0].rstrip(".")
    assert "sctp_rack.so" in inside(root, "tshark", "-G", "plugins")
    count = compare(root)
    look_around(root)
    took = f"{time.monotonic() - start:.0f} s"
    return f"{release}: {version}: {count} captures, {judged} in Lua, {took}"


def main() -> int:
    """Both releases beside each other."""
    reason = missing()
    if reason:
        print(f"matrix: skipped, {reason}")
        return 0
    with ProcessPoolExecutor(len(RELEASES)) as pool:
        for said in pool.map(compared, RELEASES):
            print(said, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
