# SPDX-License-Identifier: BSD-2-Clause
"""The page as `make page` builds it, open in a real browser without a network."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from page.build import page as built
from tests.browser import Page, chromium
from tests.page.dropped import READY

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before those that take long are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """To build the page takes half a minute, and its tests a minute."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "sctp-rack.html"
    path.write_text(built())
    return path


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(browser: Page, html: Path) -> Page:
    """It is opened anew, 1400 pixels wide."""
    browser.size(1400, 1000)
    browser.errors.clear()
    browser.loads.clear()
    browser.open(html, READY)
    return browser
