# SPDX-License-Identifier: BSD-2-Clause
"""A browser, and pages that several tests look at; each is made once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Page, chromium
from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called

#: True in a page when all of it is there.
DRAWN = (
    "document.readyState === 'complete' && document.body.lastElementChild && "
    "[...document.querySelectorAll('.sctp-rack-graph')].every((one) => one.dataset.ready)"
)

TAIL = BUNDLED / "usrsctp-tail-loss.sender.pcap"
BEFORE, AFTER = (BUNDLED / f"pion-tail-loss{end}.sender.pcap" for end in ("-no-rack", ""))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    assert called("report", SAMPLE, "-o", path).returncode == 0
    return path


@pytest.fixture(scope="session")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on two captures."""
    path = tmp_path_factory.mktemp("several") / "report.html"
    assert (
        called("report", TAIL, BUNDLED / "usrsctp-both-ways.sender.pcap", "-o", path).returncode
        == 0
    )
    return path


@pytest.fixture(scope="session")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison."""
    path = tmp_path_factory.mktemp("compared") / "compared.html"
    assert called("compare", BEFORE, AFTER, "-o", path).returncode == 0
    return path
