# SPDX-License-Identifier: BSD-2-Clause
"""What `make demo` prints, with the real tshark."""

import subprocess
import sys

import pytest

from sample_pcaps.demo import compared, document_of, said_by_tshark, said_by_us
from tests.captures import BUNDLED, ROOT, SAMPLE, one_in


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sample_pcaps.demo", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_shows_what_wireshark_says_what_we_say_and_what_happened() -> None:
    shown = demo()

    assert shown.returncode == 0, shown.stderr
    rows = [line.split() for line in shown.stdout.splitlines() if "Retransmitted TSN" in line]
    assert len(rows) == 30
    spurious = next(row for row in rows if row[0] == "350")
    assert " ".join(spurious).startswith("350 1097975607 3 Retransmitted TSN (267) spurious")
    assert " ".join(spurious).endswith("spurious, fast: copy 2 arrived")
    assert "sctp-rack and the truth agree on 30 of 30 verdicts." in shown.stdout
    assert "9 of 30 retransmissions were spurious (certain)" in shown.stdout


def test_wireshark_says_the_same_of_every_retransmission() -> None:
    said = said_by_tshark(SAMPLE)

    assert said is not None
    assert said.keys() == {frame for frame, _ in said_by_us(SAMPLE)}
    assert {text.partition(" (")[0] for text in said.values()} == {"Retransmitted TSN"}


def test_runs_without_tshark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert said_by_tshark(SAMPLE) is None
    table, agreeing, rows = compared(document_of("usr_ge_nrsack"), SAMPLE)
    assert (table.row_count, agreeing, rows) == (30, 30, 30)


@pytest.mark.parametrize(
    "name", one_in(3, sorted(path.name.split(".")[0] for path in BUNDLED.glob("*.truth.*")))
)
def test_every_sample_with_truth_can_be_shown(name: str) -> None:
    document = document_of(name)
    table, _, rows = compared(document, BUNDLED / document["captures"]["sender"])

    assert table.row_count == rows


def test_an_unknown_sample_is_named() -> None:
    shown = demo("nothing")

    assert shown.returncode == 1
    assert "there is no sample 'nothing'" in shown.stderr
