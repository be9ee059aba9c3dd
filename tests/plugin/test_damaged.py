# SPDX-License-Identifier: BSD-2-Clause
"""Damaged captures: with the plugin built with sanitizers tshark ends well and reports nothing."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.captures import ROOT, SAMPLE, name_of
from tests.plugin.test_equal_rows import CAPTURES
from tests.plugin.wireshark import Wireshark, build

SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g"

#: Of three taps of a run one: damaged, the others are as different as with another seed.
ONE_TAP = [path for path in CAPTURES if not {".sender", ".receiver"} & set(path.suffixes)][::2]

#: Shares of bytes that editcap changes, each with a seed of its own.
ERRORS = {1: 0.002, 2: 0.02, 3: 0.1}


def library(name: str) -> str:
    found = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True)
    return str(Path(found.stdout.strip()).resolve())


def run(wireshark: Wireshark, *command: str) -> str:
    """What it prints, if it ends well."""
    done = wireshark.process(
        *command,
        LD_PRELOAD=f"{library('libasan.so')} {library('libubsan.so')}",
        ASAN_OPTIONS="detect_leaks=0",  # what Wireshark itself leaves at its end is not ours
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "runtime error" not in done.stderr
    assert "AddressSanitizer" not in done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sanitized() -> Iterator[Wireshark]:
    """Wireshark with the plugin built with sanitizers, which it loads first of all."""
    options = (f"-DCMAKE_C_FLAGS={SANITIZERS}", "-DCMAKE_BUILD_TYPE=Debug")
    installed = Wireshark(build(ROOT / "build" / "plugin-sanitized", *options))
    sample = str(installed.capture(SAMPLE))
    assert run(installed, "tshark", "-2", "-r", sample, "-Y", "sctp_rack")
    yield installed
    installed.close()


@pytest.mark.long
@pytest.mark.parametrize("capture", ONE_TAP, ids=name_of)
def test_a_damaged_capture_is_shown_to_its_end(capture: Path, sanitized: Wireshark) -> None:
    whole = str(sanitized.capture(capture))
    for seed, share in ERRORS.items():
        damaged = str(sanitized.home / f"damaged-{seed}")
        sanitized.run("editcap", "-E", str(share), "--seed", str(seed), whole, damaged)
        options = ("-o", "sctp_rack.memory:1", "-T", "pdml", "-J", "sctp_rack")
        texts = ("-z", "sctp_rack,findings", "-z", "sctp_rack,limits")
        said = run(sanitized, "tshark", "-2", "-r", damaged, *options, *texts)
        assert "Dissector bug" not in said
        assert "Not looked for" in said


@pytest.mark.long
def test_frames_that_a_read_filter_renumbers_are_not_judged(sanitized: Wireshark) -> None:
    whole = str(sanitized.capture(SAMPLE))
    options = ("-2", "-R", "sctp.chunk_type == 16", "-q", "-z", "sctp_rack,stat")
    assert "A read filter renumbers" in run(sanitized, "tshark", "-r", whole, *options)


@pytest.mark.long
def test_statistics_of_sessions_are_summed_up(sanitized: Wireshark) -> None:
    whole = str(sanitized.capture(SAMPLE))
    texts = ("-z", "sctp_rack,findings", "-z", "sctp_rack,limits,sctp_rack.data.tsn")
    options = ("-M", "50", "-q", "-z", "sctp_rack,stat", "-z", "sctp_rack,tree", *texts)
    assert "The sum of 14 files" in run(sanitized, "tshark", "-r", whole, *options)
