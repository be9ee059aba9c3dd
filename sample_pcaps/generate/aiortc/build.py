# SPDX-License-Identifier: BSD-2-Clause
"""Fetches aiortc, which needs no build, and says how its host is started."""

import subprocess
import sys
from pathlib import Path

from ..host import Command
from ..missing import MissingError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def library(out: Path, version: str) -> Path:
    """The folder with aiortc for this Python."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = out / f"aiortc-{version}-python-{python}"
    if not folder.exists():
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        new = folder.with_name(f"{folder.name}.new")
        into = ["--target", str(new), "--upgrade", "-r", str(HERE / "requirements.txt")]
        done = subprocess.run([*install, *into], capture_output=True, text=True)
        if done.returncode:
            raise MissingError(f"aiortc cannot be had: {done.stderr.strip()}")
        new.rename(folder)
    return folder


def command(folder: Path, words: list[str]) -> Command:
    """A host, as `host.py` starts it."""
    start = [sys.executable, "-S", "-m", __package__, *words]
    return start, {"PYTHONPATH": f"{ROOT}:{folder}", "PYTHONHASHSEED": "0"}
