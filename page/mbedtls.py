# SPDX-License-Identifier: BSD-2-Clause
"""Where the page's ciphers come from: mbedTLS, of which Debian has the source, by its checksum.

It is fetched once. What is kept in build/ are the files of the ciphers alone; docs/dtls.md says why
it is this library.
"""

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "2.28.3"
#: Of Debian's source package: Debian changes nothing in it (3.0 (quilt) without a patch).
ARCHIVE = f"mbedtls_{VERSION}.orig.tar.gz"
SHA256 = "3b4953aa55a681e084d31892d9904cc5328d6b4958ea57b90ae4b4f94ae69a8d"
#: Its release, of which every Debian since has the key.
_SUITE = "bookworm"

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"

#: Ciphers, what they share, and hashes; page/core/mbedtls_config.h says what of them is compiled.
_FILES = frozenset(
    (
        *("aes", "gcm", "ccm", "chacha20", "poly1305", "chachapoly", "cipher", "cipher_wrap"),
        *("md", "md5", "sha1", "sha256", "sha512", "constant_time", "platform_util"),
    )
)


def source() -> Path:
    """The folder that has `library/` and `include/`."""
    folder = BUILD / f"mbedtls-{VERSION}"
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "mbedtls.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            archive = BUILD / ARCHIVE
            if not archive.exists():
                _fetch(archive)
            _unpack(archive, folder)
    return folder


def _unpack(archive: Path, folder: Path) -> None:
    if (found := hashlib.sha256(archive.read_bytes()).hexdigest()) != SHA256:
        sys.exit(f"{archive} is another file than that of Debian: SHA-256 {found}, not {SHA256}")
    made = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(made, ignore_errors=True)
    with tarfile.open(archive) as packed:
        for member in packed:
            path = Path(*Path(member.name).parts[1:])
            if member.isfile() and _is_wanted(path) and (content := packed.extractfile(member)):
                (made / path).parent.mkdir(parents=True, exist_ok=True)
                (made / path).write_bytes(content.read())
    made.rename(folder)


def _is_wanted(path: Path) -> bool:
    if path.parts[0] == "library":
        return path.suffix == ".h" or (path.suffix == ".c" and path.stem in _FILES)
    return path.parts[0] == "include" and path.suffix == ".h"


def _fetch(archive: Path) -> None:
    """By apt with a list of its own, from the machine's mirror: nobody has to be root for it."""
    wanted = f"build/{ARCHIVE} is missing, the source of the page's ciphers"
    if not shutil.which("apt-get"):
        sys.exit(f"{wanted}: Debian's apt-get would fetch it")
    if not (mirror := _mirror()):
        sys.exit(f"{wanted}: no mirror of Debian is among the sources of apt")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in ("parts", "lists/partial", "cache/archives/partial"):
            (folder / path).mkdir(parents=True)
        (folder / "list").write_text(f"deb-src {mirror} {_SUITE} main\n")
        own = {
            "Dir::Etc::SourceList": folder / "list",
            "Dir::Etc::SourceParts": folder / "parts",
            "Dir::State::Lists": folder / "lists",
            "Dir::Cache": folder / "cache",
            "APT::Sandbox::User": "",  # the folder is nobody else's
        }
        options = [word for key, value in own.items() for word in ("-o", f"{key}={value}")]
        for command in (
            ["update"],
            ["source", "--download-only", "--tar-only", f"mbedtls/{_SUITE}"],
        ):
            said = ["apt-get", "--quiet", *options, *command]
            done = subprocess.run(
                said, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            if done.returncode:
                sys.exit(f"{wanted}:\n{done.stdout[-2000:]}")
        shutil.move(folder / ARCHIVE, archive)


def _mirror(configured: Path = Path("/etc/apt")) -> str | None:
    """What apt is set up to ask; apt itself tells it only where it has lists already."""
    for path in (configured / "sources.list", *sorted((configured / "sources.list.d").glob("*"))):
        lines = path.read_text().splitlines() if path.is_file() else []
        for line in lines:
            if found := re.search(r"^[^#]*?\b(https?://\S+/debian)/?(?:\s|$)", line):
                return found[1]
    return None


if __name__ == "__main__":
    print(source().relative_to(ROOT))
