# SPDX-License-Identifier: BSD-2-Clause
"""install.sh of a plugin archive refuses what the plugin was not built for, in one line."""

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from release import plugin
from release.plugin import Plugin
from release.source import Source
from tests.plugin.wireshark import NOBODY, Wireshark, build

#: Answers as tshark of 4.0 does; it loads whatever is there.
TSHARK = """#!/bin/sh
case "$*" in
"-G folders") printf '%s Plugins:\\t%s\\n' Personal "$HOME/own/4.0" Global "$HOME/all/4.0" ;;
"-G plugins") echo "sctp_rack.so" ;;
*) echo "TShark (Wireshark) 4.0.17 (Git v4.0.17 packaged as 4.0.17-0)." ;;
esac
"""
MACHINE = os.uname().machine


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that anybody may write into."""
    with tempfile.TemporaryDirectory(prefix="sctp-rack-test-") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


class Unpacked:
    """An archive unpacked, beside a double of the named program."""

    def __init__(self, folder: Path, source: Source, built: Plugin, program: str) -> None:
        name, data = plugin.archive(built, source)
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            tar.extractall(folder, filter="data")
        self.home, self.installer = folder, folder / name.split("-linux")[0] / "install.sh"
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / program).write_text(TSHARK)
        (bin_folder / program).chmod(0o755)
        tools = ("cat", "dirname", "getconf", "grep", "head", "id", "install", "mkdir", "sed")
        for tool in (*tools, "sh", "sort", "uname"):
            found = shutil.which(tool)
            assert found
            (bin_folder / tool).symlink_to(found)

    def run(self, as_root: bool = False) -> subprocess.CompletedProcess[str]:
        """The installer, with nothing but the double."""
        as_nobody = []
        if os.getuid() == 0 and not as_root:
            as_nobody = [str(shutil.which(NOBODY[0])), *NOBODY[1:]]
        path = {"PATH": str(self.home / "bin"), "HOME": str(self.home)}
        command = [*as_nobody, str(self.home / "bin" / "sh"), str(self.installer)]
        return subprocess.run(command, cwd="/", env=path, capture_output=True, text=True)

    def installed(self) -> list[Path]:
        """Plugins anywhere below home but in the archive."""
        found = self.home.rglob("epan/sctp_rack.so")
        return [path.relative_to(self.home) for path in found]


def test_its_own_version_is_installed(home: Path, source: Source) -> None:
    unpacked = Unpacked(home, source, Plugin(b"so", "4.0", MACHINE, "2.2.5"), "tshark")
    done = unpacked.run()
    assert (done.returncode, done.stderr) == (0, "")
    [installed] = unpacked.installed()
    assert str(installed) in done.stdout


@pytest.mark.parametrize(
    ("built", "why"),
    [
        (("4.4", MACHINE, "2.2.5"), "this plugin is for Wireshark 4.4, installed is 4.0"),
        (("4.0", "pdp11", "2.2.5"), f"this plugin is for pdp11, this is {MACHINE}"),
        (("4.0", MACHINE, "2.999"), "this plugin needs glibc 2.999, installed is 2."),
    ],
)
def test_what_it_was_not_built_for_is_refused(
    home: Path, source: Source, built: tuple[str, str, str], why: str
) -> None:
    unpacked = Unpacked(home, source, Plugin(b"so", *built), "tshark")
    done = unpacked.run()
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(why) and line.endswith("nothing is changed")
    assert unpacked.installed() == []


def test_wireshark_without_tshark_will_do(home: Path, source: Source) -> None:
    unpacked = Unpacked(home, source, Plugin(b"so", "4.0", MACHINE, "2.2.5"), "wireshark")
    if os.getuid() == 0:
        done = unpacked.run(as_root=True)
        assert done.returncode == 1
        assert done.stderr.startswith("only tshark says where plugins for everybody go")
    done = unpacked.run()
    assert (done.returncode, done.stderr) == (0, "")
    own = Path(".local/lib/wireshark/plugins/4.0/epan/sctp_rack.so")
    assert unpacked.installed() == [own]


def test_what_an_archive_says_is_what_its_plugin_asks_for(source: Source) -> None:
    built = build()
    needs = plugin.glibc(built)
    name, data = plugin.archive(Plugin(built.read_bytes(), "4.0", MACHINE, needs), source)
    assert name == f"sctp-rack-0.1.0-wireshark-4.0-linux-{MACHINE}.tar.gz"
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        assert [Path(entry.name).name for entry in tar] == [
            *("BSD-2-Clause.txt", "GPL-2.0-or-later.txt"),
            *("built-for", "install.sh", "sctp_rack.so"),
        ]
        assert tar.getmember("sctp-rack-0.1.0-wireshark-4.0/install.sh").mode == 0o755
        said = tar.extractfile("sctp-rack-0.1.0-wireshark-4.0/built-for")
        assert said and said.read().decode().splitlines()[-1] == f"glibc {needs}"
    asked = subprocess.run(["objdump", "-T", built], capture_output=True, text=True).stdout
    assert f"GLIBC_{needs})" in asked


def test_an_archive_for_the_installed_wireshark_is_loaded(source: Source) -> None:
    bare = Wireshark(None)
    said = bare.run("tshark", "--version")
    built, version = build(), said.split()[2].rsplit(".", 1)[0]
    name, data = plugin.archive(
        Plugin(built.read_bytes(), version, MACHINE, plugin.glibc(built)), source
    )
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        tar.extractall(bare.home, filter="data")
    installer = f"{name.split('-linux')[0]}/install.sh"
    assert "epan/sctp_rack.so" in bare.run("sh", installer)
    assert "sctp_rack.so" in bare.run("tshark", "-G", "plugins")
    bare.close()
