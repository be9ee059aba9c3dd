# SPDX-License-Identifier: BSD-2-Clause
"""Plugins that cannot be built are told in a line, and the release goes on."""

import shutil
from pathlib import Path

import pytest

from release import chroots, plugin
from release.source import ROOT, Source


def _without_chroots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroots, "missing", lambda: "chroots need root")


def test_without_wireshark_and_root_there_is_a_reason_for_each(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_chroots(monkeypatch)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert list(plugin.plugins(source)) == [
        "this system: tshark is not installed",
        "Debian trixie: chroots need root",
        "Debian forky: chroots need root",
    ]


def test_a_plugin_that_does_not_compile_is_named_by_its_wireshark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_chroots(monkeypatch)
    shutil.copytree(ROOT / "dissector", tmp_path / "dissector")  # without the core
    first = next(iter(plugin.plugins(Source(tmp_path, "0.1.0", "0" * 40, 0))))
    assert isinstance(first, str)
    assert first.startswith("this system: the plugin does not build for its Wireshark")
    assert "\n" not in first and str(tmp_path) not in first
