# SPDX-License-Identifier: BSD-2-Clause
"""The Wireshark plugin, for each minor version that can be built here, with what installs it."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from release import archives, chroots
from release.source import Source


@dataclass(frozen=True)
class Plugin:
    """What it was built for."""

    library: bytes
    wireshark: str
    machine: str
    glibc: str

    @property
    def built_for(self) -> str:
        """What install.sh compares with what is installed."""
        return f"wireshark {self.wireshark}\nmachine {self.machine}\nglibc {self.glibc}\n"


def plugins(source: Source) -> Iterator[Plugin | str]:
    """One for each minor version in reach; where one cannot be built, why."""
    yield _for_this_system(source)
    reason = chroots.missing()
    for release, options in chroots.RELEASES.items():
        root = None if reason else chroots.install(release, options)
        if root is None:
            yield f"Debian {release}: {reason or 'it cannot be installed'}"
            continue
        built = chroots.build(root, source.folder, *_options("/src"))
        said = chroots.inside(root, "tshark", "--version")
        yield _plugin(built, said)


def archive(plugin: Plugin, source: Source) -> tuple[str, bytes]:
    """Its name and bytes."""
    version = f"sctp-rack-{source.version}-wireshark-{plugin.wireshark}"
    licences = {
        f"{version}/{path.name}": path
        for path in sorted((source.folder / "LICENSES").iterdir())
        if path.stem != "Apache-2.0"  # of OpenSSL, which is in the wheel alone
    }
    members = {
        f"{version}/sctp_rack.so": archives.Member(plugin.library),
        f"{version}/built-for": archives.Member(plugin.built_for.encode()),
        **archives.of_files({f"{version}/install.sh": source.folder / "dissector/install.sh"}),
        **archives.of_files(licences),
    }
    name = f"{version}-linux-{plugin.machine}.tar.gz"
    return name, archives.tar_gz(members, source.epoch)


def _for_this_system(source: Source) -> Plugin | str:
    try:
        said = subprocess.run(["tshark", "--version"], capture_output=True, text=True).stdout
    except OSError:
        return "this system: tshark is not installed"
    with tempfile.TemporaryDirectory() as folder:
        for command in (
            ["-S", str(source.folder / "dissector"), "-B", folder, *_options(source.folder)],
            ["--build", folder, "--parallel", "2"],
        ):
            done = subprocess.run(["cmake", *command], capture_output=True, text=True)
            if done.returncode != 0:
                print(done.stderr[-3000:], file=sys.stderr)
                return "this system: the plugin does not build for its Wireshark"
        return _plugin(Path(folder, "sctp_rack.so"), said)


def _options(source: Path | str) -> tuple[str, ...]:
    """No path of the building machine is left in it."""
    return (
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_C_FLAGS=-g0 -ffile-prefix-map={source}=.",
        "-DCMAKE_MODULE_LINKER_FLAGS=-Wl,--strip-all",
        "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
    )


def _plugin(built: Path, tshark_says: str) -> Plugin:
    version = re.search(r"(\d+\.\d+)\.\d+", tshark_says)
    if version is None:
        sys.exit(f"release: tshark does not say its version: {tshark_says[:200]}")
    with built.open("rb") as file:
        elf = ELFFile(file)
        machine = {"EM_X86_64": "x86_64", "EM_AARCH64": "aarch64"}[elf["e_machine"]]
    return Plugin(built.read_bytes(), version[1], machine, glibc(built))


def glibc(library: Path) -> str:
    """The oldest glibc that has all that the library asks for."""
    with library.open("rb") as file:
        needed = ELFFile(file).get_section_by_name(".gnu.version_r")
        assert isinstance(needed, GNUVerNeedSection)
        names = [each.name for _, versions in needed.iter_versions() for each in versions]
    found = [name.removeprefix("GLIBC_") for name in names if re.match(r"GLIBC_\d", name)]
    return max(found, key=lambda version: [int(part) for part in version.split(".")])
