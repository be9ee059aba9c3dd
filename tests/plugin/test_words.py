# SPDX-License-Identifier: BSD-2-Clause
"""Fields of words are numbers that Wireshark has words for, so that a misspelt one is an error."""

import re
import tomllib

import pytest

from tests.captures import BUNDLED, ROOT, SAMPLE
from tests.plugin.wireshark import Wireshark

NAMES = tomllib.loads((ROOT / "names.toml").read_text(encoding="utf-8"))
WORD_FIELDS = [name for name, kind, *_ in NAMES["wireshark"]["fields"] if kind == "word"]

#: Captures that between them have most words.
CAPTURES = (
    SAMPLE,
    BUNDLED / "pion-tail-loss.sender.pcap",
    BUNDLED / "usrsctp-delay-spike.sender.pcap",
)

#: What of ours has display filters.
WITH_FILTERS = (
    "docs/wireshark.md",
    "docs/lua.md",
    "docs/limits.md",
    "docs/field-reference.md",
    "lua/sctp_rack.lua",
    *(f"lua/profile/{name}" for name in ("colorfilters", "dfilter_buttons", "io_graphs", "plots")),
)
#: What docs/wireshark.md gives as misspelt.
MISSPELT = "spurios"


def words_of(field: str) -> list[str]:
    """Of the enum that the field has, in the order of their numbers."""
    column = next(each[2] for each in NAMES["wireshark"]["fields"] if each[0] == field)
    table, name = column.split(".")
    kind = next(each[1] for each in NAMES["table"][table]["columns"] if each[0] == name)
    return [word for word in NAMES["enum"][kind.split(":")[1]] if word not in ("about", "short")]


def assert_told_alike(fields: list[str], row: list[str]) -> set[str]:
    """That each number stands beside its word; returns what there is, as `field word`."""
    seen = set[str]()
    for at, field in enumerate(fields):
        numbers, texts = (row[2 * at + part].split(",") for part in (0, 1))
        words = words_of(field)
        assert [words[int(number)] for number in numbers if number] == [*filter(None, texts)]
        seen |= {f"{field} {text}" for text in texts if text}
    return seen


def asked_for(fields: list[str]) -> list[str]:
    """Each field with its text behind it."""
    return [name for field in fields for name in (field, f"{field}.str")]


def test_a_number_stands_beside_its_word(wireshark: Wireshark) -> None:
    asked = [option for name in asked_for(WORD_FIELDS) for option in ("-e", name)]
    seen = set[str]()
    for capture in CAPTURES:
        for line in wireshark.tshark(capture, "-2", "-T", "fields", *asked).splitlines():
            seen |= assert_told_alike(WORD_FIELDS, line.split("\t"))
    assert len(seen) > 40


def test_columns_and_details_show_words(wireshark: Wireshark) -> None:
    columns = '"Verdict","%Cus:sctp.analysis.verdict:0:R","Why","%Cus:sctp.analysis.cause:0:R"'
    options = ("-2", "-Y", "frame.number == 347")
    listed = wireshark.tshark(SAMPLE, *options, "-o", f"gui.column.format:{columns}")
    assert listed.split() == ["spurious", "fast"]
    details = wireshark.tshark(SAMPLE, *options, "-V", "-O", "sctp_rack")
    assert "[Verdict: spurious (an earlier copy" in details
    assert "Verdict: word" not in details


def test_texts_of_words_are_hidden(wireshark: Wireshark) -> None:
    shown = wireshark.tshark(SAMPLE, "-2", "-T", "pdml", "-J", "sctp_rack")
    hidden = set(re.findall(r'name="(sctp[^"]*)"[^>]* hide="yes"', shown))
    assert "sctp.analysis.verdict.str" in hidden
    assert not hidden & set(WORD_FIELDS)


@pytest.mark.parametrize("path", WITH_FILTERS)
def test_our_filters_have_words_that_there_are(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8").replace("\\x22", '"').replace('\\"', '"')
    compared = [
        (field, word)
        for field in WORD_FIELDS
        for said in re.findall(rf'{re.escape(field)} (?:==|!=|in) ("\w+"|\{{[^}}]*\}})', text)
        for word in re.findall(r'"(\w+)"', said)
    ]
    assert [
        (field, word) for field, word in compared if word not in (*words_of(field), MISSPELT)
    ] == []
    assert not re.findall(
        rf"({'|'.join(map(re.escape, WORD_FIELDS))}) *(?:matches|contains|~)", text
    )
