# SPDX-License-Identifier: BSD-2-Clause
"""Every clause is answered for, and the committed map says so."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("analyzer/sctp_rack/reference", "docs", "tests/reference", "tests/vectors")


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "docs/spec_map.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for part in PARTS:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, tmp_path / part, ignore=ignore)
    return tmp_path


def test_the_committed_map_is_complete_and_up_to_date() -> None:
    done = _run("--check")

    assert (done.returncode, done.stderr) == (0, "")


def test_a_clause_that_nobody_claims_fails(tree: Path) -> None:
    path = tree / "analyzer/sctp_rack/reference/tlp.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("# RFC 8985 §7.2 default: ", "# "), encoding="utf-8")
    done = _run("--root", str(tree))

    assert done.returncode == 1
    assert done.stderr == "nobody claims RFC 8985 §7.2 default\n"


def test_a_citation_of_no_clause_fails(tree: Path) -> None:
    path = tree / "analyzer/sctp_rack/reference/tlp.py"
    path.write_text(path.read_text(encoding="utf-8") + "# RFC 8985 §12 x: y\n", encoding="utf-8")
    done = _run("--root", str(tree))

    assert done.returncode == 1
    assert "cites RFC 8985 §12 x, which is no clause" in done.stderr


def test_a_test_that_does_not_exist_fails(tree: Path) -> None:
    (tree / "tests/vectors/T46.json").unlink()
    done = _run("--root", str(tree))

    assert done.returncode == 1
    assert "names the test T46, which does not exist" in done.stderr


def test_a_map_out_of_date_fails(tree: Path) -> None:
    path = tree / "docs/spec-map.md"
    path.write_text(path.read_text(encoding="utf-8") + "more\n", encoding="utf-8")
    done = _run("--root", str(tree), "--check")

    assert done.returncode == 1
    assert "out of date" in done.stderr
