# SPDX-License-Identifier: BSD-2-Clause
"""A word that is none is an error that names the right ones, at every face, and never no result."""

from collections.abc import Callable
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.errors import UsageError
from sctp_rack.names import Dir, Profile, Severity, Vantage, Verdict
from sctp_rack.plots import KINDS
from sctp_rack.readers.choose import READERS

from tests.captures import SAMPLE
from tests.commands.called import called
from tests.lua import drop_in

#: A call of the command, and what its error names.
CALLS: dict[str, list[str]] = {
    "analyse": ["analyze"],
    "analyze --asoc 0": ["--assoc"],
    "analyze --fail-on bad": list(Severity),
    "analyze --dir atob": list(Dir),
    "analyze --reader wireshark": list(READERS),
    "analyze --vantage left": [Vantage.SENDER, Vantage.MIDDLE, Vantage.RECEIVER],
    "analyze --profile bsd": [one for one in Profile if one != "unknown"],
    "explain --frme 3": ["--frame"],
    "explain --dir forth --frame 5": list(Dir),
    "export --table retransmissions": list(LAYOUTS),
    "export --table sacks --format xml": ["ndjson", "csv", "parquet", "arrow"],
    "export --table storms --form b2a": ["--from", "--format"],
    "plot -o x.html --kind seq": list(KINDS),
    "plot -o x.html --unit chunks": ["tsn", "bytes"],
    "plot -o x.gif": [".html", ".svg", ".png", ".xpl"],
    "compare --dir up": list(Dir),
    "annotate --form 3": ["--from"],
    "report --outptu x.html": ["--output"],
    "report -o x.pdf": [".html"],
    f"compare -o x.csv {SAMPLE}": [".html"],
    "export --table sacks --format csv -o x.parquet": ["csv", "parquet"],
    "export --table all -o x.parquet": ["directory"],
    "export --table sacks -o x.xlsx": ["ndjson", "csv", "parquet", "arrow"],
    "export": ["  transmissions,\n  sacks"],
    "export --table sacks --from 5 --to 3": ["--from 5 is behind --to 3"],
    "export --table sacks --from 900": ["lasts 7.869060 s"],
    "annotate --to -1": ["lasts 7.869060 s"],
    "limits --dir b2a": ["all goes the other way"],
    "whatif --dir b2a": ["all goes the other way"],
    "plot -o x.html --dir b2a": ["all goes the other way"],
    f"compare --dir b2a {SAMPLE}": ["all goes the other way"],
    "batch -o x --table sack": list(LAYOUTS),
    "batch -o x --scheduler dask": ["tcp://HOST:8786"],
    "batch -o x --report x.pdf": [".html"],
    "watch -o x": ["no folder"],
}


@pytest.mark.parametrize(("call", "right"), CALLS.items())
def test_the_command_names_the_right_words(call: str, right: list[str]) -> None:
    result = called(*call.split(), SAMPLE)

    assert (result.returncode, result.stdout) == (2, b"")
    assert [word for word in right if word not in result.stderr.decode()] == []


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("fleet") / "out"
    assert called("batch", SAMPLE, "-o", out).returncode == 0
    return out


#: What a dataset is asked, and what the error names.
QUERIES: dict[tuple[str, ...], list[str]] = {
    ("SELECT caus FROM transmissions",): ['"cause"'],
    ("SELECT cause FROM transmision",): ['"transmissions"'],
    ("SELECT tsn FROM transmissions WHERE verdict = 'spurios'",): list(Verdict),
    ("SELECT count(*) FILTER (WHERE 'atob' <> t.dir) FROM sacks t",): list(Dir),
    ("SELECT sum(n) FROM (SELECT 1 n FROM sacks WHERE kind IN ('sack', 'nr'))",): ["nr_sack"],
    ("SELECT capture FROM captures WHERE status = 'good'",): ["unread"],
    ("--named", "wrst"): ["worst", "causes"],
    ("--named", "ab", "--split", "2036-01-01"): ["from 2026-05-10T08:35:42"],
    ("--named", "ab", "--before", "x*", "--after", "*"): [SAMPLE.name],
    ("--named", "worst", "--format", "text", "-o", "x.csv"): ["csv"],
}


