# SPDX-License-Identifier: BSD-2-Clause
"""The page in Firefox says what it says in Chromium."""

from pathlib import Path

import pytest

from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE
from tests.page.dropped import DONE, READY, analysed, text
from tests.page.firefox import firefox
from tests.readers.browser import installed

_VERDICT = "document.querySelector('#verdict').innerText"
_DRAWN = "document.querySelector('#graph').dataset.drawn"
_ROWS = "[...document.querySelectorAll('#rows tbody tr')].map((row) => row.innerText.split(/\\s+/))"
_ROW_COUNT = "document.querySelector('#rows table').ariaRowCount"


@pytest.mark.long
def test_firefox_shows_what_chromium_shows(page: Page, html: Path, tmp_path: Path) -> None:
    program = installed("firefox-esr", "firefox")
    with firefox(program, tmp_path / "profile") as other:
        other.open(html)
        other.wait(READY)
        for capture in (SAMPLE, BUNDLED / "usrsctp-both-ways.middle.pcap"):
            analysed(page, capture)
            other.evaluate("void delete document.getElementById('result').dataset.ready")
            other.choose_file("#file", capture)
            other.wait(DONE)

            assert other.evaluate(_VERDICT) == text(page, "#verdict")
            assert other.evaluate(_ROW_COUNT) == page.evaluate(_ROW_COUNT)
            # How many are drawn depends on the height of the browser's scroll bars.
            rows = list(zip(other.evaluate(_ROWS), page.evaluate(_ROWS), strict=False))
            assert len(rows) > 0
            assert [one for one, _ in rows] == [same for _, same in rows]
            assert int(other.evaluate(_DRAWN)) == int(page.evaluate(_DRAWN)) > 0
        fetched = "performance.getEntriesByType('resource').map((one) => one.name)"
        assert [url for url in other.evaluate(fetched) if not url.startswith("blob:")] == []
        assert other.complaints(html) == []
