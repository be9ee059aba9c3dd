# SPDX-License-Identifier: BSD-2-Clause
"""Which source a release is made of: the last commit's files, and its time for all that has one."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from release import archives

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Source:
    """A commit, unpacked into a folder."""

    folder: Path
    version: str
    commit: str
    epoch: int


def unpack(folder: Path, root: Path = ROOT) -> Source:
    """The last commit's files in that folder."""
    for name, member in archives.of_tar(_git(root, "archive", "HEAD")).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if member.link:
            path.symlink_to(member.link)
            continue
        path.write_bytes(member.data)
        path.chmod(0o755 if member.executable else 0o644)
    commit, epoch = _git(root, "log", "-1", "--format=%H %ct").decode().split()
    return Source(folder, (folder / "VERSION").read_text().strip(), commit, int(epoch))


def uncommitted(root: Path = ROOT) -> list[str]:
    """What is changed here and in no commit."""
    return _git(root, "status", "--porcelain").decode().splitlines()


def archive(source: Source, root: Path = ROOT) -> bytes:
    """All of it, which the licence of the plugin asks to be offered beside it."""
    members = archives.of_tar(_git(root, "archive", source.commit))
    folder = f"sctp-rack-{source.version}"
    return archives.tar_gz({f"{folder}/{name}": m for name, m in members.items()}, source.epoch)


def _git(root: Path, *command: str) -> bytes:
    return subprocess.run(["git", *command], cwd=root, stdout=subprocess.PIPE, check=True).stdout
