# SPDX-License-Identifier: BSD-2-Clause
"""The timeline of a vector, from the command line and in a notebook."""

import json
import subprocess
import sys
from collections.abc import Iterator
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
        (["T01", "--profile", "linux", "-p", "pto_factor=2"], 2, "no tail loss probe to vary"),
        (["T01", "-p", "pto_factor=0/0"], 2, "cannot be '0/0'"),
        (["T01", "-p", "tlp=of"], 2, "choose on, off"),
        (["T01", "-p", "max_ack_delay=-1"], 2, "negative"),
        (["T01", "--profile", "quic"], 2, "'rfc8985', 'rfc9260'"),
        (["T01", "T02"], 2, "unrecognized arguments: T02"),
        ([], 2, "vector"),
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


def test_a_value_that_fits_no_run_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T13", "--profile", "rfc9260", "-p", "reo_wnd_step=1/4"]) == 2
    assert "profile rfc9260 has no RACK to vary" in capsys.readouterr().err


def test_a_parameter_is_varied_in_the_runs_that_it_fits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T13", "-p", "reo_wnd_step=1/10"]) == 0
    printed = capsys.readouterr().out
    assert "    110  reordering timer" in printed
    assert "profile rfc9260 has no RACK to vary" in printed


@pytest.mark.parametrize("more", [[], ["--profile", "rfc9260"]])
def test_a_vector_without_a_run_says_why_it_has_no_timeline(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["T41", *more]) == 0
    assert "No timeline: everything: the model is given time" in capsys.readouterr().out


def test_no_table_is_printed_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T19"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("time ms") == 1
    assert "The same as rfc8985." in printed


def test_a_reader_that_has_seen_enough_gets_no_complaint() -> None:
    command = f"{sys.executable} -m sctp_rack.reference T24 | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)

    assert done.stdout.startswith("T24: ")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ({"story": 7}, "story is not a text"),
        ({"paths": ["p0"]}, "paths is not an object"),
        ({"paths": {"p0": {"sntt": "1"}}}, "path p0 has no key 'sntt'"),
        ({"colour": "red"}, "a vector has no key 'colour'"),
        ({"events": [{"at": "1/0", "send": [1]}]}, "event 1: '1/0' is no number of milliseconds"),
        ({"events": [{"at": "-1", "send": [1]}]}, "event 1: -1 ms is negative"),
        ({"events": [{"at": "86400001", "send": [1]}]}, "event 1: 86400001 ms is more than a day"),
        ({"events": [{"at": "0", "send": [1], "lots": True}]}, "event 1: a send has no key 'lots'"),
        ({"events": [{"at": "0", "send": 1}]}, "event 1: "),
        ({"events": [{"at": "0", "send": [-1]}]}, "event 1: -1 is not a whole number from 0 up"),
        ({"events": [{"at": "0", "send": [1 << 32]}]}, "event 1: a TSN is 0 to 2^32 - 1"),
        ({"events": [{"at": "0", "sack": 1, "a_rwnd": "0"}]}, "event 1: '0' is not a whole number"),
        ({"events": [{"at": "0", "sack": 1, "lost": 1}]}, "event 1: lost is neither true nor"),
        ({"events": [{"at": "0", "sack": 1, "kind": "ack"}]}, "event 1: 'ack' is not a valid"),
        ({"events": [{"at": "0"}]}, "event 1: it is none of send, sack"),
        ({"events": [{"send": [1]}]}, "event 1: the key 'at' is missing"),
        (
            {"events": [{"at": "5", "send": [1]}, {"at": "4", "sack": 1}]},
            "event 2: 4 ms is before the event above it",
        ),
        ({"runs": [{"profile": "rfc9260", "expected": {"marks": []}}]}, "run 1 does not say which"),
        (
            {
                "runs": [
                    {
                        "profile": "rfc9260",
                        "parameters": {"dup_thresh": 1},
                        "expected": {"marks": [], "expectations": []},
                    }
                ]
            },
            "run 1: parameter dup_thresh cannot be '1'",
        ),
        ({"runs": 3}, "not iterable"),
    ],
)
def test_a_broken_file_is_one_line_that_names_file_and_place(
    broken: dict[str, object],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = {"profile": "rfc8985", "expected": {"marks": [], "expectations": []}}
    whole = {"id": "V", "title": "v", "story": "v", "events": [], "runs": [run]}
    path = tmp_path / "V.json"
    path.write_text(json.dumps({**whole, "not_checked": ["nothing"], **broken}))

    assert main([str(path)]) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"{path} is not a vector: " in printed.err
    assert words in printed.err
    assert printed.err.count("\n") == 1


def test_a_file_that_is_no_vector_is_named(tmp_path: Path) -> None:
    path = tmp_path / "V.json"
    path.write_text(json.dumps({"id": "V"}))

    with pytest.raises(VectorError, match=r"V\.json is not a vector"):
        load(str(path))


def test_milliseconds_are_written_exactly() -> None:
    assert [ms(0), ms(1), ms(1_500_000), ms(-250_000)] == ["0", "0.000001", "1.5", "-0.25"]


ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    1.5,
    "x",
    [],
    {},
    [[]],
    [None],
    {"p0": 1},
    "1/0",
    1 << 40,
)


def _places(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inside = dict(enumerate(value)) if isinstance(value, list) else value
    if not isinstance(inside, dict):
        return
    for key, below in inside.items():
        yield (*place, key)
        yield from _places(below, (*place, key))


@pytest.mark.parametrize("name", ["T22", "T26", "T38", "T43", "N5"])
def test_no_value_in_a_file_ends_in_a_traceback(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, path = (FOLDER / f"{name}.json").read_text(encoding="utf-8"), tmp_path / "V.json"
    for number, place in enumerate(_places(json.loads(text))):
        for odd in ODD[number % 2 :: 2]:
            data = json.loads(text)
            inner = data
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = odd
            path.write_text(json.dumps(data))

            code = main([str(path)])
            printed = capsys.readouterr()
            assert (code, printed.err.count("\n")) in ((0, 0), (3, 1)), (place, odd)
