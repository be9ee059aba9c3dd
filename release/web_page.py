# SPDX-License-Identifier: BSD-2-Clause
"""The page that needs no install: of the release's own source and wheel, or why it is not built."""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from page import mbedtls
from release.source import ROOT, Source


def page(source: Source, wheel: Path) -> bytes | str:
    """What to say where what builds it is missing: the layout of rows is that of the wheel."""
    if (archive := ROOT / "build" / mbedtls.ARCHIVE).exists():  # else it is fetched once more
        (source.folder / "build").mkdir(exist_ok=True)
        shutil.copy(archive, source.folder / "build")
    if not shutil.which("clang") or not shutil.which("wasm-ld"):
        return "the page: clang or lld is missing (.ci/need page)"
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "page.html")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder)
        paths = os.pathsep.join((folder, str(source.folder)))
        command = [sys.executable, "-m", "page.build", "--to", str(output)]
        done = subprocess.run(
            command,
            cwd=source.folder,
            env={**os.environ, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"release: {' '.join(command)}\n{done.stdout[-3000:]}")
        return output.read_bytes()
