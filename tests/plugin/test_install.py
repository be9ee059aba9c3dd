# SPDX-License-Identifier: BSD-2-Clause
"""dissector/install.sh finds the folder of the installed Wireshark, or says what is missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.captures import ROOT
from tests.plugin.wireshark import PLUGIN, Wireshark, build


@pytest.fixture
def without_plugin() -> Wireshark:
    """A Wireshark whose home holds the script and the plugin beside each other."""
    bare = Wireshark(None)
    for path in (build(), ROOT / "dissector" / "install.sh"):
        shutil.copy(path, bare.home)
        (bare.home / path.name).chmod(0o755)
    return bare


def test_it_goes_to_the_own_folder_and_is_loaded(without_plugin: Wireshark) -> None:
    said = without_plugin.run("sh", "install.sh", ".")

    installed = Path(said.split()[1])
    assert installed.is_relative_to(without_plugin.home)
    assert installed.read_bytes() == PLUGIN.read_bytes()
    assert f"{installed}" in without_plugin.run("tshark", "-G", "plugins")
    without_plugin.close()


def test_a_plugin_that_is_not_loaded_is_named(without_plugin: Wireshark) -> None:
    (without_plugin.home / PLUGIN.name).write_bytes(b"no plugin")
    done = without_plugin.process("sh", "install.sh", ".")
    assert done.returncode == 1
    assert "does not load it" in done.stderr
    without_plugin.close()


def test_a_missing_wireshark_is_named(without_plugin: Wireshark) -> None:
    shell = shutil.which("sh")
    assert shell
    done = subprocess.run(
        [shell, "install.sh", "."],
        cwd=without_plugin.home,
        env={**os.environ, "PATH": "/nonexistent"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "install Wireshark" in done.stderr
    without_plugin.close()