@pytest.mark.parametrize(("asked", "right"), QUERIES.items())
def test_a_query_names_the_right_words(
    asked: tuple[str, ...], right: list[str], dataset: Path
) -> None:
    result = called("query", dataset, *asked)

    assert (result.returncode, result.stdout) == (2, b"")
    assert len(result.stderr.splitlines()) == (4 if b"Usage" in result.stderr else 1)
    assert [word for word in right if word not in result.stderr.decode()] == []


def test_a_query_may_call_its_own_columns_as_it_likes(dataset: Path) -> None:
    sql = (
        "WITH seen AS (SELECT tsn, 'mine' AS verdict FROM transmissions WHERE verdict = 'needed')"
        " SELECT count(*) FROM seen WHERE verdict = 'mine'"
    )
    assert called("query", dataset, sql, "--format", "csv").stdout.splitlines()[1] == b"21"


def test_the_name_of_an_output_says_its_format(dataset: Path, tmp_path: Path) -> None:
    for call in (("export", SAMPLE, "--table", "sacks"), ("query", dataset, "--named", "worst")):
        assert called(*call, "-o", tmp_path / "x.parquet").returncode == 0
        assert (tmp_path / "x.parquet").read_bytes()[:4] == b"PAR1"


@pytest.mark.parametrize(("wrong", "right"), [("spuriuos", "spurious"), ("t3_gnb", "t3_gbn")])
def test_the_glossary_names_the_right_word(wrong: str, right: str) -> None:
    result = called("glossary", wrong)

    assert (result.returncode, result.stdout) == (2, b"")
    assert right in result.stderr.decode()


#: What Python is asked, and what its error names.
ASKED: dict[str, tuple[Callable[[Capture], object], list[str]]] = {
    "a table": (lambda capture: capture.table("sack"), list(LAYOUTS)),
    "a table to read": (lambda _: sctp_rack.read(tables=["sack"]), list(LAYOUTS)),
    "a column": (lambda capture: capture.transmissions["tns"], ["tsn"]),
    "a column of where": (lambda capture: capture.sacks.where(cum=3), ["cum_tsn"]),
    "a word of where": (
        lambda capture: capture.transmissions.where(verdict="spurius"),
        list(Verdict),
    ),
    "a word of several": (
        lambda capture: capture.transmissions.where(verdict=["needed", "no"]),
        list(Verdict),
    ),
    "a word of a mask": (
        lambda capture: capture.transmissions["verdict"] == "spurius",
        list(Verdict),
    ),
    "a word of a mask without nulls": (
        lambda capture: capture.transmissions[:5]["kind"] != "orginal",
        ["original"],
    ),
    "a direction": (lambda capture: capture.transmissions.where(dir="up"), list(Dir)),
    "a kind of graph": (lambda capture: capture.associations[0].a2b.plot("seq"), list(KINDS)),
    "a number": (lambda capture: capture.transmissions.where(tsn="abc"), ["tsn", "'abc'"]),
    "a moment": (
        lambda capture: capture.transmissions.between("1 s"),  # type: ignore[arg-type]
        ["seconds", "datetime"],
    ),
    "a time that ends before": (lambda capture: capture.sacks.between(5, 2), ["5 is behind 2"]),
    "a unit": (
        lambda capture: capture.associations[0].a2b.plot(unit="chunks"),  # type: ignore[arg-type]
        ["tsn", "bytes"],
    ),
    "nothing to compare": (lambda _: sctp_rack.compare({}), ["no capture to compare"]),
    "a vantage": (lambda _: sctp_rack.read(vantage="left"), ["sender", "middle", "receiver"]),
    "a profile": (lambda _: sctp_rack.read(profile="bsd"), ["usrsctp"]),
    "a reader": (lambda _: sctp_rack.read(reader="wireshark"), list(READERS)),
}


@pytest.fixture(scope="module")
def sample() -> Capture:
    return sctp_rack.read()


@pytest.mark.parametrize(("ask", "right"), ASKED.values(), ids=ASKED)
def test_python_names_the_right_words(
    ask: Callable[[Capture], object], right: list[str], sample: Capture
) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, UsageError)) as error:
        ask(sample)

    assert [word for word in right if word not in str(error.value)] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-Y", "sctp.analysis.spurios"), "neither a field nor a protocol name"),
        (("-o", "sctp_rack.vantge:sender"), "unknown preference"),
    ],
)
def test_wireshark_refuses_a_field_and_a_preference_that_are_none(
    options: tuple[str, str], said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        drop_in.tshark(Path(SAMPLE), *options)
