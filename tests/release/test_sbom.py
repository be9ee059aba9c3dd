# SPDX-License-Identifier: BSD-2-Clause
"""The SBOM names each file, what it needs and under which licence it is."""

import hashlib
import json
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from page import mbedtls
from release import sbom
from release.source import ROOT, Source

NAMES = {
    "sctp_rack-0.1.0.tar.gz": "BSD-2-Clause",
    "sctp_rack.lua": "GPL-2.0-or-later",
    "sctp-rack.html": "BSD-2-Clause AND MIT",
    "sctp-rack-0.1.0-wireshark-4.4-linux-x86_64.tar.gz": "BSD-2-Clause AND GPL-2.0-or-later",
    "sctp-rack-0.1.0-wireshark-profile.zip": "GPL-2.0-or-later",
    "sctp-rack-0.1.0-source.tar.gz": "BSD-2-Clause AND GPL-2.0-or-later AND MIT",
}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """One of each kind."""
    for name in NAMES:
        (tmp_path / name).write_text(name)
    return sorted(tmp_path.iterdir())


@pytest.fixture
def written(source: Source, files: list[Path]) -> dict[str, Any]:
    """The SBOM of them."""
    parsed: dict[str, Any] = json.loads(sbom.text(source, files))
    return parsed


def _components(written: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["bom-ref"]: each for each in written["components"]}


def test_each_file_has_its_hash_and_licence(written: dict[str, Any]) -> None:
    components = _components(written)
    for name, licence in NAMES.items():
        [found] = components[name]["hashes"]
        assert found["content"] == hashlib.sha256(name.encode()).hexdigest()
        assert components[name]["licenses"] == [{"expression": licence}]


def test_python_needs_what_pyproject_asks_for(written: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    components = _components(written)
    required = {
        each["name"] + each["properties"][0]["value"]
        for each in components.values()
        if each.get("scope") == "required" and each["bom-ref"].startswith("pypi:")
    }
    assert required == set(project["dependencies"])
    optional = {each["name"] for each in components.values() if each.get("scope") == "optional"}
    assert {"pyarrow", "zstandard", "plotly"} <= optional
    assert not {"pytest", "ruff"} & set(optional)  # of developers, not of users


def test_the_plugin_needs_wireshark_and_the_wheel_does_not(written: dict[str, Any]) -> None:
    needs = {each["ref"]: set(each.get("dependsOn", [])) for each in written["dependencies"]}
    assert needs["sctp-rack-0.1.0-wireshark-4.4-linux-x86_64.tar.gz"] == {"Wireshark", "GLib"}
    assert needs["sctp_rack.lua"] == {"Wireshark"}
    assert "pypi:cffi" in needs["sctp_rack-0.1.0.tar.gz"]
    assert "Wireshark" not in needs["sctp_rack-0.1.0.tar.gz"]


def test_the_page_has_what_writes_parquet(written: dict[str, Any]) -> None:
    needs = {each["ref"]: set(each.get("dependsOn", [])) for each in written["dependencies"]}
    assert needs["sctp-rack.html"] == {"npm:hyparquet@1.31.5", "npm:hyparquet-writer@0.17.0"}
    bundled = ROOT / "page" / "parquet" / "licence.txt"
    assert "hyparquet-writer 0.17.0 and hyparquet 1.31.5" in bundled.read_text()


def test_it_is_the_same_each_time(source: Source, files: list[Path]) -> None:
    assert sbom.text(source, files) == sbom.text(source, list(reversed(files)))


def test_a_wheel_names_the_openssl_that_is_linked_into_it(source: Source, tmp_path: Path) -> None:
    wheel = tmp_path / "sctp_rack-0.1.0-cp311-abi3-manylinux_2_34_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("sctp_rack/_core.abi3.so", b"\0OpenSSL 3.0.19 27 Jan 2026\0")

    written = json.loads(sbom.text(source, [wheel]))

    components = _components(written)
    assert components["in-wheel:openssl@3.0.19"]["licenses"] == [{"expression": "Apache-2.0"}]
    assert components[wheel.name]["licenses"] == [{"expression": "BSD-2-Clause AND Apache-2.0"}]
    [needs] = [one for one in written["dependencies"] if one["ref"] == wheel.name]
    assert "in-wheel:openssl@3.0.19" in needs["dependsOn"]


def test_the_page_names_the_mbedtls_that_is_compiled_into_it(
    source: Source, tmp_path: Path
) -> None:
    page = tmp_path / "sctp-rack.html"
    page.write_text((ROOT / "page" / "mbedtls-licence.txt").read_text())

    written = json.loads(sbom.text(source, [page]))

    part = f"in-page:mbedtls@{mbedtls.VERSION}"
    components = _components(written)
    assert components[part]["licenses"] == [{"expression": "Apache-2.0"}]
    assert components[page.name]["licenses"] == [
        {"expression": "BSD-2-Clause AND MIT AND Apache-2.0"}
    ]
    [needs] = [one for one in written["dependencies"] if one["ref"] == page.name]
    assert part in needs["dependsOn"]
