# SPDX-License-Identifier: BSD-2-Clause
"""docs/plots.md has every letter and kind, and pictures are those that commands make."""

import re
import runpy

from sctp_rack import plots
from sctp_rack.plots.style import LETTERS

from tests.captures import ROOT

TEXT = (ROOT / "docs/plots.md").read_text()


def test_the_document_has_the_letter_of_every_cause() -> None:
    shown = re.findall(r"`(.)` \| `(\w+)`", TEXT)

    assert {cause: letter for letter, cause in shown} == LETTERS


def test_the_document_has_every_kind() -> None:
    assert re.findall(r"^\| `(\w+)` \| ", TEXT.partition("##")[0], re.MULTILINE) == [*plots.KINDS]


def test_every_picture_of_a_document_is_drawn_by_hand_or_made_by_a_command() -> None:
    drawn = runpy.run_path(str(ROOT / "docs/images.py"))["IMAGES"]
    screens = runpy.run_path(str(ROOT / "docs/screenshots.py"))
    made = {f"{name}.png" for name in (*drawn, *screens["PICTURES"], *screens["LUA_PICTURES"])}
    made |= {path.name for path in (ROOT / "docs/images").glob("*.svg")}  # their own source
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]

    shown = re.findall(r"\]\((?:docs/)?images/([^)]+)\)", "".join(d.read_text() for d in documents))

    assert made == set(shown) == {path.name for path in (ROOT / "docs/images").iterdir()}
