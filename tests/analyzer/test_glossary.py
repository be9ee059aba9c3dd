# SPDX-License-Identifier: BSD-2-Clause
"""A word of the output is explained; one that is none gets an error with the right ones."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from sctp_rack.commands.cli import cli
from sctp_rack.errors import UsageError
from sctp_rack.names import ENUMS, MEANINGS
from sctp_rack.wording.glossary import Entry, check_word, entries, look_up

from tests.captures import ROOT


def told(*words: str) -> str:
    result = CliRunner().invoke(cli, ["glossary", *words], env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output
    return result.output


def test_every_word_of_every_enum_and_the_terms_of_the_text_are_in_it() -> None:
    assert {(entry.enum, entry.word) for entry in entries()} >= {
        (enum, word) for enum, words in MEANINGS.items() for word in words
    }
    assert {"a, b", "class", "tap"} <= {entry.word for entry in entries() if not entry.enum}


def test_a_word_of_several_enums_is_told_of_each() -> None:
    assert {entry.enum for entry in look_up("spurious")} == {"verdict", "probe_outcome"}


def test_an_enum_is_told_with_all_its_words() -> None:
    assert [entry.word for entry in look_up("verdict")][-3:] == list(MEANINGS["verdict"])


@pytest.mark.parametrize("word", ["a", "b", "A", "s8", "Class", "t3_gbn"])
def test_spelling_does_not_matter(word: str) -> None:
    assert look_up(word)


#: What people write, and what they meant.
WRONG = {
    "spurius": "spurious",
    "needded": "needed",
    "undeterminate": "undetermined",
    "t3gbn": "t3_gbn",
    "fast-deferred": "fast_deferred",
    "retransmision": "retransmission",
    "tail_los": "tail",
    "zero_windo": "zero_window_probe",
    "usrsct": "usrsctp",
    "dcstp": "dcsctp",
}


@pytest.mark.parametrize(("wrong", "right"), WRONG.items())
def test_an_unknown_word_is_an_error_with_those_like_it(wrong: str, right: str) -> None:
    with pytest.raises(UsageError, match=rf"no word '{wrong}'.*\b{right}\b"):
        look_up(wrong)
    result = CliRunner().invoke(cli, ["glossary", wrong])
    assert result.exit_code != 0


def test_what_is_like_no_word_is_told_where_all_are() -> None:
    with pytest.raises(UsageError, match="sctp-rack glossary lists all"):
        look_up("xyzzyxyzzy")


@pytest.mark.parametrize("enum", sorted(ENUMS))
def test_a_value_that_a_column_never_has_is_an_error_with_those_that_it_has(enum: str) -> None:
    with pytest.raises(ValueError, match=re.escape(next(iter(MEANINGS[enum])))):
        check_word(f"table.{enum}", enum, "no such word")
    for word in MEANINGS[enum]:
        check_word(f"table.{enum}", enum, word)
    check_word(f"table.{enum}", enum, None)


def test_the_command_says_it_in_columns_that_fit_the_terminal() -> None:
    text = told("spurious", "S8")

    assert "verdict: whether a retransmission was needed" in text
    assert "  spurious              an earlier copy" in text.splitlines()[1]
    assert max(map(len, told().splitlines())) <= 100


def test_the_page_has_every_entry() -> None:
    page = Path(ROOT, "docs", "glossary.md").read_text()
    missing = [entry for entry in entries() if not _on(page, entry)]
    assert missing == []


def _on(page: str, entry: Entry) -> bool:
    if entry.enum:
        return f"| `{entry.word}` | `{entry.enum}` | {entry.meaning} |" in page
    return f"| {entry.word} |  | {entry.meaning} |" in page
