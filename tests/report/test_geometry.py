# SPDX-License-Identifier: BSD-2-Clause
"""On a desk and in a hand, in the light and in the dark, nothing of a page is cut, and nothing lies
over anything else: by where a real browser puts it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack import plots

from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called
from tests.plots.on_page import PLOT, place_of
from tests.plots.transfers import long_transfer, sample
from tests.report.conftest import DRAWN

#: Of a page on a dataset.
SIDES = ("--before", "*no-rack*", "--after", "*tail-loss.sender*")

#: Texts that reach beyond the window or their drawing, and texts that lie over each other: labels
#: of axes and panels, and names in legends; and names that a legend has twice.
WRONG = """
(() => {
  const wrong = [];
  const rect = (one) => one.getBoundingClientRect();
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const apart = (where, all) => all.forEach((one, i) => all.slice(i + 1).forEach((other) => {
    const both = `${where}: ${one.textContent} | ${other.textContent}`;
    if (over(rect(one), rect(other))) wrong.push(both);
  }));
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the window");
  for (const one of document.querySelectorAll(".wide")) {
    if (one.scrollWidth > one.clientWidth + 1) wrong.push(`scrolls: ${one.ariaLabel}`);
  }
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const table = "table:not(.compared, .stacked)";
    const left_out = one.closest(`script, style, .unseen, .skip, ${table}, svg`);
    if (!own || left_out || !one.checkVisibility()) continue;
    const { left, right, width } = rect(one);
    if (width && (left < 0 || right > innerWidth)) wrong.push(`cut: ${one.textContent}`);
    const hides = getComputedStyle(one).overflowX === "hidden";
    if (hides && one.scrollWidth > one.clientWidth + 1) wrong.push(`hidden: ${one.textContent}`);
  }
  for (const graph of document.querySelectorAll(".sctp-rack-graph")) {
    const box = rect(graph.querySelector(".plot")), legend = rect(graph.querySelector(".legend"));
    if (over(box, legend)) wrong.push("legend over plot");
    const kinds = "[class$='tick'] text, .annotation-text, .xtitle";
    const labels = [...graph.querySelectorAll(kinds)]
      .filter((one) => one.textContent && rect(one).width);
    apart("labels", labels);
    for (const one of labels) {
      const { left, right, top, bottom } = rect(one);
      const across = left < box.left - 1 || right > box.right + 1;
      if (across || top < box.top - 1 || bottom > box.bottom + 1) {
        wrong.push(`outside: ${one.textContent}`);
      }
    }
    const names = [...graph.querySelectorAll(".legend button")];
    apart("legend", [...names, ...graph.querySelectorAll(".legend p, .legend h6")]);
    const texts = names.map((one) => one.textContent);
    wrong.push(...texts.filter((text, at) => texts.indexOf(text) !== at));
    if (!names.length) wrong.push("no legend");
  }
  return wrong;
})()
"""


#: Kinds of the page of graphs.
DRAWN_IN_GRAPHS = {"tsn", "both", "throughput", "limits", "latency"}


def _graphs(folder: Path) -> str:
    """A time sequence, both directions, wide labels, and more chunks than are drawn one by one."""
    large = sctp_rack.read(long_transfer(folder)).associations[0].a2b
    parts = (
        plots.fragment(sample("pion-reorder-low"), name="sequence"),
        plots.fragment(sample("usrsctp-both-ways"), "both", name="both"),
        plots.fragment(sample("usrsctp-delay-spike"), "throughput", name="throughput"),
        plots.fragment(sample("dcsctp-zero-window"), "limits", name="limits"),
        plots.fragment(sample("pion-tail-loss-no-rack"), "latency", name="latency"),
        plots.fragment(large, name="many"),
    )
    return _page(parts)


def _page(parts: Iterable[str]) -> str:
    head = (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    )
    return f"{head}{plots.head()}{''.join(parts)}"


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Graphs in a page."""
    folder = tmp_path_factory.mktemp("graphs")
    path = folder / "page.html"
    path.write_text(_graphs(folder))
    return path


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kinds of graphs that the other page has not."""
    path = tmp_path_factory.mktemp("kinds") / "page.html"
    others = [kind for kind in plots.KINDS if kind not in DRAWN_IN_GRAPHS]
    path.write_text(_page(plots.fragment(sample(), kind, name=kind) for kind in others))
    return path


@pytest.mark.parametrize(
    "name",
    [
        "made",
        "graphs",
        *(pytest.param(n, marks=pytest.mark.long) for n in ("several", "compared", "kinds")),
    ],
)
def test_nothing_is_cut_and_nothing_lies_over_anything_else(
    browser: Page, request: pytest.FixtureRequest, name: str
) -> None:
    browser.size(1400, 1000)
    browser.open(request.getfixturevalue(name), DRAWN)
    browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found: dict[str, Any] = {}
    for width, dark in ((1400, False), (1400, True), (390, True), (390, False)):
        browser.size(width, 1000, dark)
        scheme = "#16191d" if dark else "#ffffff"
        browser.wait(
            f"innerWidth === {width} && [...document.querySelectorAll('.plot')].every((one) => "
            f"one._fullLayout.paper_bgcolor === '{scheme}' && "
            f"one.closest('.narrow') !== null === {width} < 400 && "
            "Math.abs(one._fullLayout.width - one.clientWidth) < 2)"
        )
        found[f"{width} {'dark' if dark else 'light'}"] = browser.evaluate(WRONG)

    assert found == {key: [] for key in found}


def test_a_page_on_a_dataset_has_all_of_its_tables_in_the_window(
    browser: Page, tmp_path: Path
) -> None:
    out, page = tmp_path / "out", tmp_path / "page.html"
    paths = [SAMPLE, *(BUNDLED / f"pion-tail-loss{one}.sender.pcap" for one in ("", "-no-rack"))]
    assert called("batch", *paths, "-o", out, "--report", page, *SIDES).returncode == 0
    for width, dark in ((1400, False), (390, True)):
        browser.size(width, 1000, dark)
        browser.open(page)
        assert browser.evaluate(WRONG) == []
        assert browser.evaluate("document.querySelectorAll('.wide').length") == 4


def test_what_a_mark_says_is_narrow_and_within_the_window(browser: Page, made: Path) -> None:
    for width in (1400, 390):
        browser.size(width, 1000)
        browser.open(made, DRAWN)
        browser.evaluate(f"{PLOT}.scrollIntoView()")
        names = browser.evaluate(
            f"{PLOT}.data.filter((one) => one.name && one.visible === true && one.yaxis === 'y')"
            ".map((one) => one.name)"
        )
        assert len(names) > 6
        for name in names:
            x, y = place_of(browser, name, 0)
            browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x - 60, y=y - 60)
            browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
            browser.wait("!document.querySelector('.sctp-rack-says').hidden")
            box = browser.evaluate(
                "(() => { const one = document.querySelector('.sctp-rack-says');"
                "const { left, right, top, bottom } = one.getBoundingClientRect();"
                "return [left, right, top, bottom, one.scrollWidth - one.clientWidth]; })()"
            )
            left, right, top, bottom, cut = box
            assert right - left <= 320
            assert left >= 0 and right <= width and top >= 0 and bottom <= 1000
            assert cut <= 0
            text = browser.evaluate("document.querySelector('.sctp-rack-says').textContent")
            assert "frame" in text and "%{" not in text and "undefined" not in text


def test_a_timer_that_lies_above_the_samples_is_seen_when_it_is_asked_for(
    browser: Page, made: Path
) -> None:
    browser.size(1400, 1000)
    browser.open(made, DRAWN)
    high = f"{PLOT}._fullLayout.yaxis4.range[1]"
    assert browser.evaluate(high) < 400
    browser.evaluate(
        "[...document.querySelectorAll('.legend button')]"
        ".find((one) => one.textContent === 'Retransmission timeout (rto)').click()"
    )
    browser.wait(f"{high} > 1000")
