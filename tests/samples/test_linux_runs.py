# SPDX-License-Identifier: BSD-2-Clause
"""Runs of the Linux kernel, where it is built (docs/samples.md): it takes minutes."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from sample_pcaps.generate.build import MissingError, command, program
from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.check.seen import Capture, frames_of
from sample_pcaps.generate.encapsulation import Encapsulation
from sample_pcaps.generate.linux import build
from sample_pcaps.generate.linux import command as linux_command
from sample_pcaps.generate.make import make
from sample_pcaps.generate.run import TAPS
from sample_pcaps.generate.scenario import Scenario, Stack

NAMES = sorted(name for name, scenario in SCENARIOS.items() if scenario.stack is Stack.LINUX)

#: What must happen in a scenario for it to show what it is for.
CAUSES = {
    "linux-bulk-loss": {"fast"},
    "linux-tail-loss": {"t3", "t3_gbn"},
    "linux-telecom-timers": {"t3", "t3_gbn"},
    "linux-reorder": {"fast"},
    "linux-delay-spike": {"t3", "t3_gbn"},
    "linux-zero-window": {"zero_window_probe"},
    "linux-outage": {"t3", "t3_gbn"},
    "linux-pr-sctp-limited": {"fast", "fast_deferred"},
}


@pytest.fixture
def built() -> None:
    try:
        program(Stack.LINUX)
    except MissingError as missing:
        pytest.skip(str(missing))


@pytest.mark.long
@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("name", NAMES)
def test_a_run_shows_its_causes_and_tshark_sees_what_truth_tells(name: str, tmp_path: Path) -> None:
    document = make(SCENARIOS[name], tmp_path)
    transmissions = document["transmissions"]
    assert isinstance(transmissions, list)
    again = [record for record in transmissions if record["retransmission"]]

    assert {record["cause"] for record in again} >= CAUSES.get(name, set())
    assert [record for record in again if record["cause"] is None] == []
    captures = document["captures"]
    assert isinstance(captures, dict)
    for tap in TAPS:
        told = Counter(
            (record["frames"][tap], record["tsn"])
            for kind in ("transmissions", "network_duplicates", "capture_duplicates")
            for record in document[kind]  # type: ignore[attr-defined]
            if record["frames"].get(tap) is not None
        )
        frames = frames_of(Capture(tmp_path / captures[tap]))
        assert told == Counter((frame.number, tsn) for frame in frames for tsn in frame.tsns)


@pytest.mark.long
@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("name", ["linux-multihoming", "linux-hosts-and-taps", "linux-reorder"])
def test_the_same_seed_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        make(SCENARIOS[name], folder)

    assert [
        file.name
        for file in first.iterdir()
        if file.read_bytes() != (second / file.name).read_bytes()
    ] == []


def test_of_a_kernel_that_is_not_built_it_is_said_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "OUT", tmp_path)
    build.kernel.cache_clear()
    try:
        with pytest.raises(MissingError, match=r"sample_pcaps\.generate\.linux\.build"):
            program.__wrapped__(Stack.LINUX)
    finally:
        build.kernel.cache_clear()


def test_without_the_source_of_the_kernel_the_build_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "OUT", tmp_path)
    monkeypatch.setattr(build, "SOURCE", tmp_path / "none")

    with pytest.raises(MissingError, match=r"linux-source-6\.1"):
        build.build()


def test_the_kernel_is_told_its_parameters_on_its_command_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(linux_command, "kernel", lambda: Path("/kernel"))
    monkeypatch.setattr(linux_command, "root", lambda: Path("/root"))
    scenario = Scenario("told", "", Stack.LINUX, 7, (), rto_min_ms=100, initial_tsn=2**32 - 9)
    words, _ = command(scenario, "a", ["192.0.2.1"], ["198.51.100.2"])
    told = dict(word.split("=", 1) for word in words if "=" in word)

    assert told["net.sctp.rto_min"] == "100"
    assert told["host_initial_tsn"] == str(2**32 - 9)
    assert (told["own"], told["peer"], told["udp_port"]) == ("192.0.2.1", "198.51.100.2", "0")
    boot = words[: words.index("--")]
    assert "host_seed=14" in boot and not any(word.startswith("net.") for word in boot)

    scenario = replace(scenario, encapsulation=Encapsulation.UDP, sysctls=(("sack_timeout", 50),))
    words, _ = command(scenario, "b", ["198.51.100.2"], ["192.0.2.1"])
    told = dict(word.split("=", 1) for word in words if "=" in word)

    assert (told["udp_port"], told["net.sctp.sack_timeout"]) == ("9899", "50")
    assert (told["active"], told["host_initial_tsn"], told["host_seed"]) == ("0", "0", "15")


def test_truth_names_the_version_of_the_kernel() -> None:
    assert Stack.LINUX.value == ("linux", build.VERSION)
