# SPDX-License-Identifier: BSD-2-Clause
"""The notebooks run, show what they speak of, and are kept as text alone."""

import re
import runpy
import shutil
from pathlib import Path
from typing import Any

import jupytext
import pytest

from tests.captures import ROOT

_COMMAND = runpy.run_path(str(ROOT / "docs/notebooks.py"))
executed, notebooks, page = (_COMMAND[name] for name in ("executed", "notebooks", "page"))

#: What must be among the outputs of each; a graph is one of Plotly.
SHOWN = {
    "first-capture": [
        "9 of 30 retransmissions were spurious (certain)",
        "Copy 3, frame 347",
        GRAPH := "plotly",
    ],
    "why-was-it-resent": ["all 10 needed ones earlier by a tail loss probe", GRAPH],
    "rack-against-three-missing-reports": [
        "loss rate 8 / 4 = 200 % of the TSNs",
        "RACK-TLP in action",
        GRAPH,
    ],
    "sack-against-nr-sack": ["Figure 2: unordered transfer with SACKs", "kept although it", GRAPH],
    "nr-sack-paper": ["of each of 84 kinds", "verdicts_wrong", "next seed", GRAPH],
    "two-stacks-compared": ["driven by timeouts", "as a tail loss probe", GRAPH],
    "many-captures": ["tail_loss_timeout", "shape: (2, 3)", "usrsctp-reorder"],
    "pion-with-and-without-rack": ["fault-nonzero-padding", "no regression", GRAPH],
    "rack-at-one-end": ["sent again, spurious", "said: answered", "repair p99, ms", GRAPH],
    "buffers-that-grow": ["sent again: 0; lost: 0", "twice: predicted", GRAPH],
    "without-gap-reports": ["third repeated after, ms", "usrsctp, Mbit/s", GRAPH],
}

#: What `make test` runs: one capture, and many; the others show more of the same functions.
_FIRST = {"first-capture", "many-captures"}

#: Run real stacks first: what builds them.
_BUILT_BY = {
    "pion-with-and-without-rack": ["go"],
    "rack-at-one-end": ["go"],
    "buffers-that-grow": ["cc"],
    "without-gap-reports": ["cc", "go", "cargo"],
}


#: Real stacks run less often, or for a shorter time, than the text speaks of: what is asked here is
#: that all of it runs.
_LESS = {
    "pion-with-and-without-rack": [("SEEDS = 10", "SEEDS = 3")],
    "rack-at-one-end": [("EIGHT = range(1, 9)", "EIGHT = range(1, 3)")],
    "without-gap-reports": [
        ("EIGHT = range(1, 9)", "EIGHT = range(1, 3)"),
        ("FILE, MESSAGE = 29_826_488", "FILE, MESSAGE = 29_826_488 // 4"),
    ],
}


def text_of(path: Path) -> str:
    """Of a notebook, as it is run here."""
    text = path.read_text()
    for said, less in _LESS.get(path.stem, []):
        assert text.count(said) == 1
        text = text.replace(said, less)
    return text


def parameters() -> list[Any]:
    return [
        pytest.param(path, marks=() if path.stem in _FIRST else pytest.mark.long, id=path.stem)
        for path in notebooks()
    ]


@pytest.mark.parametrize("path", parameters())
def test_runs_and_shows(path: Path) -> None:
    if missing := [one for one in _BUILT_BY.get(path.stem, []) if not shutil.which(one)]:
        pytest.skip(f"{missing[0]} is not installed")

    notebook = executed(path, text_of(path))

    outputs = [one for cell in notebook.cells for one in cell.get("outputs", [])]

    assert not [one for one in outputs if one.output_type == "error" or one.get("name") == "stderr"]
    shown = "".join(str(one.get("data", one.get("text"))) for one in outputs)
    for text in SHOWN[path.stem]:
        assert text in shown
    assert not re.search(r'<(script|link|img)[^>]*(src|href)="https?:', page(notebook))


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_is_text_as_jupytext_writes_it(path: Path) -> None:
    text = path.read_text()

    notebook = jupytext.reads(text, fmt="md")
    assert [cell.cell_type for cell in notebook.cells].count("code") > 3
    kept = jupytext.writes(notebook, fmt="md").split("---\n", 2)[2]
    assert kept.strip() == text.split("---\n", 2)[2].strip()
