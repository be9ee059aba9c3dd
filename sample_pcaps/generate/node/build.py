# SPDX-License-Identifier: BSD-2-Clause
"""Fetches the packages, which need no build, and says how their host is started."""

import hashlib
import shutil
import subprocess
from pathlib import Path

from ..host import Command
from ..missing import MissingError

HERE = Path(__file__).resolve().parent


def packages(out: Path) -> Path:
    """The folder with those that package-lock.json names, whose checksums npm checks."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise MissingError("Node.js 18 or later is missing, or its npm")
    lock = HERE / "package-lock.json"
    folder = out / f"node-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"
    if not folder.exists():
        new = folder.with_name(f"{folder.name}.new")
        new.mkdir(exist_ok=True)
        for file in (HERE / "package.json", lock):
            shutil.copy(file, new)
        fetch = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(fetch, cwd=new, capture_output=True, text=True)
        if done.returncode:
            raise MissingError(f"npm's packages cannot be had: {done.stderr.strip()}")
        new.rename(folder)
    return folder


def command(folder: Path, stack: str, words: list[str]) -> Command:
    """A host, as `host.py` starts it."""
    start = ["node", str(HERE / "host.js"), stack.replace("-", "_"), *words]
    return start, {"NODE_PATH": str(folder / "node_modules")}
