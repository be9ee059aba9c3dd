# SPDX-License-Identifier: BSD-2-Clause
"""On a desk and in a hand, in the light and in the dark, nothing of the page is cut, and every text
stands out from its ground."""

import pytest

from tests.browser import Page
from tests.captures import BUNDLED, IN_DTLS, SAMPLE
from tests.page.dropped import analysed
from tests.report.test_geometry import WRONG
from tests.report.test_page import FAINT

#: Boxes that are wider inside than they look.
_SCROLLED = (
    "[...document.querySelectorAll('.wide, .rows')].filter((one) => one.checkVisibility()"
    " && one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)"
)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize(
    "name", [SAMPLE.name, "usrsctp-both-ways.middle.pcap", f"{IN_DTLS}.sender.pcapng"]
)
def test_nothing_is_cut_or_faint(page: Page, name: str, width: int, dark: bool) -> None:
    page.size(width, 1000, dark)
    analysed(page, BUNDLED / name)

    assert page.evaluate(WRONG) == []
    assert page.evaluate(FAINT) == []
    scrolled = page.evaluate(_SCROLLED)
    assert [one for one in scrolled if width == 1400 or not one.startswith("Retrans")] == []


def test_the_graph_is_drawn_in_the_colours_of_the_screen(page: Page) -> None:
    grounds = []
    for dark in (False, True):
        page.size(1400, 1000, dark)
        analysed(page, SAMPLE)
        colours = page.evaluate(
            "(() => { const { width, height } = graph.canvas;"
            " const { data } = graph.canvas.getContext('2d').getImageData(0, 0, width, height);"
            " const found = new Set(); for (let at = 0; at < data.length; at += 4)"
            " if (data[at + 3] === 255) found.add([...data.slice(at, at + 3)].join());"
            " return [...found]; })()"
        )
        # Spurious and needed are the same on both: plots/style.py.
        assert {"224,70,11", "74,144,194"} <= set(colours)
        grounds.append("102,112,124" in colours)
    assert grounds == [True, False]
