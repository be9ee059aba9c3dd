# SPDX-License-Identifier: BSD-2-Clause
"""The recipes for conda-forge and Debian ask for what pyproject.toml asks for."""

import re
import tomllib
from typing import Any

import jinja2
import pytest
import yaml

from release.source import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
VERSION = (ROOT / "VERSION").read_text().strip()
DEBIAN = ROOT / "packaging" / "debian"


@pytest.fixture
def recipe() -> dict[str, Any]:
    """Rendered, as conda-build does."""
    functions = {"compiler": lambda language: f"compiler_{language}", "PYTHON": "python"}
    text = (ROOT / "packaging/conda/meta.yaml").read_text()
    rendered = jinja2.Template(text, undefined=jinja2.StrictUndefined).render(
        **functions, stdlib=lambda language: f"stdlib_{language}"
    )
    parsed: dict[str, Any] = yaml.safe_load(rendered)
    return parsed


def _asked(lines: list[str]) -> set[str]:
    return {line.replace(" ", "") for line in lines}


def test_conda_builds_and_runs_with_what_the_package_asks_for(recipe: dict[str, Any]) -> None:
    assert recipe["package"] == {"name": "sctp-rack", "version": VERSION}
    needs = recipe["requirements"]
    assert _asked(needs["run"]) - {"python"} == _asked(PROJECT["project"]["dependencies"])
    assert _asked(PROJECT["build-system"]["requires"]) <= _asked(needs["host"])
    extras = PROJECT["project"]["optional-dependencies"].values()
    assert _asked(needs["run_constrained"]) <= {line for extra in extras for line in extra}
    assert recipe["about"]["license"] == PROJECT["project"]["license"]
    assert (ROOT / recipe["about"]["license_file"]).is_file()


def test_debian_has_the_version_and_builds_with_what_the_package_asks_for() -> None:
    assert (DEBIAN / "changelog").read_text().startswith(f"sctp-rack ({VERSION}-1) ")
    control = (DEBIAN / "control").read_text()
    for line in (*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]):
        assert f"python3-{re.split('[^a-z]', line)[0]}" in control


def test_debian_installs_files_that_are_there() -> None:
    for listed in (*DEBIAN.glob("*.docs"), *DEBIAN.glob("*.examples")):
        for name in listed.read_text().split():
            assert (ROOT / name).exists(), name
