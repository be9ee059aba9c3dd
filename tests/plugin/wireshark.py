# SPDX-License-Identifier: BSD-2-Clause
"""A tshark that loads the plugin: built for the installed Wireshark, in a home folder of its own.

Wireshark as root loads no personal plugins, so that root runs it as nobody.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.captures import ROOT

BUILD = ROOT / "build" / "plugin"
PLUGIN = BUILD / "sctp_rack.so"
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

#: How long any tshark here may take: a hang is a failure.
LIMIT_S = 300


def build(folder: Path = BUILD, *options: str) -> Path:
    """Builds the plugin and returns it; tests of another process wait."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in (
            ["cmake", "-S", str(ROOT / "dissector"), "-B", str(folder), *options],
            ["cmake", "--build", str(folder), "--parallel", "2"],
        ):
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
    return folder / "sctp_rack.so"


class Wireshark:
    """Runs Wireshark's programs with the plugin; `home` is a folder that anybody can read."""

    def __init__(self, plugin: Path | None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sctp-rack-test-")
        self.home = Path(self._folder.name)
        self.home.chmod(0o777)
        if plugin is not None:
            self.install(plugin)

    def install(self, plugin: Path) -> None:
        """Puts the plugin where the installed version looks for it."""
        said = subprocess.run(["tshark", "--version"], capture_output=True, text=True).stdout
        version = re.search(r"(\d+\.\d+)\.\d+", said)
        assert version, said
        folder = self.home / ".local" / "lib" / "wireshark" / "plugins" / version[1] / "epan"
        folder.mkdir(parents=True)
        shutil.copy(plugin, folder)
        for path in (*folder.parents, folder, folder / plugin.name):
            if self.home in path.parents:
                path.chmod(0o755)

    def capture(self, path: Path) -> Path:
        """A copy of the capture that this tshark may read."""
        copy = self.home / path.name
        if not copy.exists():
            shutil.copy(path, copy)
            copy.chmod(0o644)
        return copy

    def run(self, *command: str, expect: Sequence[int] = (0,)) -> str:
        """What the program prints; fails where it does not end with one of `expect`."""
        done = self.process(*command)
        assert done.returncode in expect, (command, done.returncode, done.stderr[-2000:])
        return done.stdout

    def process(self, *command: str, **options: str) -> subprocess.CompletedProcess[str]:
        """Runs it to its end."""
        environment = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "PATH": os.environ["PATH"],
            "LC_ALL": "C.UTF-8",
            **options,
        }
        as_nobody = NOBODY if os.getuid() == 0 else []
        return subprocess.run(
            [*as_nobody, *command],
            capture_output=True,
            text=True,
            env=environment,
            cwd=self.home,
            timeout=LIMIT_S,
        )

    def tshark(self, path: Path, *options: str) -> str:
        """What tshark prints of a capture."""
        return self.run("tshark", "-r", str(self.capture(path)), *options)

    def close(self) -> None:
        """Removes the home folder."""
        self._folder.cleanup()
