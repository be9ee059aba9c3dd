# SPDX-License-Identifier: BSD-2-Clause
"""Decides how tshark runs with the drop-in; SCTP_RACK_TSHARK names another one, with its options.

From Wireshark 4.4 on no user scripts run as root, so that root runs tshark as nobody.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.captures import ROOT
from tests.lua.lua_model import DROP_IN

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
LIMIT_S = 300

#: Where no compiled plugin is found: beside one the drop-in stands aside.
ALONE = "WIRESHARK_PLUGIN_DIR=/nonexistent"
PROFILE = ROOT / "lua" / "profile"


def command() -> list[str]:
    """Return how tshark is called."""
    return shlex.split(os.environ.get("SCTP_RACK_TSHARK", "tshark"))


@cache
def version() -> tuple[int, int]:
    """Return major and minor version; without tshark the test is skipped."""
    if shutil.which(command()[0]) is None:
        pytest.skip("tshark is not installed: apt-get install tshark")
    said = subprocess.run([*command(), "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"(\d+)\.(\d+)\.\d+", said.stdout)
    assert found, said.stdout
    return int(found[1]), int(found[2])


def tshark(
    capture: Path,
    *options: str,
    script: Path | None = DROP_IN,
    before: Path | None = None,
    with_profile: bool = False,
    complains: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run tshark over a capture with the drop-in, and a script before it, to its end.

    What the drop-in complains of fails, unless it is to complain.
    """
    version()
    with tempfile.TemporaryDirectory(prefix="sctp-rack-lua-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        scripts = [_readable(home, each) for each in (before, script) if each]
        loads = [word for each in scripts for word in ("-X", f"lua_script:{each}")]
        if with_profile:
            _install_profile(home)
            options = ("-C", "sctp", *options)
        words = [_with_copy(home, word) for word in options]
        done = subprocess.run(
            [
                *(NOBODY if os.getuid() == 0 else []),
                *("env", ALONE, f"HOME={home}", *command()),
                *("-r", str(_readable(home, capture)), *loads, *words),
            ],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    if complains:
        return done
    assert "Lua" not in done.stderr and "lua" not in done.stderr.replace("sctp_rack.lua stands", "")
    return done


def ring_buffer(capture: Path, packets: int, *options: str) -> str:
    """Return what tshark prints that reads a capture from a pipe into files of so many packets."""
    version()
    with tempfile.TemporaryDirectory(prefix="sctp-rack-lua-") as folder:
        home = Path(folder)
        home.chmod(0o777)
        piped = home / "piped.pcap"
        subprocess.run(["editcap", "-F", "pcap", capture, piped], check=True)
        as_nobody = NOBODY if os.getuid() == 0 else []
        ring = ("-i", "-", "-b", f"packets:{packets}", "-w", str(home / "ring.pcapng"))
        loads = ("-X", f"lua_script:{_readable(home, DROP_IN)}")
        words = [*as_nobody, "env", ALONE, f"HOME={home}", *command(), *ring, *loads, *options]
        with piped.open("rb") as stream:
            done = subprocess.run(
                words, stdin=stream, capture_output=True, text=True, timeout=LIMIT_S, check=True
            )
    return done.stdout


def glossary(what: str) -> str:
    """Return what `tshark -G` prints where the drop-in is in the folder of personal plugins."""
    version()
    with tempfile.TemporaryDirectory(prefix="sctp-rack-lua-") as folder:
        home = Path(folder)
        plugins = home / ".local" / "lib" / "wireshark" / "plugins"
        plugins.mkdir(parents=True)
        _readable(plugins, DROP_IN)
        for path in (home, *plugins.parents, plugins):
            if home in (path, *path.parents):
                path.chmod(0o755)
        as_nobody = NOBODY if os.getuid() == 0 else []
        words = [*as_nobody, "env", ALONE, f"HOME={home}", *command(), "-G", what]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def judged(capture: Path, *options: str) -> list[dict[str, Any]]:
    """Return the associations of a capture, as the drop-in prints them for programs."""
    done = tshark(capture, "-q", "-X", "lua_script1:json", *options)
    return [json.loads(line) for line in done.stdout.splitlines()]


def fields(capture: Path, display_filter: str, *names: str) -> list[list[str]]:
    """Return the values of fields on the frames that a filter finds, in two passes."""
    named = [word for name in names for word in ("-e", name)]
    options = ("-2", "-Y", display_filter, "-T", "fields", *named)
    return [line.split("\t") for line in tshark(capture, *options).stdout.splitlines()]


def _with_copy(home: Path, word: str) -> str:
    """An argument `…::PATH` names a file: a copy of it is given."""
    before, colons, path = word.partition("::")
    return f"{before}:{_readable(home, Path(path))}" if colons and Path(path).exists() else word


def _install_profile(home: Path) -> None:
    folder = home / ".config" / "wireshark" / "profiles" / "sctp"
    shutil.copytree(PROFILE, folder)
    for path in (folder, *list(folder.parents)[:3]):
        path.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)


def _readable(home: Path, path: Path) -> Path:
    copy = home / path.name
    shutil.copy(path, copy)
    copy.chmod(0o644)
    return copy
