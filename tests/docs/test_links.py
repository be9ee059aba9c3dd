# SPDX-License-Identifier: BSD-2-Clause
"""Links between documents lead to a file and a heading; `make docs` sees those inside docs/ alone.

Addresses of other sites are not asked: a test has no network.
"""

import re
import subprocess
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.captures import ROOT

_LISTED = subprocess.run(
    ["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True
)
DOCUMENTS = [ROOT / name for name in _LISTED.stdout.splitlines()]

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)")
_HEADING = re.compile(r"^#+ +(.*?)\s*$", re.MULTILINE)


@cache
def anchors(document: Path) -> set[str]:
    """Of its headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.DOTALL | re.MULTILINE)
    titles = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", one).lower() for one in _HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", one).strip().replace(" ", "-") for one in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: str(one.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for link in _LINK.findall(_CODE.sub("", document.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = document.parent / name if name else document
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link
