# SPDX-License-Identifier: BSD-2-Clause
"""The timeline of a vector, from the command line and in a notebook."""

import json
from pathlib import Path

import pytest
from sctp_rack.reference.__main__ import main
from sctp_rack.reference.timeline import ms, timeline
from sctp_rack.reference.vector import VectorError, load

FOLDER = Path(__file__).parents[1] / "vectors"

T01 = """\
rfc8985

time ms  event              state                                                                 marks
-------  -----------------  --------------------------------------------------------------------  ------------------------
      0  send 10            out 10; PTO 400
   0.01  send 11            out 10 11; PTO 200.01
   0.02  send 12            out 10 11 12; PTO 200.02
   0.03  send 13            out 10 11 12 13; PTO 200.03
    100  sack 10            out 11 12 13; PTO 300, rtt 100 wnd 25
    300  PTO                out 11 12 13; T3 1300, rtt 100 wnd 25
    300  send again 13      out 11 12 13; T3 1300, rtt 100 wnd 25
    400  sack 10 gap 13     lost 11 12; sacked 13; T3 1300; fast recovery                         11 12 lost by time
  400.1  send again 11      out 11; lost 12; sacked 13; T3 1400.1, rtt 100 wnd 25; fast recovery
  400.2  send again 12      out 11 12; sacked 13; T3 1400.1, rtt 100 wnd 25; fast recovery
  500.2  sack 10 gap 12-13  lost 11; sacked 12 13; T3 1400.1; fast recovery                       11 (copy 2) lost by time
  500.3  send again 11      out 11; sacked 12 13; T3 1500.3, rtt 100 wnd 0; fast recovery
  600.3  sack 13"""  # noqa: E501


def test_the_timeline_follows_figure_1_of_rfc_8985_line_by_line() -> None:
    assert str(timeline(load("T01", FOLDER).runs[0], "rfc8985")) == T01


def test_a_notebook_shows_a_table() -> None:
    html = timeline(load("T01", FOLDER).runs[0], "a < b")._repr_html_()

    assert html.startswith("<table><caption>a &lt; b</caption>")
    assert html.count("<tr") == 1 + 13
    assert html.count("background") == 2


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_vector_has_a_timeline(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path.stem}: ")


def test_a_vector_is_found_by_name_in_the_source_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T13"]) == 0
    assert "1 lost by the reordering timer" in capsys.readouterr().out


def test_parameters_are_varied_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T13", "--profile", "rfc8985", "-p", "reo_wnd_step=1/10"]) == 0
    assert "    110  reordering timer" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["T99"], 3, "no vector at"),
        (["T01", "-p", "speed=1"], 2, "no parameter 'speed'"),
        (["T01", "-p", "speed"], 2, "NAME=VALUE"),
        (["T01", "--profile", "linux", "-p", "pto_factor=0/0"], 2, "cannot be '0/0'"),
    ],
)
def test_a_mistake_is_one_clear_line(
    arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.count("\n") == 1


def test_a_file_that_is_no_vector_is_named(tmp_path: Path) -> None:
    path = tmp_path / "V.json"
    path.write_text(json.dumps({"id": "V"}))

    with pytest.raises(VectorError, match=r"V\.json is not a vector"):
        load(str(path))


def test_milliseconds_are_written_exactly() -> None:
    assert [ms(0), ms(1), ms(1_500_000), ms(-250_000)] == ["0", "0.000001", "1.5", "-0.25"]
