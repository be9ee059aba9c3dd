# SPDX-License-Identifier: BSD-2-Clause
"""Writes all that users download of the last commit into dist/sctp-rack-VERSION, or into FOLDER.

Each file has the same bytes each time that the same commit is released with the same tools.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from release import archives, notes, plugin, python_package, sbom, source, web_page
from release.source import Source

#: As Wireshark names the profile.
PROFILE = "SCTP loss recovery"


def release(made_of: Source, folder: Path) -> list[str]:
    """All files; returns what could not be built here, and why."""
    version, not_built = f"sctp-rack-{made_of.version}", []

    def put(name: str, data: bytes) -> None:
        (folder / name).write_bytes(data)
        print(f"{len(data):>10,} {name}", flush=True)

    put(f"{version}-source.tar.gz", source.archive(made_of))
    put("sctp_rack.lua", (made_of.folder / "lua/sctp_rack.lua").read_bytes())
    put(f"{version}-wireshark-profile.zip", profile(made_of))
    for each in plugin.plugins(made_of):
        if isinstance(each, str):
            not_built.append(each)
        else:
            put(*plugin.archive(each, made_of))
    with tempfile.TemporaryDirectory() as made:
        for build in (python_package.sdist, python_package.wheel):
            path = build(made_of, Path(made))
            put(path.name, path.read_bytes())
        built = web_page.page(made_of, path)
    if isinstance(built, str):
        not_built.append(built)
    else:
        put("sctp-rack.html", built)
    put(f"{version}.cdx.json", sbom.text(made_of, sorted(folder.iterdir())).encode())
    names = [path.name for path in folder.iterdir()]
    put("release-notes.md", notes.text(made_of, names, not_built).encode())
    put("SHA256SUMS", archives.checksums(folder).encode())
    return not_built


def profile(made_of: Source) -> bytes:
    """What Wireshark imports: a folder that is named as the profile."""
    files = {f"{PROFILE}/{path.name}": path for path in (made_of.folder / "lua/profile").iterdir()}
    return archives.zip_file(archives.of_files(files), made_of.epoch)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument("--to", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    os.umask(0o022)
    if changed := source.uncommitted():
        print(f"not in it, as in no commit: {len(changed)} changed files", file=sys.stderr)
    with tempfile.TemporaryDirectory() as unpacked:
        made_of = source.unpack(Path(unpacked))
        folder = options.to or source.ROOT / "dist" / f"sctp-rack-{made_of.version}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for line in release(made_of, folder):
            print(f"not built: {line}", file=sys.stderr)
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
