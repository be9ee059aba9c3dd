# SPDX-License-Identifier: BSD-2-Clause
"""Each word of an enum that filters are made of has a field, so that a misspelt one is an error."""

import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.captures import BUNDLED, ROOT, SAMPLE
from tests.plugin.wireshark import Wireshark

NAMES = tomllib.loads((ROOT / "names.toml").read_text(encoding="utf-8"))
WORD_FIELDS = NAMES["wireshark"]["word_fields"]

#: Captures that between them have most words.
CAPTURES = (
    SAMPLE,
    BUNDLED / "pion-tail-loss.sender.pcap",
    BUNDLED / "usrsctp-delay-spike.sender.pcap",
)

#: What docs/wireshark.md warns of.
MISSPELT = 'sctp.analysis.cause == "t2"'


def words_of(field: str) -> list[str]:
    """Of the enum that the field holds."""
    column = next(each[2] for each in NAMES["wireshark"]["fields"] if each[0] == field)
    table, name = column.split(".")
    kind = next(each[1] for each in NAMES["table"][table]["columns"] if each[0] == name)
    return [word for word in NAMES["enum"][kind.split(":")[1]] if word not in ("about", "short")]


def columns() -> Iterator[str]:
    """Each field, and behind it those of its words."""
    for field in WORD_FIELDS:
        yield field
        yield from (f"{field}.{word}" for word in words_of(field))


def test_the_field_of_a_word_is_where_the_word_is(wireshark: Wireshark) -> None:
    asked = [option for name in columns() for option in ("-e", name)]
    seen = set[str]()
    for capture in CAPTURES:
        printed = wireshark.tshark(capture, "-2", "-T", "fields", *asked)
        for line in printed.splitlines():
            held = dict(zip(columns(), line.split("\t"), strict=True))
            for field in WORD_FIELDS:
                words = {word for word in words_of(field) if held[f"{field}.{word}"]}
                assert words == set(filter(None, held[field].split(",")))
                seen |= {f"{field}.{word}" for word in words}
    assert len(seen) > 20


def test_a_misspelt_word_is_an_error(wireshark: Wireshark) -> None:
    wireshark.capture(SAMPLE)
    done = wireshark.process(
        "tshark", "-2", "-r", SAMPLE.name, "-Y", "sctp.analysis.verdict.spurios"
    )
    assert done.returncode != 0
    assert "sctp.analysis.verdict.spurios" in done.stderr


def test_fields_of_words_are_hidden(wireshark: Wireshark) -> None:
    shown = wireshark.tshark(SAMPLE, "-2", "-T", "pdml", "-J", "sctp_rack")
    hidden = set(re.findall(r'name="(sctp[^"]*)"[^>]* hide="yes"', shown))
    assert "sctp.analysis.verdict.spurious" in hidden
    assert not hidden & set(WORD_FIELDS)
    assert "Verdict: spurious: " not in wireshark.tshark(SAMPLE, "-2", "-V", "-O", "sctp_rack")


@pytest.mark.parametrize(
    "path",
    [
        "docs/wireshark.md",
        "docs/lua.md",
        "lua/sctp_rack.lua",
        *[
            f"lua/profile/{name}"
            for name in ("colorfilters", "dfilter_buttons", "io_graphs", "plots")
        ],
    ],
)
def test_no_filter_of_ours_has_a_word_that_may_be_misspelt(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8").replace(f"`{MISSPELT}`", "")
    assert not re.findall(rf"({'|'.join(map(re.escape, WORD_FIELDS))}) *(?:==|matches)", text)
