# SPDX-License-Identifier: BSD-2-Clause
"""`--assoc` tells of one association of a capture that has several."""

import json
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.commands.cli import cli
from sctp_rack.errors import UsageError

from tests.builder import sctp
from tests.builder.files import pcap
from tests.builder.talk import End, Talk
from tests.captures import SAMPLE
from tests.commands.called import called


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Three associations, each with one TSN, which nothing acknowledges."""
    talk = Talk()
    for number in range(3):
        a, b = (
            End(f"192.0.2.{1 + number}", 5000, 0x10 + number),
            End(f"198.51.100.{1 + number}", 5001, 0x20 + number),
        )
        talk.handshake(a, b)
        talk.say(a, b, sctp.data(1000 + number))
    return talk.write(tmp_path)


def test_analyze_tells_of_the_one_alone(capture: Path) -> None:
    text = called("analyze", "--assoc", 1, capture).stdout.decode()

    assert "Association 1: 192.0.2.2:5000" in text
    assert "Association 0" not in text and "Association 2" not in text
    assert (
        text.splitlines()[1]
        == "  1 DATA chunk, none of them a retransmission as far as can be seen."
    )
    assert "15 frames" in text


def test_json_has_the_one_alone(capture: Path) -> None:
    (line,) = called("analyze", "--json", "--assoc", 2, capture).stdout.splitlines()
    summary = json.loads(line)

    assert [one["assoc"] for one in summary["associations"]] == [2]
    assert {one["assoc"] for one in summary["findings"]} <= {None, 2}


def test_a_report_has_the_one_alone(capture: Path, tmp_path: Path) -> None:
    page = tmp_path / "x.html"
    assert called("report", "--assoc", 1, capture, "-o", page).returncode == 0

    text = page.read_text()
    assert "192.0.2.2:5000" in text
    assert "192.0.2.1:5000" not in text and "192.0.2.3:5000" not in text


CALLS = {
    "analyze": (),
    "report": ("-o", "-"),
    "compare": (SAMPLE,),
    "limits": (),
    "whatif": (),
    "explain": ("--tsn", 1),
    "plot": ("-o", "x.html"),
    "export": ("--table", "sacks"),
    "annotate": (),
}


def test_one_that_is_not_there_is_a_wrong_call_of_each_command(
    capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CALLS.keys() == {
        name
        for name, command in cli.commands.items()
        if any(one.name == "assoc" for one in command.params)
    }
    for name, more in CALLS.items():
        result = called(name, capture, *more, "--assoc", 3)

        assert (result.returncode, result.stdout) == (2, b""), name
        assert result.stderr.decode() == (
            f"sctp-rack: {capture}: no association 3: they are numbered 0 to 2\n"
        ), name
    assert not Path("x.html").exists()


def test_an_export_of_many_says_which_have_no_such_association(
    capture: Path, tmp_path: Path
) -> None:
    options = ("--table", "transmissions", "--assoc", 2, "-o", tmp_path / "out")
    result = called("export", capture, SAMPLE, *options)

    assert result.returncode == 0
    assert result.stderr.decode() == (f"sctp-rack: {SAMPLE}: no association 2: there is only 0\n")
    written = tmp_path / "out" / "transmissions"
    assert (written / f"{capture.name}.ndjson").stat().st_size
    assert not (written / f"{SAMPLE.name}.ndjson").stat().st_size


def test_of_one_or_none_that_is_said(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pcap"
    empty.write_bytes(pcap([]))

    assert called("analyze", "--assoc", 1, SAMPLE).stderr.endswith(
        b"no association 1: there is only 0\n"
    )
    assert called("analyze", "--assoc", 0, empty).stderr.endswith(b": no association in it\n")


def test_several_captures_have_no_association_in_common(capture: Path) -> None:
    for call in (("analyze",), ("report", "-o", "-")):
        result = called(*call, "--assoc", 0, capture, SAMPLE)

        assert result.returncode == 2
        assert b"--assoc is about one capture" in result.stderr


def test_in_python_findings_and_associations_are_those_of_the_one(capture: Path) -> None:
    whole = sctp_rack.read(capture)
    one = whole.only(2)

    assert [association.number for association in one.associations] == [2]
    assert len(one.transmissions) == len(whole.transmissions) == 3
    with pytest.raises(UsageError, match="no association 9: they are numbered 0 to 2"):
        whole.only(9)
