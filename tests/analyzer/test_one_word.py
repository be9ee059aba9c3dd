# SPDX-License-Identifier: BSD-2-Clause
"""One word for one thing, in columns, filters, sentences, legends and documents."""

import re
import runpy
from pathlib import Path

import pytest

from tests.captures import ROOT

WORDS = runpy.run_path(str(ROOT / "docs/words.py"))

#: Other words for what has one already.
OTHERS = {
    "spurious": r"needless|unneeded|again for nothing|unnecessary retransmi|superfluous"
    r"|useless retransmi",
    "T3-rtx": r"T3 timer|RTO timer|T3_rtx",
    "missing report": r"miss indication|duplicate ack|dupack|HTNA",
    "tail loss probe": r"tail-loss probe|(?<!RACK-)TLP probe",
    "SCTP loss recovery": r"SCTP-RACK",
    "retransmission queue": r"retransmit queue|resend queue",
    "cumulative TSN": r"cum TSN|cumulative ack\b",
}

READ_BY_USERS = sorted(
    path
    for pattern in (
        *("README.md", "names.toml", "docs/**/*.md", "lua/*.lua", "dissector/*.[ch]"),
        *("analyzer/sctp_rack/**/*.py", "analyzer/sctp_rack/**/*.js"),
        "analyzer/sctp_rack/report/templates/*",
    )
    for path in ROOT.glob(pattern)
    # The reference model and its documents use the words of the texts that they are read beside.
    if "reference" not in path.parts and path.name not in {"reference-model.md", "spec-map.md"}
)


def test_the_page_of_words_is_what_the_code_says() -> None:
    assert (ROOT / "docs/words.md").read_text() == WORDS["page"]()


@pytest.mark.parametrize("word", OTHERS)
def test_nothing_has_a_second_name(word: str) -> None:
    other = re.compile(OTHERS[word])
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in READ_BY_USERS
        for number, line in enumerate(Path(path).read_text().splitlines(), 1)
        if other.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("enum", WORDS["ENUMS_SHOWN"])
def test_every_word_reads_as_something_that_no_other_does(enum: str) -> None:
    for phrases in WORDS["ENUMS_SHOWN"][enum]:
        assert len(set(phrases.values())) == len(phrases)
