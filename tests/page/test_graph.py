# SPDX-License-Identifier: BSD-2-Clause
"""The time-sequence graph of the page: what is drawn, what it says, how it is moved through."""

from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE
from tests.page.dropped import analysed, text, texts
from tests.report.test_page import press


def test_the_graph_is_moved_through_by_keyboard(page: Page) -> None:
    analysed(page, SAMPLE)
    graph = "document.getElementById('graph')"
    everything = int(page.evaluate(f"{graph}.dataset.drawn"))
    page.evaluate(f"{graph}.focus()")

    assert everything == 390
    press(page, "n", 78, "n")
    assert text(page, "#says").startswith("Frame 137,")
    press(page, "+", 187, "+")
    press(page, "+", 187, "+")
    assert int(page.evaluate(f"{graph}.dataset.drawn")) < everything
    before = page.evaluate("graph.x[0]")
    press(page, "ArrowRight", 39)
    assert page.evaluate("graph.x[0]") > before
    press(page, "p", 80, "p")
    press(page, "0", 48, "0")
    assert int(page.evaluate(f"{graph}.dataset.drawn")) == everything


def test_a_mark_is_pointed_at_and_a_piece_is_dragged_over(page: Page) -> None:
    analysed(page, SAMPLE)
    page.evaluate("document.getElementById('graph').scrollIntoView()")
    left, top, x, y = page.evaluate(
        "(() => { const box = document.getElementById('graph').getBoundingClientRect();"
        " const at = graph.points.frame.indexOf(353);"
        " return [box.left, box.top, graph.toX(graph.points.time[at]),"
        " graph.toY(graph.points.place[at])]; })()"
    )
    page.drag((left + x - 40, top + y - 40), (left + x + 40, top + y + 40))
    x, y = page.evaluate(
        "(() => { const at = graph.points.frame.indexOf(353);"
        " return [graph.toX(graph.points.time[at]), graph.toY(graph.points.place[at])]; })()"
    )
    assert int(page.evaluate("document.getElementById('graph').dataset.drawn")) < 100

    page.click(left + x, top + y)
    said = text(page, "#says")
    assert said.startswith("Frame 353, ")
    assert "Spurious (class 5)" in said and "Evidence: S" in said


def test_tsns_are_on_a_straight_line_where_they_wrap(page: Page) -> None:
    analysed(page, BUNDLED / "pion-tsn-wrap.sender.pcap")
    low, high = page.evaluate("[Math.min(...graph.points.place), Math.max(...graph.points.place)]")
    acked = page.evaluate("Math.max(...graph.points.ackedPlace)")
    tsns = {int(tsn) for tsn in page.evaluate("[...graph.points.tsn]")}

    assert min(tsns) < 1 << 16 and max(tsns) > 0xFFFF0000
    assert (low, high, acked) == (0, len(tsns) - 1, len(tsns) - 1)


def test_the_legend_says_what_is_seen_in_sentences(page: Page) -> None:
    analysed(page, SAMPLE)

    assert texts(page, "#legend li") == [
        "360 sent for the first time",
        "9 sent again, spurious: an earlier copy of this TSN was accepted by the receiver's SCTP, "
        "whenever it arrived",
        "21 sent again, needed: no earlier copy was accepted",
        "21 lost: it did not reach the receiver, or was discarded there",
        "all below the line is acknowledged (cumulative TSN)",
        "the band at the bottom is what the sender waited for: C congestion_window, R recovery, "
        ". application",
        "TSN 1097975455 is 0. A letter is the cause: F by fast retransmit, f by fast retransmit, "
        "deferred.",
    ]


def test_very_many_transmissions_are_drawn_by_how_dense_they_are(page: Page) -> None:
    analysed(page, SAMPLE)
    drawn = page.evaluate(
        "(() => { const many = 200_000, each = (make) => Float64Array.from({ length: many }, make);"
        " const mark = Uint8Array.from({ length: many }, (_, at) => at % 100 ? 0 : 3);"
        " const time = each((_, at) => at / 1e4), place = each((_, at) => at);"
        " const cause = new Uint8Array(many), frame = new Uint32Array(many), tsn = frame;"
        " const waits = { begin: [], end: [], limit: [] };"
        " graph.show({ time, place, mark, cause, frame, tsn, waits,"
        " ackedTime: time, ackedPlace: place });"
        " const pen = graph.canvas.getContext('2d'), { left, top, width, height } = graph.box;"
        " const spurious = (x, y, w, h) => { let found = 0;"
        " const { data } = pen.getImageData(x, y, w, h);"
        " for (let at = 0; at < data.length; at += 4)"
        " found += data[at] === 224 && data[at + 1] === 70; return found; };"
        " return [graph.canvas.dataset.drawn, graph.lane,"
        " spurious(left, top + height, width, graph.lane) > width,"
        " spurious(left, top, width, height) > 100]; })()"
    )

    assert drawn == ["200000", 64, True, True]


def test_what_was_sent_again_is_pointed_at_before_what_lies_below_it(page: Page) -> None:
    analysed(page, SAMPLE)
    found = page.evaluate(
        "(() => { const one = Uint32Array.of(1, 2), time = Float64Array.of(0, 1);"
        " graph.show({ time, place: time, mark: Uint8Array.of(0, 3), cause: Uint8Array.of(0, 0),"
        " frame: one, tsn: one, ackedTime: time, ackedPlace: time,"
        " waits: { begin: [], end: [], limit: [] } });"
        " graph.look(-100, 100, -100, 100);"
        " const near = (at) => graph.nearest(graph.toX(at), graph.toY(at));"
        " return [near(0), near(1), graph.nearest(graph.toX(50), graph.toY(50))]; })()"
    )

    assert found == [1, 1, -1]


def test_a_drawing_measures_its_canvas_a_few_times_however_many_points(page: Page) -> None:
    analysed(page, SAMPLE)
    read, points = page.evaluate(
        "(() => { const { canvas } = graph; let read = 0;"
        " for (const name of ['clientWidth', 'clientHeight']) Object.defineProperty(canvas, name,"
        " { configurable: true, get() { read++; return Element.prototype.__lookupGetter__(name)"
        ".call(this); } });"
        " graph.draw(); return [read, graph.points.time.length]; })()"
    )

    assert points == 390
    assert read < 10
    # An observer tells of the first size, too: what is drawn already is not drawn again.
    assert page.evaluate("graph.fits()")
