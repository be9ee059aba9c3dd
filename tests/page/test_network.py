# SPDX-License-Identifier: BSD-2-Clause
"""The page is one small file that asks nobody for anything."""

import time
from pathlib import Path

import pytest

from page.build import page as built
from tests.browser import Page
from tests.captures import SAMPLE
from tests.page.dropped import analysed


def test_it_is_small() -> None:
    assert len(built().encode()) < 8 << 20


def test_it_asks_for_nothing_and_complains_of_nothing(page: Page) -> None:
    analysed(page, SAMPLE)

    assert page.errors == []
    assert [url for url in page.loads if not url.startswith(("file:", "data:", "blob:null/"))] == []


@pytest.mark.parametrize(
    "request_",
    [
        "fetch('http://127.0.0.1:9/')",
        "fetch('data:,x')",
        "new Promise((y, n) => { const i = new Image(); i.onload = y; i.onerror = n;"
        " i.src = 'http://127.0.0.1:9/'; })",
        "new Promise((y, n) => { const s = new WebSocket('ws://127.0.0.1:9/'); s.onopen = y;"
        " s.onerror = n; })",
    ],
)
def test_its_policy_forbids_every_request(page: Page, request_: str) -> None:
    violated = page.evaluate(
        "new Promise((done) => { addEventListener('securitypolicyviolation',"
        f" (event) => done(event.effectiveDirective), {{ once: true }});"
        f" Promise.resolve().then(() => {request_}).catch(() => {{}});"
        " setTimeout(() => done('none'), 3000); })"
    )

    assert violated in ("connect-src", "img-src")


def test_a_table_is_saved_as_a_file_without_a_request(page: Page, tmp_path: Path) -> None:
    analysed(page, SAMPLE)
    page.command("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.evaluate("document.querySelector('[data-format=csv]').click()")
    page.wait("document.getElementById('progress').hidden")
    path = tmp_path / f"{SAMPLE.name}.transmissions.csv"
    deadline = time.monotonic() + 30
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)

    assert path.read_text().startswith("frame,chunk,time_ns,assoc,dir,")
    assert [url for url in page.loads if not url.startswith(("file:", "data:", "blob:null/"))] == []
    assert page.errors == []
