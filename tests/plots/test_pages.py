# SPDX-License-Identifier: BSD-2-Clause
"""A graph's page in a real browser without a network: legend, zoom, click; by the DOM."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import sctp_rack
from sctp_rack import plots
from sctp_rack.plots.graph import Graph, Layer, Look, Panel
from sctp_rack.plots.screen import MOST
from sctp_rack.plots.web import page_of

from tests.browser import Page, chromium
from tests.plots.on_page import PLOT, place_in_legend, place_of, trace, zoom
from tests.plots.transfers import long_transfer, sample

pytestmark = pytest.mark.long

DATA = "Sent for the first time, and acknowledged"
READY = "document.querySelector('.sctp-rack-graph').dataset.ready === 'yes'"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        opened.size(1300, 1200)
        yield opened


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("small"), plots.page(sample()))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder holds the capture too."""
    folder = tmp_path_factory.mktemp("large")
    direction = sctp_rack.read(long_transfer(folder)).associations[0].a2b
    return written(folder, plots.page(direction))


def written(folder: Path, text: str) -> Path:
    path = folder / "page.html"
    path.write_text(text)
    return path


def opened(page: Page, path: Path) -> None:
    page.errors.clear()
    page.loads.clear()
    page.open(path, READY)


def nothing_wrong(page: Page) -> None:
    assert page.errors == []
    assert [url for url in page.loads if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_graph_is_as_wide_as_there_is_room_for_it(page: Page, small: Path) -> None:
    """A scroll bar that came when it had been drawn left it over its legend."""
    opened(page, small)
    page.evaluate("document.documentElement.style.paddingRight = '40px'")
    page.wait(f"Math.abs({PLOT}._fullLayout.width - {PLOT}.clientWidth) < 2")

    nothing_wrong(page)


def test_a_click_on_a_name_in_the_legend_hides_its_marks_and_another_shows_them(
    page: Page, small: Path
) -> None:
    opened(page, small)
    lost = "Lost, sent for the first time"
    x, y = place_in_legend(page, lost)
    page.click(x, y)
    page.wait(f"{trace(lost)}.visible === 'legendonly'")
    page.wait("true", 1)
    page.evaluate("new Promise((done) => setTimeout(done, 500))")  # no double click
    page.click(x, y)
    page.wait(f"{trace(lost)}.visible === true")

    nothing_wrong(page)


def test_a_click_on_a_retransmission_gives_its_display_filter(page: Page, small: Path) -> None:
    opened(page, small)
    page.evaluate("document.querySelectorAll('nav button')[2].click()")
    page.wait(f"{PLOT}._fullLayout.xaxis.range[0] > 0.2")
    name = "Needed, sent again by fast retransmit (F)"
    frame, tsn = page.evaluate(f"[...{trace(name)}.customdata[12]].slice(0, 2)")

    page.click(*place_of(page, name, 12))

    page.wait("!document.querySelector('.picked').hidden")
    filters = page.evaluate(
        "[...document.querySelectorAll('.picked code')].map((one) => one.textContent)"
    )
    assert filters == [f"frame.number == {frame}", f"sctp.data_tsn_raw == {tsn}"]
    assert (frame, tsn) == (220, 1097975504)
    nothing_wrong(page)


def test_what_is_zoomed_into_is_drawn_one_by_one(page: Page, large: Path) -> None:
    """Setup: 6000 chunks, merged at first. Trigger: a drag over a piece of it. Expectation: the
    bars of exactly the chunks that are seen, by frame, also beyond the TSN wrap."""
    opened(page, large)
    assert page.evaluate("document.querySelector('.sctp-rack-graph').dataset.detail") == "merged"
    zoom(page, (0.4, 0.6), (0.2, 0.8))

    page.wait("document.querySelector('.sctp-rack-graph').dataset.detail === 'every'")
    begin, end = page.evaluate(f"{PLOT}._fullLayout.xaxis.range")
    low, high = page.evaluate(f"{PLOT}._fullLayout.yaxis.range")
    drawn = set(page.evaluate(f"[...{trace(DATA)}.customdata].map((one) => one[0])"))
    assert drawn == frames_between(large.parent / "talk.pcapng", (begin, end), (low, high))
    bars = f"[...{PLOT}.querySelectorAll('.xy .js-line')]"
    assert page.evaluate(f"{bars}.length") > len(drawn)
    assert page.evaluate(f"{bars}.filter((one) => !one.getTotalLength()).length") == 0
    assert page.evaluate(f"getComputedStyle({bars}[0]).strokeLinecap") == "square"
    assert "one by one" in page.evaluate("document.querySelector('.status').textContent")
    nothing_wrong(page)


def frames_between(capture: Path, time: tuple[float, float], tsn: tuple[float, float]) -> set[int]:
    """Frames of acknowledged originals in a window of the graph."""
    held = sctp_rack.read(capture)
    rows = held.transmissions
    seconds = (rows["time_ns"] - held.summary.first_time_ns) / 1e9
    place = rows["tsn"] - rows["tsn"][0]
    kept = (seconds >= time[0]) & (seconds <= time[1]) & (place + 1 >= tsn[0]) & (place <= tsn[1])
    kept &= (rows["kind"] == "original") & (rows["outcome"] == "acked")
    assert 1000 < np.count_nonzero(kept) < 2500
    return set(rows["frame"][kept].tolist())


def test_no_retransmission_is_left_out_of_an_overview(page: Page, large: Path) -> None:
    opened(page, large)
    drawn = page.evaluate(
        f"{PLOT}.data.filter((one) => /^(Needed|Spurious|Undetermined), sent/.test(one.name ?? ''))"
        ".flatMap((one) => [...one.customdata].map((row) => row[0]))"
    )
    rows = sctp_rack.read(large.parent / "talk.pcapng").transmissions
    again = rows.where(kind="retransmission")["frame"].tolist()

    assert len(again) == 11
    assert sorted(set(drawn)) == again
    nothing_wrong(page)


def test_a_telephone_in_the_dark_sees_one_legend_below(page: Page, small: Path) -> None:
    page.size(400, 900, dark=True)
    opened(page, small)
    legends = page.evaluate("document.querySelectorAll('.legend').length")
    below = page.evaluate(
        f"document.querySelector('.legend').getBoundingClientRect().top - "
        f"{PLOT}.getBoundingClientRect().bottom"
    )
    width = page.evaluate("document.documentElement.scrollWidth")
    paper = page.evaluate(f"{PLOT}._fullLayout.paper_bgcolor")
    heights = page.evaluate(
        "['yaxis', 'yaxis2', 'yaxis3', 'yaxis4', 'yaxis5', 'yaxis6']"
        f".map((axis) => {PLOT}._fullLayout[axis]._length)"
    )
    above = page.evaluate(f"{PLOT}.layout.annotations.map((one) => one.text)")
    page.size(1300, 1200)

    assert (legends, width, paper) == (1, 400, "#16191d")
    assert below >= 0
    assert heights[0] > 200
    assert min(heights) > 60
    assert above[1:] == [
        "what the sender waited for",
        *("lost and sent again over time", "round trip, ms"),
        *("bytes in flight, logarithmic", "retransmission queue"),
    ]
    nothing_wrong(page)


def test_a_crowded_lane_covers_what_it_covered_wherever_it_is_zoomed(
    page: Page, tmp_path: Path
) -> None:
    """Of 9,000 short intervals and a long one behind each hundredth nothing long is left out."""
    long = np.arange(90) / 10 + 0.0005
    begin = np.concatenate([np.arange(9000) / 1000, long])
    end = begin + np.repeat([0.0001, 0.05], [9000, 90])
    lane = Layer("C", "spans", Look("#66707c", width=9), begin, np.zeros(len(begin)), x1=end)
    panel = Panel("lanes", [lane], (-1, 1))
    path = tmp_path / "lanes.html"
    path.write_text(page_of(Graph("lanes", [lambda: panel], (0, 9))))
    opened(page, path)

    for left, right in ((0, 9), (2, 6), (3.01, 3.04)):
        page.evaluate(
            f"Plotly.relayout({PLOT}, {{'xaxis.range': [{left}, {right}]}}).then(() => 0)"
        )
        page.wait(f"{PLOT}.closest('.sctp-rack-graph').dataset.detail")
        page.evaluate("new Promise((done) => setTimeout(done, 500))")
        xs = page.evaluate(f"[...{PLOT}.data[0].x]")
        spans = [(a, b) for a, b in zip(xs[::3], xs[1::3], strict=True) if a is not None]
        assert len(spans) <= MOST["spans"]
        for at in (long + 0.03)[(long >= left) & (long + 0.03 <= right)].tolist():
            assert any(a <= at <= b for a, b in spans), (left, right, at)
    nothing_wrong(page)
