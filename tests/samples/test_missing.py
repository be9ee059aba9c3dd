# SPDX-License-Identifier: BSD-2-Clause
"""What is needed to make samples, and is not there, is said at once and before anything is made."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

STACKS = "usrsctp,pion,pion_no_rack,dcsctp"


@pytest.mark.parametrize(
    "asked", [["--committed"], ["--random", "8", "--seed", "7", "--stacks", STACKS]]
)
def test_all_that_is_missing_is_named_before_the_first_run(
    asked: list[str], tmp_path: Path
) -> None:
    without_programs = os.environ | {"PATH": str(tmp_path / "bin")}
    command = [sys.executable, "-m", "sample_pcaps.generate", *asked, "--to", str(tmp_path / "to")]
    done = subprocess.run(command, capture_output=True, text=True, env=without_programs)
    said = done.stderr.splitlines()

    assert done.returncode == 1
    assert "usrsctp: a C compiler is missing" in said
    assert "pion: Go 1.26 or later is missing" in said
    assert "dcsctp: Rust 1.91 or later is missing" in said
    assert list((tmp_path / "to").iterdir()) == []
