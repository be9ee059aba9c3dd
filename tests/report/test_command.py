# SPDX-License-Identifier: BSD-2-Clause
"""What `sctp-rack report` writes, from captures good and bad, and what it says where it cannot."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.analyzer.test_bad_input import run
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import ROOT, SAMPLE
from tests.commands.called import called


def test_a_file_name_is_text(tmp_path: Path) -> None:
    odd = tmp_path / "a<script>alert(1)<script>&.pcapng"
    odd.write_bytes(SAMPLE.read_bytes())
    page = run("report", odd, "-o", "-").stdout.decode()

    assert "alert(1)" in page
    assert "<script>alert" not in page


def test_a_capture_that_ends_early_is_reported_up_to_there(tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcapng"
    cut.write_bytes(SAMPLE.read_bytes()[:60_000])
    done = called("report", cut, "-o", tmp_path / "report.html")

    assert done.returncode == 0
    page = (tmp_path / "report.html").read_text()
    assert "The input was read up to frame" in page
    assert "Read to its end" in page


def test_a_capture_without_data_needs_no_graph(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    page = run("report", talk.write(tmp_path), "-o", "-").stdout.decode()

    assert "No DATA in 4 SCTP packets." in page
    assert "Associations without data" in page
    assert "Plotly" not in page


def test_a_capture_without_losses_is_short(tmp_path: Path) -> None:
    talk = Talk()
    for tsn in range(10, 30, 2):
        talk.say(A, B, sctp.data(tsn))
        talk.say(A, B, sctp.data(tsn + 1))
        talk.say(B, A, sctp.sack(tsn + 1))
    page = run("report", talk.write(tmp_path), "-o", "-").stdout.decode()

    assert "20 DATA chunks, none of them a retransmission as far as can be seen." in page
    assert "Nothing about loss recovery stands out." in page
    assert "Why it was sent again" not in page


def test_what_cannot_be_read_leaves_a_report_as_it_was(tmp_path: Path) -> None:
    old = tmp_path / "report.html"
    old.write_text("old")
    done = called("report", tmp_path / "nothing.pcap", "-o", old)

    assert done.returncode == 3
    assert b"nothing.pcap: No such file or directory" in done.stderr
    assert old.read_text() == "old"


@pytest.mark.parametrize("library", ["jinja2", "plotly"])
@pytest.mark.parametrize("command", [["report"], ["compare", str(SAMPLE)]])
def test_without_the_extra_it_says_what_to_install(library: str, command: list[str]) -> None:
    code = (
        f"import sys; sys.modules[{library!r}] = None; from sctp_rack.commands.cli import main;"
        f"sys.argv[1:] = {[*command, str(SAMPLE), '-o', '-']!r}; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=False)

    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert "`pip install jinja2 plotly tsdownsample`" in line or (
        "`pip install plotly tsdownsample`" in line and library == "plotly"
    )
