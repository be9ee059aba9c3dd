# SPDX-License-Identifier: BSD-2-Clause
"""Archives whose bytes depend on names and contents alone: one order, one time, no owner."""

import gzip
import hashlib
import io
import tarfile
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Member:
    """A file of an archive, or what a link points to."""

    data: bytes
    executable: bool = False
    link: str = ""


Members = Mapping[str, Member]


def of_files(files: Mapping[str, Path]) -> dict[str, Member]:
    """Files as members of those names."""
    return {
        name: Member(path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for name, path in files.items()
    }


def of_tar(data: bytes) -> dict[str, Member]:
    """The files of a tar, compressed or not."""
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        found = {}
        for entry in tar:
            if entry.issym():
                found[entry.name] = Member(b"", link=entry.linkname)
            elif entry.isfile():
                content = tar.extractfile(entry)
                assert content is not None
                found[entry.name] = Member(content.read(), bool(entry.mode & 0o100))
        return found


def of_zip(data: bytes) -> dict[str, Member]:
    """The files of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {
            entry.filename: Member(packed.read(entry), bool(entry.external_attr >> 16 & 0o100))
            for entry in packed.infolist()
            if not entry.is_dir()
        }


def tar_gz(members: Members, epoch: int) -> bytes:
    """As .tar.gz."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, member in sorted(members.items()):
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.mode = epoch, 0o755 if member.executable else 0o644
            if member.link:
                entry.type, entry.linkname = tarfile.SYMTYPE, member.link
            else:
                entry.size = len(member.data)
            tar.addfile(entry, io.BytesIO(member.data))
    return gzip.compress(packed.getvalue(), 9, mtime=0)


def zip_file(members: Members, epoch: int) -> bytes:
    """As .zip; a wheel's RECORD comes last, as pip wants it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in sorted(members.items(), key=lambda item: (_is_record(item[0]), item)):
            entry = zipfile.ZipInfo(name, time.gmtime(max(epoch, _FIRST_ZIP_TIME))[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose modes follow
            entry.external_attr = (0o100755 if member.executable else 0o100644) << 16
            archive.writestr(entry, member.data)
    return packed.getvalue()


def _is_record(name: str) -> bool:
    return name.endswith(".dist-info/RECORD")


#: 1980-01-01, before which a zip knows no time.
_FIRST_ZIP_TIME = 315532800


def checksums(folder: Path) -> str:
    """SHA256SUMS of the files of a folder, as `sha256sum --check` reads it."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
        if path.name != "SHA256SUMS"
    )
