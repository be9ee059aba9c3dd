# SPDX-License-Identifier: BSD-2-Clause
"""Twenty wrong words at each face: an error, of ours with the right words, never no result."""

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.names import Dir, Profile, Vantage
from sctp_rack.plots import KINDS
from sctp_rack.readers.choose import READERS

from tests.captures import ROOT, SAMPLE
from tests.commands.called import called
from tests.lua import drop_in
from tests.lua.lua_model import DROP_IN
from tests.plugin.test_frames import sharkd
from tests.plugin.test_words import words_of
from tests.plugin.wireshark import Wireshark

#: Words of columns that Wireshark has as fields, each near to a right one: (field, wrong, right).
WRONG = (
    ("sctp.analysis.verdict", "spurios", "spurious"),
    ("sctp.analysis.verdict", "needless", "needed"),
    ("sctp.analysis.verdict", "undetermind", "undetermined"),
    ("sctp.analysis.cause", "t2", "t3"),
    ("sctp.analysis.cause", "t3_gnb", "t3_gbn"),
    ("sctp.analysis.cause", "fast_retransmit", "fast"),
    ("sctp.analysis.cause", "rack_time", "rack_timer"),
    ("sctp.analysis.cause", "tail_loss_probe", "tlp"),
    ("sctp.analysis.cause", "zero_window", "zero_window_probe"),
    ("sctp.analysis.kind", "retransmision", "retransmission"),
    ("sctp.analysis.kind", "reorderd", "reordered"),
    ("sctp.analysis.kind", "duplicate", "network_duplicate"),
    ("sctp.analysis.outcome", "acknowledged", "acked"),
    ("sctp.analysis.outcome", "losst", "lost"),
    ("sctp.analysis.probe", "new", "new_data"),
    ("sctp.analysis.rack_lost.trigger", "miss2", "miss3"),
    ("sctp.analysis.rack_lost.resolution", "false_positive", "false_mark"),
    ("sctp_rack.sack.kind", "nrsack", "nr_sack"),
    ("sctp.analysis.probe.outcome", "repaired", "repaired_single_loss"),
    ("sctp_rack.dir", "a_to_b", "a2b"),
)
assert len(WRONG) == 20
COLUMNS = {
    name: column
    for name, _, column, *_ in tomllib.loads((ROOT / "names.toml").read_text(encoding="utf-8"))[
        "wireshark"
    ]["fields"]
}

#: Options of the command whose value is a word, and the words that there are.
OPTIONS: dict[str, list[str]] = {
    "analyze --vantage": [Vantage.SENDER, Vantage.MIDDLE, Vantage.RECEIVER],
    "analyze --profile": [one for one in Profile if one != "unknown"],
    "analyze --reader": list(READERS),
    "explain --frame 347 --dir": list(Dir),
    "export --table": list(LAYOUTS),
    "plot -o x.html --kind": list(KINDS),
}

wrong_words = pytest.mark.parametrize(
    ("field", "wrong", "right"), WRONG, ids=[wrong for _, wrong, _ in WRONG]
)


@wrong_words
def test_python_has_an_error_that_lists_the_words(
    field: str, wrong: str, right: str, sample: sctp_rack.Capture
) -> None:
    table, column = COLUMNS[field].split(".")
    with pytest.raises(ValueError, match=f"'{right}'|\\b{right}\\b") as error:
        sample.table(table).where(**{column: wrong})
    assert [word for word in words_of(field) if word not in str(error.value)] == []


@wrong_words
def test_a_query_has_an_error_that_lists_the_words(
    field: str, wrong: str, right: str, dataset: Path
) -> None:
    table, column = COLUMNS[field].split(".")
    sql = f"SELECT count(*) FROM {table} WHERE {column} = '{wrong}'"
    result = called("query", dataset, sql)
    assert (result.returncode, result.stdout) == (2, b"")
    assert [word for word in words_of(field) if word not in result.stderr.decode()] == []
    assert right in result.stderr.decode()


@pytest.mark.parametrize("option", OPTIONS)
def test_the_command_has_an_error_that_lists_the_words(option: str) -> None:
    for _, wrong, _ in WRONG:
        result = called(*option.split(), wrong, SAMPLE)
        assert (result.returncode, result.stdout) == (2, b"")
        said = result.stderr.decode()
        assert [word for word in OPTIONS[option] if word not in said] == [], wrong


@pytest.fixture(scope="module", params=["plugin", "drop-in"])
def face(request: pytest.FixtureRequest) -> Iterator[Wireshark]:
    """Wireshark with the plugin, and one that has the drop-in instead."""
    if request.param == "plugin":
        yield request.getfixturevalue("wireshark")
        return
    alone = Wireshark(None)
    scripts = alone.home / ".local" / "lib" / "wireshark" / "plugins"
    scripts.mkdir(parents=True)
    shutil.copy(DROP_IN, scripts)
    for path in (*scripts.parents, scripts, scripts / DROP_IN.name):
        if alone.home in path.parents:
            path.chmod(0o755)
    yield alone
    alone.close()


def test_a_display_filter_is_refused(face: Wireshark) -> None:
    filters = [
        f"{field} {how}"
        for field, wrong, right in WRONG
        for how in (f'== "{wrong}"', f'in {{"{right}", "{wrong}"}}', f'== "{right}"')
    ]
    asked: list[dict[str, object]] = [
        {"method": "check", "params": {"filter": each}} for each in filters
    ]
    answers = sharkd(face, *asked)
    refused = [each for each, said in zip(filters, answers, strict=True) if "error" in said]
    assert refused == [each for number, each in enumerate(filters) if number % 3 < 2]


@pytest.mark.long
@pytest.mark.parametrize("where", ["plugin", "drop-in"])
def test_a_preference_is_complained_of_with_the_words_that_there_are(
    where: str, wireshark: Wireshark
) -> None:
    wireshark.capture(SAMPLE)
    for at in range(0, len(WRONG), 3):
        wrong = [each[1] for each in WRONG[at : at + 3]]
        told = list(zip(("vantage", "sender", "profile"), wrong, strict=False))
        options = [each for name, word in told for each in ("-o", f"sctp_rack.{name}:{word}")]
        if where == "plugin":
            said = wireshark.process("tshark", "-r", SAMPLE.name, "-c", "1", *options).stderr
        else:
            said = drop_in.tshark(SAMPLE, "-c", "1", *options, complains=True).stderr
        for name, word in told:
            right = {"vantage": "receiver", "sender": "measured", "profile": "rfc9260"}[name]
            assert re.search(rf'sctp_rack.{name}: "{word}" is not .*\b{right}\b', said), said


@pytest.fixture(scope="module")
def sample() -> sctp_rack.Capture:
    return sctp_rack.read()


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wrong") / "out"
    named = {COLUMNS[field].split(".")[0] for field, _, _ in WRONG}
    tables = [option for name in sorted(named) for option in ("--table", name)]
    assert called("batch", SAMPLE, "-o", out, *tables).returncode == 0
    return out
