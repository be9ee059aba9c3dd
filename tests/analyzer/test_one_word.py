# SPDX-License-Identifier: BSD-2-Clause
"""One word for one thing, in columns, filters, sentences, legends and documents."""

import ast
import re
import runpy
import tomllib
from pathlib import Path

import pytest

from tests.captures import ROOT

WORDS = runpy.run_path(str(ROOT / "docs/words.py"))

#: Other words for what has one already.
OTHERS = {
    "undetermined": r"annot be judged",
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


def test_every_word_has_its_line() -> None:
    enums = tomllib.loads((ROOT / "names.toml").read_text())["enum"]
    words = [
        (word, enum)
        for enum, meanings in enums.items()
        for word, meaning in meanings.items()
        if word != "about" and isinstance(meaning, str)
    ]
    page = (ROOT / "docs/words.md").read_text()
    assert sorted(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.M)) == sorted(words)


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


#: Where sentences stand beside code, in which a name may be shorter than a word.
SENTENCES = [
    path
    for path in (*READ_BY_USERS, *(ROOT / "analyzer/sctp_rack/schema").glob("*.json"))
    if path.suffix in {".md", ".toml", ".html", ".json", ".py"}
]


def sentences(path: Path) -> str:
    """Of a program, its texts of several words without what documents it."""
    text = path.read_text()
    if path.suffix == ".md":
        return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    if path.suffix != ".py":
        return text
    tree = ast.parse(text)
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return "\n".join(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and " " in node.value
        and id(node) not in documents
    )


def test_what_is_sent_again_is_a_retransmission_and_no_resend() -> None:
    other = re.compile(r"\b[Rr]esen(?:ds?|t)\b")
    assert [
        path.name
        for path in SENTENCES
        if other.search(path.read_text()) and other.search(sentences(path))
    ] == []
