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
}


@pytest.mark.parametrize(("call", "right"), CALLS.items())
def test_the_command_names_the_right_words(call: str, right: list[str]) -> None:
    result = called(*call.split(), SAMPLE)

    assert (result.returncode, result.stdout) == (2, b"")
    assert [word for word in right if word not in result.stderr.decode()] == []


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
    "a direction": (lambda capture: capture.transmissions.where(dir="up"), list(Dir)),
    "a kind of graph": (lambda capture: capture.associations[0].a2b.plot("seq"), list(KINDS)),
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
    with pytest.raises((KeyError, ValueError, UsageError)) as error:
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
