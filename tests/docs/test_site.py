# SPDX-License-Identifier: BSD-2-Clause
"""The site of the documents: whole, without a network, searched from file://."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Page, chromium
from tests.captures import ROOT

pytestmark = pytest.mark.long

#: Finds a word as a reader types it.
_SEARCH = """(() => {
  const input = document.querySelector('.md-search__input');
  input.focus();
  input.value = '%s';
  input.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));
})()"""
_FOUND = "[...document.querySelectorAll('.md-search-result__link')].map(one => one.href)"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `make docs` does: a link to nothing, or to no heading, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    built = subprocess.run(
        [*command, "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as one:
        yield one


def test_nothing_in_it_is_fetched_from_elsewhere(site: Path) -> None:
    asks = re.compile(r"""<(?:script|link|img|iframe)[^>]*\s(?:src|href)=["']?(https?:[^"'>]*)""")

    for one in site.rglob("*.html"):
        assert not asks.findall(one.read_text()), one.name


def test_a_word_is_found_in_pages_that_lie_on_a_disk(site: Path, page: Page) -> None:
    for word, where in (("t3_gbn", "glossary.html"), ("rack_marks", "tables.html")):
        page.open(site / "index.html")
        page.evaluate(_SEARCH % word)
        page.wait(f"({_FOUND}[0] || '').includes('{where}')", seconds=60)

    assert page.errors == []
    assert not [one for one in page.loads if not one.startswith(("file:", "data:", "blob:"))]


def test_the_reference_has_the_whole_package(site: Path) -> None:
    import sctp_rack

    text = (site / "api.html").read_text()

    assert [name for name in sctp_rack.__all__ if f'id="sctp_rack.{name}"' not in text] == []
