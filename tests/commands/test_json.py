# SPDX-License-Identifier: BSD-2-Clause
"""What `--json` writes is what the schemas in the package say of it."""

import copy
import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from sctp_rack.summary.show import SCHEMAS

from tests.analyzer.test_bad_input import broken
from tests.captures import BUNDLED, ROOT, SAMPLE
from tests.commands.called import called

SCRIPT = runpy.run_path(str(ROOT / "docs/schemas.py"))


def validator(command: str) -> Draft202012Validator:
    path = ROOT / "analyzer/sctp_rack/schema" / f"{SCHEMAS[command]}.json"
    schema = json.loads(path.read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def said(*arguments: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in called(*arguments).stdout.splitlines()]


def test_the_schemas_are_those_of_the_code() -> None:
    assert SCRIPT["main"](["--check"]) == 0


def test_a_schema_that_is_out_of_date_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SCRIPT["main"].__globals__, "FOLDER", tmp_path / "schema")
    assert SCRIPT["main"](["--check"]) == 1
    assert capsys.readouterr().err.splitlines()[0] == "analyze-1.json: run `make schemas`"
    assert SCRIPT["main"]([]) == 0
    assert SCRIPT["main"](["--check"]) == 0


def test_every_field_of_words_is_a_field() -> None:
    text = "".join(path.read_text() for path in SCRIPT["FOLDER"].iterdir())
    told = {name.partition(".")[2] for name in SCRIPT["WORDS"]}

    assert {name for name in told if f'"{name}": {{' not in text} == set()
    assert {enum for enum in SCRIPT["WORDS"].values() if f"#/$defs/{enum}" not in text} == set()


def test_analyze_of_every_sample_is_valid() -> None:
    lines, check = said("analyze", "--json", BUNDLED), validator("analyze")

    assert len(lines) > 80
    assert {line["schema"] for line in lines} == {"analyze-1"}
    assert [error.message for line in lines for error in check.iter_errors(line)] == []


def test_what_cannot_be_read_is_an_object_with_its_error(tmp_path: Path) -> None:
    missing = tmp_path / "missing.pcap"
    cut = broken(tmp_path, "cut.pcapng", lambda data: data[:-1000])
    lines, check = said("analyze", "--json", missing, cut), validator("analyze")

    assert lines[0] == {
        "schema": "analyze-1",
        "capture": str(missing),
        "error": f"{missing}: No such file or directory",
    }
    assert [error.message for line in lines for error in check.iter_errors(line)] == []
    assert called("analyze", "--json", missing).returncode == 3


@pytest.mark.parametrize("name", ["usr_ge_nrsack.sender.pcapng", "pion-tail-loss.sender.pcap"])
def test_stories_are_valid(name: str) -> None:
    (summary,) = said("analyze", "--json", BUNDLED / name)
    frame = next(finding["frames"][0] for finding in summary["findings"] if finding["frames"])
    (story,) = said("explain", "--json", BUNDLED / name, "--frame", frame)

    assert story["schema"] == "explain-1" and story["retransmissions"]
    assert [error.message for error in validator("explain").iter_errors(story)] == []


def test_comparisons_are_valid() -> None:
    others = [
        SAMPLE,
        *(BUNDLED / f"pion-tail-loss{which}.sender.pcap" for which in ("", "-no-rack")),
    ]
    (compared,) = said("compare", "--json", *others)

    assert compared["schema"] == "compare-1" and len(compared["captures"]) == 3
    assert [error.message for error in validator("compare").iter_errors(compared)] == []


@pytest.mark.parametrize("name", ["usr_ge_nrsack.sender.pcapng", "usrsctp-both-ways.middle.pcap"])
def test_limits_are_valid(name: str) -> None:
    (told,) = said("limits", "--json", BUNDLED / name)

    assert told["schema"] == "limits-1" and told["directions"]
    assert [error.message for error in validator("limits").iter_errors(told)] == []
    for direction in told["directions"]:
        assert sum(one["share"] for one in direction["limits"]) == pytest.approx(1)


@pytest.mark.parametrize("name", ["usr_ge_nrsack.sender.pcapng", "pion-tail-loss.sender.pcap"])
def test_what_if_is_valid(name: str) -> None:
    (told,) = said("whatif", "--json", BUNDLED / name)

    assert told["schema"] == "whatif-1" and told["nr_sack"] and told["rack"]
    assert told["assumed"]["nr_sack"] and told["assumed"]["rack"]
    assert [error.message for error in validator("whatif").iter_errors(told)] == []
    (told,) = said("whatif", "--json", "--rack", BUNDLED / name)
    assert told["nr_sack"] is None and told["assumed"]["nr_sack"] == []
    assert validator("whatif").is_valid(told)
    (told,) = said("whatif", "--json", "--sack-every", "1", BUNDLED / name)
    assert told["nr_sack"] is None and told["rack"] is None and told["assumed"]["sack_rule"]
    assert told["sack_rule"][0]["sack_every"] == 1 and validator("whatif").is_valid(told)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.pop("packets"),
        lambda one: one.update(schema="analyze-0"),
        lambda one: one.update(frames="673"),
        lambda one: one["associations"][0].update(how_started="handshaken"),
        lambda one: one["associations"][0]["a"]["recovery"]["verdicts"].update(needless={"5": 1}),
        lambda one: one["findings"][0].update(severity="fatal"),
    ],
)
def test_what_is_no_longer_so_is_not_valid(change: Any) -> None:
    (line,) = said("analyze", "--json", SAMPLE)
    other = copy.deepcopy(line)
    change(other)

    check = validator("analyze")
    assert check.is_valid(line)
    assert not check.is_valid(other)
