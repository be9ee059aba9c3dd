# SPDX-License-Identifier: BSD-2-Clause
"""A wheel installs and runs where there is no compiler and no source tree."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import sctp_rack._core

from tests.captures import ROOT, SAMPLE


def test_the_wheel_installs_and_runs_without_a_compiler(tmp_path: Path) -> None:
    source = tmp_path / "source"
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in tracked.stdout.decode().split("\0"):
        if (ROOT / name).is_file() and not name.startswith(("sample_pcaps/", "tests/")):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--verbose", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    log = subprocess.run(build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
    compiler = subprocess.run(["cc", "--version"], capture_output=True, check=True).stdout
    learnt = b"-fprofile-use=" in log  # from the bundled sample, which branches are rare
    assert learnt == (b"Free Software Foundation" in compiler)
    wheel = next(tmp_path.glob("sctp_rack-*.whl"))
    assert "-cp311-abi3-" in wheel.name

    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    only_python = {
        "PATH": str(environment / "bin"),
        "HOME": os.environ["HOME"],
        **{name: os.environ[name] for name in os.environ if name.startswith("PIP_")},
    }
    subprocess.run(
        [environment / "bin" / "pip", "install", "--quiet", "--only-binary", ":all:", wheel],
        check=True,
        env=only_python,
    )
    result = subprocess.run(
        [environment / "bin" / "sctp-rack", "analyze", SAMPLE],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env=only_python,
    )

    assert b"of 30 retransmissions were needless" in result.stdout
    code = "import sctp_rack; print(len(sctp_rack.read().transmissions['tsn']))"
    result = subprocess.run(
        [environment / "bin" / "python", "-c", code],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env=only_python,
    )

    assert result.stdout == b"390\n"  # of the sample in the package, without pyarrow
    result = subprocess.run(
        [
            environment / "bin" / "sctp-rack",
            "export",
            "--format",
            "arrow",
            "--table",
            "sacks",
            SAMPLE,
        ],
        capture_output=True,
        cwd=tmp_path,
        env=only_python,
    )

    assert (result.returncode, result.stdout) == (2, b"")
    assert b"pip install 'sctp-rack[arrow]'" in result.stderr


def test_the_core_learns_from_whole_captures_only(tmp_path: Path) -> None:
    extension = sctp_rack._core.__file__
    text = tmp_path / "text.pcap"
    text.write_text("no capture")
    for capture, status in ((SAMPLE, 0), (text, 1)):
        program = str(ROOT / "analyzer/train_core.py")
        done = subprocess.run([sys.executable, program, extension, str(capture)])
        assert done.returncode == status
