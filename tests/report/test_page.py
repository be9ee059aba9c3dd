# SPDX-License-Identifier: BSD-2-Clause
"""A report in a real browser without a network: what it says, and how it is used."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.findings.finding import MOST_FRAMES
from sctp_rack.latency.by_stream import by_stream
from sctp_rack.limits.shares import PARTS, limited_directions
from sctp_rack.plots.tsn import CUMULATIVE
from sctp_rack.report.contents import TABLES, contents
from sctp_rack.report.graphs import chosen
from sctp_rack.report.page import report_page
from sctp_rack.wording.durations import duration
from sctp_rack.wording.ppids import ppid_text
from sctp_rack.wording.rates import percent

from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called
from tests.plots.on_page import PLOT, place_in_legend, place_of, trace, zoom
from tests.plots.transfers import long_transfer
from tests.report.conftest import AFTER, BEFORE, DRAWN, TAIL


def opened(
    browser: Page, path: Path, width: int = 1200, height: int = 900, *, dark: bool = False
) -> Page:
    browser.errors.clear()
    browser.loads.clear()
    browser.size(width, height, dark)
    browser.open(path, DRAWN)
    return browser


def texts(page: Page, selector: str) -> list[str]:
    found: list[str] = page.evaluate(
        f"[...document.querySelectorAll({json.dumps(selector)})]"
        ".map((one) => one.textContent.trim())"
    )
    return found


def press(page: Page, key: str, code: int, text: str = "") -> None:
    for kind in ("keyDown", "keyUp"):
        said = {"text": text} if text and kind == "keyDown" else {}
        page.command(
            *("Input.dispatchKeyEvent",), type=kind, key=key, windowsVirtualKeyCode=code, **said
        )


@pytest.mark.parametrize("width", [1200, 390])
def test_asks_for_nothing_and_complains_of_nothing(browser: Page, made: Path, width: int) -> None:
    page = opened(browser, made, width)

    assert page.errors == []
    assert [url for url in page.loads if not url.startswith(("file:", "data:", "blob:"))] == []
    assert texts(page, ".sctp-rack-graph .status")


def test_opens_with_the_words_of_analyze(browser: Page, made: Path) -> None:
    page = opened(browser, made)
    said = called("analyze", SAMPLE).stdout.decode().splitlines()[1].strip()
    first, _, then = said.partition("; ")

    assert texts(page, "h1 .first") == [f"{first}."]
    assert texts(page, "h1 .then")[0].startswith(f"{then[0].upper()}{then[1:]} ")


def test_has_the_findings_and_numbers_of_analyze(browser: Page, made: Path) -> None:
    page = opened(browser, made)
    summary: dict[str, Any] = json.loads(called("analyze", "--json", SAMPLE).stdout)

    findings = texts(page, ".findings li p")
    assert findings == [f"Warning. {one['text']}" for one in summary["findings"]]
    assert [len(one["frames"]) for one in summary["findings"]] == [MOST_FRAMES]
    assert texts(page, ".findings li small") == [f"the first {MOST_FRAMES} frames"]
    recovery = summary["associations"][0]["a"]["recovery"]
    totals = texts(page, "tfoot tr:first-child td")
    assert totals[:4] == ["21", "9", "0", str(recovery["retransmissions"])]
    counts = [int(text) for text in texts(page, "tr:has(th code) td:nth-last-child(2)")]
    assert dict(zip(texts(page, "tbody th code"), counts, strict=True)) == recovery["causes"]
    assert len(texts(page, "details:last-of-type tbody tr")) == 30


def test_what_each_sender_waited_for_is_told_and_when(browser: Page, several: Path) -> None:
    page = opened(browser, several)
    tail, both = (
        sctp_rack.read(path) for path in (TAIL, BUNDLED / "usrsctp-both-ways.sender.pcap")
    )
    directions = [*limited_directions(tail), *limited_directions(both)]

    told = texts(page, ".waits tbody tr td:nth-child(2)")

    assert told == [percent(share.share) for one in directions for share in one.limits]
    paths = page.evaluate("document.querySelectorAll('.waits path').length")
    wide = page.evaluate(
        "[...document.querySelectorAll('.waits')].map((table) =>"
        " [...table.querySelectorAll('path')].map((one) => one.getAttribute('d')).join(''))"
    )
    assert paths == len(told) and len(wide) == len(directions)
    for lanes in wide:
        assert sum(map(int, re.findall(r"h(\d+)v", lanes))) == PARTS
    most = [f"{percent(one.limits[0].share)} of the time" for one in limited_directions(both)]
    ways = texts(page, "[aria-label='Directions'] td:last-child")
    assert [way.startswith(text) for way, text in zip(ways, most, strict=True)] == [True, True]


def test_how_late_messages_were_is_told_by_stream_and_protocol(browser: Page, made: Path) -> None:
    page = opened(browser, made)
    (late,) = by_stream(sctp_rack.read(SAMPLE).associations[0].a2b.table("messages"))

    cells = texts(page, "[aria-label='Latency of messages'] tbody td")

    assert cells[:6] == [
        *(str(late.sid), ppid_text(late.ppid), f"{late.messages:,}"),
        *(duration(ns) for ns in (late.p50_ns, late.p95_ns, late.p99_ns)),
    ]
    assert cells[7:] == [duration(ns) if ns else "0" for ns in late.parts_ns]


def test_a_display_filter_is_copied_by_keyboard(browser: Page, made: Path) -> None:
    page = opened(browser, made)
    page.evaluate("document.querySelector('.findings .copy').focus()")
    press(page, "Enter", 13, "\r")
    page.wait("document.getElementById('told').textContent")

    assert texts(page, "#told") == [
        "copied: frame.number in {347, 348, 349, 350, 352, 353, 359, 362}"
    ]


def test_every_part_is_reached_by_keyboard(browser: Page, made: Path) -> None:
    page = opened(browser, made)
    press(page, "Tab", 9)

    assert page.evaluate("document.activeElement.className") == "skip"
    wanted = page.evaluate(
        "[...document.querySelectorAll('main a, main button, summary, .wide')]"
        ".filter((one) => one.checkVisibility() && !one.closest('.js-plotly-plot')).length"
    )
    seen = page.evaluate("window.seen = new Set(); 0")
    for _ in range(wanted + 40):
        press(page, "Tab", 9)
        seen = page.evaluate(
            "(() => { const one = document.activeElement;"
            "if (one.matches('main a, main button, summary, .wide')) seen.add(one);"
            "return seen.size })()"
        )
        if seen >= wanted:
            break
    assert seen >= wanted


def test_a_story_opens_and_closes_by_keyboard(browser: Page, made: Path) -> None:
    page = opened(browser, made)
    page.evaluate("document.querySelector('details:not([open]) summary').focus()")
    press(page, "Enter", 13, "\r")
    assert page.evaluate("document.activeElement.parentElement.open") is True
    press(page, "Enter", 13, "\r")
    assert page.evaluate("document.activeElement.parentElement.open") is False


@pytest.mark.parametrize("width", [360, 768, 1600])
def test_nothing_is_wider_than_the_screen(browser: Page, several: Path, width: int) -> None:
    page = opened(browser, several, width)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")

    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_stands_out_from_its_ground(browser: Page, made: Path, dark: bool) -> None:
    page = opened(browser, made, dark=dark)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    faint = page.evaluate(FAINT)

    assert faint == []


#: Texts whose contrast is below what WCAG 2.2 asks for (1.4.3), graphs and zeros left out.
FAINT = """
(() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const left = one.closest(".sctp-rack-graph, script, style, .zero");
    if (!own || left || !one.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))].sort((x, y) => y - x);
    const text = `${one.className}: ${one.textContent.slice(0, 40)}`;
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(text);
  }
  return [...new Set(faint)];
})()
"""


def test_a_dark_screen_gets_a_dark_page(browser: Page, made: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"

    assert opened(browser, made).evaluate(ground) == "rgb(253, 252, 250)"
    assert opened(browser, made, dark=True).evaluate(ground) == "rgb(17, 20, 24)"


def test_the_printer_gets_everything(browser: Page, made: Path) -> None:
    page = opened(browser, made)
    page.evaluate(
        "addEventListener('beforeprint', () => { setTimeout(() => 0);"
        "window.closed_then = document.querySelectorAll('details:not([open])').length })"
    )
    printed = page.command("Page.printToPDF")

    assert printed["data"].startswith("JVBERi0")  # %PDF-
    assert page.evaluate("window.closed_then") == 0
    assert page.evaluate("document.querySelectorAll('details:not([open])').length") > 0


def test_a_graph_of_a_report_hides_refines_and_gives_display_filters(
    browser: Page, tmp_path: Path
) -> None:
    """Setup: 6000 chunks, merged at first. Trigger: a click in the legend, a drag, a click on a
    retransmission. Expectation: its marks hide; chunks are drawn one by one; its filters."""
    path = tmp_path / "report.html"
    assert called("report", long_transfer(tmp_path), "-o", path).returncode == 0
    page = opened(browser, path, 1200, 1400)
    page.evaluate(f"{PLOT}.scrollIntoView()")
    box = "document.querySelector('.sctp-rack-graph')"
    assert page.evaluate(f"{box}.dataset.detail") == "merged"

    page.click(*place_in_legend(page, CUMULATIVE))
    page.wait(f"{trace(CUMULATIVE)}.visible === 'legendonly'")
    zoom(page, (0.4, 0.6), (0.2, 0.8))
    page.wait(f"{box}.dataset.detail === 'every'")
    name = "Needed, sent again by fast retransmit (F)"
    begin = page.evaluate(f"{PLOT}._fullLayout.xaxis.range[0]")
    seen = page.evaluate(
        f"[...{PLOT}._fullData[{PLOT}.data.indexOf({trace(name)})].x].findIndex((x) => x > {begin})"
    )
    frame, tsn = page.evaluate(f"[...{trace(name)}.customdata[{seen}]].slice(0, 2)")
    page.evaluate("new Promise((done) => setTimeout(done, 500))")  # no double click
    page.click(*place_of(page, name, seen))
    page.wait(f"!{box}.querySelector('.picked').hidden")

    assert texts(page, ".picked code") == [
        f"frame.number == {frame}",
        f"sctp.data_tsn_raw == {tsn}",
    ]
    assert page.errors == []


@pytest.mark.parametrize("which", ["made", "several"])
def test_parts_have_names_and_headings_their_order(
    browser: Page, which: str, request: pytest.FixtureRequest
) -> None:
    page = opened(browser, request.getfixturevalue(which))

    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5')].map((h) => +h.tagName[1])"
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = page.evaluate(
        "[...document.querySelectorAll('main [id]')].map((one) => one.id)"
        ".filter((id) => !/^(clip|legend|g[0-9a-f]|top)/.test(id))"
    )
    assert len(ids) == len(set(ids))
    nameless = page.evaluate(
        "[...document.querySelectorAll('[aria-labelledby]')]"
        ".filter((one) => !document.getElementById(one.getAttribute('aria-labelledby'))).length"
        "+ [...document.querySelectorAll('a[href^=\"#\"]')]"
        ".filter((one) => !document.getElementById(one.hash.slice(1))).length"
        "+ [...document.querySelectorAll('button')]"
        ".filter((one) => !one.textContent.trim() && !one.ariaLabel).length"
    )
    assert nameless == 0


def test_several_captures_have_a_table_of_contents(browser: Page, several: Path) -> None:
    page = opened(browser, several)

    assert texts(page, "h1") == ["2 captures"]
    assert texts(page, "main > .wide tbody th") == [TAIL.name, "usrsctp-both-ways.sender.pcap"]
    assert len(texts(page, "article")) == 2
    sentence = (
        "RACK-TLP would have known of all 10 needed ones earlier by a tail loss probe, by about "
        "985 ms."
    )
    assert texts(page, "article h2 .then")[0] == sentence


def test_a_comparison_lays_captures_over_each_other(browser: Page, compared: Path) -> None:
    page = opened(browser, compared)

    assert page.errors == []
    assert len(texts(page, ".sctp-rack-graph")) == 3
    said = called("compare", BEFORE, AFTER).stdout.decode()
    (first,), (then,) = texts(page, "h1 .first"), texts(page, "h1 .then")
    assert f"{first.removesuffix('.')}; {then}" in said
    assert texts(page, ".most li")[:2] == [
        "−100.0 % Recovery, waited for T3-rtx: 8.65 s → 0",
        "−8 Recovery, driven by timeouts: 8 → 0",
    ]
    rows = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('tbody tr:not(.group)')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
        ".map(([label, ...cells]) => [label, cells]))"
    )
    assert rows["driven by timeouts"] == ["8", "0", "−8"]
    assert rows["p99 of messages"] == ["1.48 s", "290 ms", "−80.4 %"]


def test_a_click_on_a_line_of_a_comparison_gives_the_filter_of_its_capture(
    browser: Page, compared: Path
) -> None:
    page = opened(browser, compared)
    line = f"B: {AFTER.name}"
    graphs = "document.querySelectorAll('.sctp-rack-graph')"
    for number, name, at in ((0, f"{line}: acknowledged", 40), (1, line, 105)):
        page.evaluate(f"{graphs}[{number}].scrollIntoView()")
        x, y, frame = page.evaluate(
            f"(() => {{ const plot = {graphs}[{number}].querySelector('.plot'),"
            f"one = plot.data.findIndex((trace) => trace.name === {json.dumps(name)}),"
            "{ xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect(),"
            f"x = plot._fullData[one].x[{at}], y = plot._fullData[one].y[{at}];"
            "return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset +"
            f" yaxis.d2p(y), plot._fullData[one].customdata[{at}][0]]; }})()"
        )
        page.click(x, y)
        picked = f"{graphs}[{number}].querySelector('.picked')"
        page.wait(f"!{picked}.hidden")
        said = page.evaluate(f"{picked}.textContent")
        frames = sctp_rack.read(AFTER).associations[0].a2b
        known = {*frames.sacks["frame"].tolist(), *frames.transmissions["frame"].tolist()}

        assert said.startswith(f"Display filter for Wireshark of “{name}”: frame.number == ")
        assert frame in known


def test_a_direction_without_losses_takes_one_line() -> None:
    capture = sctp_rack.read(BUNDLED / "usrsctp-request-response.sender.pcap", tables=TABLES)
    told = contents(capture)
    ways = [way for section in told.sections for way in section.ways]
    clean = [way for way in ways if not way.retransmissions]
    page = report_page([told], with_graphs=False)

    assert not chosen([told]) & {id(way) for way in clean}
    assert clean and page.count('class="clean"') == len(clean)
    assert page.count('class="way"') == len(ways) - len(clean)
    for way in clean:
        assert way.direction.data and f"{way.direction.data.chunks:,} chunks" in way.clean
        assert way.clean.endswith("Nothing lost, nothing sent again.")
