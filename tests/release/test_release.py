# SPDX-License-Identifier: BSD-2-Clause
"""`make release` writes the same bytes twice, and what it writes installs and runs.

It releases the last commit, twice, from folders of different names.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from release import archives, plugin, source
from tests.analyzer.test_wheel import Environment
from tests.captures import ROOT, SAMPLE

pytestmark = pytest.mark.long

VERSION = (ROOT / "VERSION").read_text().strip()

if not (ROOT / ".git").exists():
    pytest.skip("a release is made of a commit", allow_module_level=True)


#: What tells of the other files.
TELLING = {"SHA256SUMS", "release-notes.md", f"sctp-rack-{VERSION}.cdx.json"}
#: `release` for the installed Wireshark alone.
HERE_ALONE = """
import sys
from release import chroots
from release.__main__ import main
chroots.RELEASES.clear()
sys.exit(main())
"""


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two releases of the last commit, the second without the plugins of other releases."""
    folders = [tmp_path_factory.mktemp("one") / "out", tmp_path_factory.mktemp("another") / "out"]
    for how, folder in zip((["-m", "release"], ["-c", HERE_ALONE]), folders, strict=True):
        command = [sys.executable, *how, "--to", str(folder)]
        subprocess.run(command, cwd=ROOT, check=True)
    return folders


@pytest.fixture
def folder(twice: list[Path]) -> Path:
    """One of them."""
    return twice[0]


def test_twice_the_same_bytes(twice: list[Path]) -> None:
    one, other = ({path.name: path.read_bytes() for path in each.iterdir()} for each in twice)
    again = other.keys() - TELLING
    assert len(again) >= 6 and again <= set(one)
    assert [name for name in again if one[name] != other[name]] == []


def test_every_file_is_there_and_has_its_checksum(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert {
        f"sctp_rack-{VERSION}.tar.gz",
        f"sctp-rack-{VERSION}-source.tar.gz",
        f"sctp-rack-{VERSION}-wireshark-profile.zip",
        f"sctp-rack-{VERSION}.cdx.json",
        *("sctp_rack.lua", "sctp-rack.html", "release-notes.md", "SHA256SUMS"),
    } <= names
    assert len([name for name in names if name.endswith(".whl") and "-cp311-abi3-" in name]) == 1
    assert any("-wireshark-4." in name for name in names)
    done = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder)
    assert done.returncode == 0
    assert len((folder / "SHA256SUMS").read_text().splitlines()) == len(names) - 1


def test_no_path_of_this_machine_is_in_what_is_compiled(folder: Path) -> None:
    [wheel] = folder.glob("*.whl")
    compiled = {
        name: member.data
        for name, member in archives.of_zip(wheel.read_bytes()).items()
        if name.endswith(".so")
    }
    for path in folder.glob("*-wireshark-*.tar.gz"):
        members = archives.of_tar(path.read_bytes())
        compiled |= {name: each.data for name, each in members.items() if name.endswith(".so")}
    page = (folder / "sctp-rack.html").read_bytes()
    compiled["page"] = re.sub(rb"// node_modules/[\w-]+/src/", b"", page)  # names in packages
    assert len(compiled) >= 3
    for name, data in compiled.items():
        for where in (str(ROOT), str(Path.home()), f"{sys.base_prefix}/lib", "/tmp/", "/src/"):
            assert where.encode() not in data, (name, where)


def test_a_plugin_says_the_glibc_that_it_needs(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*-wireshark-*.tar.gz"):
        members = {Path(n).name: m for n, m in archives.of_tar(path.read_bytes()).items()}
        library = tmp_path / path.name
        library.write_bytes(members["sctp_rack.so"].data)
        said = members["built-for"].data.decode().splitlines()[-1]
        assert said == f"glibc {plugin.glibc(library)}"


def test_the_wheel_runs_in_an_empty_environment(folder: Path, tmp_path: Path) -> None:
    [wheel] = folder.glob("*.whl")
    said = Environment(tmp_path, wheel).run("sctp-rack", "analyze", str(SAMPLE)).stdout
    assert b"9 of 30 retransmissions were spurious" in said


def test_the_source_archive_is_the_commit(folder: Path, tmp_path: Path) -> None:
    [packed] = folder.glob("*-source.tar.gz")
    members = archives.of_tar(packed.read_bytes())
    assert len({name.split("/")[0] for name in members}) == 1
    unpacked = source.unpack(tmp_path)
    names = {name.split("/", 1)[1] for name in members}
    assert names == {
        str(path.relative_to(unpacked.folder))
        for path in unpacked.folder.rglob("*")
        if path.is_file() or path.is_symlink()
    }
