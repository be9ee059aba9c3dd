# SPDX-License-Identifier: BSD-2-Clause
"""Archives depend on names and contents alone."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

from release import archives
from release.archives import Member

MEMBERS = {
    "b/run": Member(b"#!/bin/sh\n", executable=True),
    "a": Member(b"text"),
    "b/link": Member(b"", link="run"),
}
FILES = {name: member for name, member in MEMBERS.items() if not member.link}
EPOCH = 1_700_000_000


def test_order_does_not_matter() -> None:
    turned = dict(reversed(MEMBERS.items()))
    assert archives.tar_gz(MEMBERS, EPOCH) == archives.tar_gz(turned, EPOCH)
    assert archives.zip_file(FILES, EPOCH) == archives.zip_file(
        dict(reversed(FILES.items())), EPOCH
    )


def test_what_goes_in_comes_out() -> None:
    assert archives.of_tar(archives.tar_gz(MEMBERS, EPOCH)) == MEMBERS
    assert archives.of_zip(archives.zip_file(FILES, EPOCH)) == FILES


def test_times_and_owners_of_files_are_left_out(tmp_path: Path) -> None:
    packed = []
    for day in (1, 2):
        path = tmp_path / "one"
        path.write_text("same")
        os.utime(path, (day * 86400, day * 86400))
        members = archives.of_files({"one": path})
        packed.append((archives.tar_gz(members, EPOCH), archives.zip_file(members, EPOCH)))
    assert packed[0] == packed[1]
    with tarfile.open(fileobj=io.BytesIO(packed[0][0])) as tar:
        [entry] = tar
    assert (entry.mtime, entry.uid, entry.gid, entry.uname) == (EPOCH, 0, 0, "")
    assert packed[0][0][4:8] == bytes(4)  # gzip's own time


def test_the_record_of_a_wheel_comes_last() -> None:
    members = {"x.dist-info/RECORD": Member(b""), "z.py": Member(b"")}
    with zipfile.ZipFile(io.BytesIO(archives.zip_file(members, EPOCH))) as packed:
        assert packed.namelist() == ["z.py", "x.dist-info/RECORD"]


def test_a_commit_before_zips_know_time_is_packed() -> None:
    assert archives.of_zip(archives.zip_file(FILES, 0)) == FILES


def test_checksums_are_of_all_files_but_themselves(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "SHA256SUMS").write_text("old")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert archives.checksums(tmp_path) == f"{empty}  empty\n"
