# SPDX-License-Identifier: BSD-2-Clause
"""What a sender waited for: the shares of `sctp-rack limits`, and a band below the graph."""

from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.limits.shares import LimitedDirection, limited_directions
from sctp_rack.limits.words import LETTERS, SENTENCES
from sctp_rack.names import Limit
from sctp_rack.wording.rates import percent

from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE, bundled, long_but, name_of
from tests.page.dropped import analysed, text, texts

#: Both directions with data; one direction; a host that pauses.
_FEW = {SAMPLE.name, "usrsctp-both-ways.middle.pcap", "pion-delay-spike.sender.pcap"}


def lines(direction: LimitedDirection) -> list[list[str]]:
    """As the page has them: limit, letter and sentence, share, bytes, class."""
    return [
        [
            *(share.limit, f"{LETTERS[Limit(share.limit)]} {SENTENCES[Limit(share.limit)]}"),
            *(percent(share.share), f"{share.bytes:,}", str(share.limit_class)),
        ]
        for share in direction.limits
    ]


def shown(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('#limits tbody tr')].map((row) =>"
        " [row.querySelector('code').innerText, row.querySelector('small').textContent"
        ".replace(/ +/, ' '), ...[...row.querySelectorAll('td')].map((one) => one.innerText)])"
    )
    return found


@pytest.mark.parametrize("capture", long_but(_FEW, bundled()), ids=name_of)
def test_shares_are_those_of_limits(page: Page, capture: Path) -> None:
    analysed(page, capture)
    wanted = {
        2 * one.assoc + (one.dir == "b2a"): lines(one)
        for one in limited_directions(sctp_rack.read(capture))
    }
    found = {}
    for way in page.evaluate("directions.map((one) => one.way)"):
        page.evaluate(f"choose({way})")
        found[way] = shown(page)

    assert found == wanted


def test_a_band_below_the_graph_has_the_letters_of_the_legend(page: Page) -> None:
    page.evaluate(
        "window.drawn = []; CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {"
        " drawn.push([text, x, y]); }; 0"
    )
    analysed(page, BUNDLED / "pion-delay-spike.sender.pcap")
    band = page.evaluate(
        "drawn.filter(([, , y]) => y > graph.box.top + graph.box.height"
        " && y < graph.box.top + graph.box.height + graph.lane).map(([text]) => text)"
    )
    keys = [one for one in texts(page, "#legend li") if one.startswith("the band")]

    assert band
    assert set(band) <= {str(letter) for letter in LETTERS.values()}
    assert all(f" {letter} " in keys[0] for letter in set(band))
    assert text(page, "#limits th").startswith("what its sender")
