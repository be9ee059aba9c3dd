# SPDX-License-Identifier: BSD-2-Clause
"""A release is made of the last commit, whatever else lies in the folder."""

import subprocess
from pathlib import Path

import pytest

from release import archives, source


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With one commit of a file, a program and a link, and changes in no commit."""
    root = tmp_path / "repository"
    root.mkdir()
    (root / "VERSION").write_text("1.2.3\n")
    (root / "run").write_text("#!/bin/sh\n")
    (root / "run").chmod(0o755)
    (root / "link").symlink_to("run")
    identity = ["-c", "user.name=A", "-c", "user.email=a@localhost"]
    for command in (["init"], ["add", "."], [*identity, "commit", "--message", "one"]):
        subprocess.run(["git", *command], cwd=root, check=True, capture_output=True)
    (root / "VERSION").write_text("9.9.9\n")
    (root / "stray").write_text("of nobody")
    return root


def test_what_is_in_no_commit_is_not_in_it_and_is_told(repository: Path, tmp_path: Path) -> None:
    unpacked = source.unpack(tmp_path / "here", repository)
    assert unpacked.version == "1.2.3"
    assert {path.name for path in unpacked.folder.iterdir()} == {"VERSION", "run", "link"}
    assert (unpacked.folder / "run").stat().st_mode & 0o777 == 0o755
    assert (unpacked.folder / "link").readlink() == Path("run")
    assert [line.split()[1] for line in source.uncommitted(repository)] == ["VERSION", "stray"]


def test_the_source_archive_has_the_commit_s_files_and_time(
    repository: Path, tmp_path: Path
) -> None:
    unpacked = source.unpack(tmp_path / "here", repository)
    members = archives.of_tar(source.archive(unpacked, repository))
    assert set(members) == {f"sctp-rack-1.2.3/{name}" for name in ("VERSION", "run", "link")}
    assert members["sctp-rack-1.2.3/VERSION"].data == b"1.2.3\n"
    said = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=repository, capture_output=True)
    assert unpacked.epoch == int(said.stdout)
