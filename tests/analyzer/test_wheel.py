# SPDX-License-Identifier: BSD-2-Clause
"""A source distribution builds a wheel, which installs and runs where there is no compiler and no
source tree."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import sctp_rack._core

from tests.captures import ROOT, SAMPLE

#: What of tests/ is installed, too.
_VECTORS = "tests/vectors/"

#: What an extra is for, and what a call says without it.
EXTRAS = {
    "arrow": (
        ["export", "--format", "arrow", "--table", "sacks", str(SAMPLE), "-o", "x"],
        "Arrow and Parquet need `pip install pyarrow`",
    ),
    "compression": (
        ["analyze", "sample.zst"],
        "sample.zst: reading zstd needs `pip install zstandard`",
    ),
    "plot": (
        ["plot", str(SAMPLE), "-o", "x.html"],
        "graphs need `pip install plotly tsdownsample`",
    ),
    "report": (
        ["report", str(SAMPLE), "-o", "x.html"],
        "a report needs `pip install jinja2 plotly tsdownsample`",
    ),
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in tracked.stdout.decode().split("\0"):
        left_out = name.startswith(("sample_pcaps/", "tests/")) and not name.startswith(_VECTORS)
        if (ROOT / name).is_file() and not left_out:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    pack = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", pack, str(folder)], cwd=source, check=True)
    [sdist] = folder.glob("sctp_rack-*.tar.gz")
    pip = [sys.executable, "-m", "pip", "--verbose", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(sdist)]
    log = subprocess.run(build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
    compiler = subprocess.run(["cc", "--version"], capture_output=True, check=True).stdout
    learnt = b"-fprofile-use=" in log  # from the bundled sample, which branches are rare
    assert learnt == (b"Free Software Foundation" in compiler)
    return next(folder.glob("sctp_rack-*.whl"))


class Environment:
    """A virtual environment with nothing but the wheel and what it asks for, and no compiler."""

    def __init__(self, folder: Path, wheel: Path, *requirements: str, extra: str = "") -> None:
        self.folder = folder
        self._bin = folder / "environment" / "bin"
        subprocess.run([sys.executable, "-m", "venv", self._bin.parent], check=True)
        self._variables = {
            "PATH": str(self._bin),
            "HOME": os.environ["HOME"],
            **{name: os.environ[name] for name in os.environ if name.startswith("PIP_")},
        }
        self.install(f"{wheel}[{extra}]" if extra else str(wheel), *requirements)

    def install(self, *wanted: str) -> None:
        """Without a compiler."""
        pip = ("pip", "install", "--quiet", "--only-binary", ":all:")
        self.run(*pip, *wanted).check_returncode()

    def run(
        self, program: str, *arguments: str, folder: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [self._bin / program, *arguments],
            capture_output=True,
            check=False,
            cwd=folder or self.folder,
            env=self._variables,
        )


def put_sample(folder: Path) -> None:
    """As `sample.zst`."""
    import zstandard

    (folder / "sample.zst").write_bytes(zstandard.compress(SAMPLE.read_bytes()))


@pytest.mark.long
def test_the_wheel_installs_and_runs_without_a_compiler(tmp_path: Path, wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name
    environment = Environment(tmp_path, wheel)
    result = environment.run("sctp-rack", "analyze", str(SAMPLE))

    assert b"of 30 retransmissions were spurious" in result.stdout
    code = "import sctp_rack; print(len(sctp_rack.read().transmissions['tsn']))"
    result = environment.run("python", "-c", code)

    assert result.stdout == b"390\n"  # of the sample in the package, without pyarrow
    result = environment.run("python", "-m", "sctp_rack.reference", "T01")

    assert result.returncode == 0 and result.stdout.startswith(b"T01: ")
    put_sample(tmp_path)
    for extra, (arguments, hint) in EXTRAS.items():
        result = environment.run("sctp-rack", *arguments)

        of_input = extra == "compression"  # which `analyze` tells of for each capture
        assert (result.returncode, result.stdout) == (3 if of_input else 2, b"")
        assert result.stderr.decode() == f"sctp-rack: {hint}\n"


@pytest.mark.long
def test_each_extra_does_what_it_is_for(tmp_path: Path, wheel: Path) -> None:
    """They come one after the other: none may rest on what only a later one brings."""
    put_sample(tmp_path)
    environment = Environment(tmp_path, wheel)
    for extra, (arguments, _) in EXTRAS.items():
        environment.install(f"{wheel}[{extra}]")
        result = environment.run("sctp-rack", *arguments)

        assert (extra, result.returncode, result.stderr) == (extra, 0, b"")


@pytest.mark.long
def test_the_oldest_versions_that_it_asks_for_will_do(tmp_path: Path, wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = [f"{line.replace('>=', '==')}.*" for line in project["dependencies"]]
    assert len(oldest) > 3
    environment = Environment(tmp_path, wheel, *oldest)
    for command in ("analyze", "export --table transmissions", "explain --frame 347"):
        result = environment.run("sctp-rack", *command.split(), str(SAMPLE))
        assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.long
def test_notebooks_run_with_an_installed_package(tmp_path: Path, wheel: Path) -> None:
    wanted = ("ipykernel", "jupytext", "nbclient", "nbconvert", "pandas", "polars")
    environment = Environment(tmp_path, wheel, *wanted, extra="report,arrow")
    for folder in ("docs", "notebooks", "sample_pcaps"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    named = ("rack-against-three-missing-reports", "sack-against-nr-sack", "first-capture")
    result = environment.run("python", "docs/notebooks.py", *named)

    assert result.returncode == 0, result.stderr.decode()


def test_the_core_learns_from_whole_captures_only(tmp_path: Path) -> None:
    extension = sctp_rack._core.__file__
    text = tmp_path / "text.pcap"
    text.write_text("no capture")
    for capture, status in ((SAMPLE, 0), (text, 1)):
        program = str(ROOT / "analyzer/train_core.py")
        done = subprocess.run([sys.executable, program, extension, str(capture)])
        assert done.returncode == status
