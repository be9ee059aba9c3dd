# SPDX-License-Identifier: BSD-2-Clause
"""How the page is used: the table of retransmissions, its filters, the keyboard."""

import json

from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE
from tests.page.dropped import analysed, text
from tests.report.test_page import press


def rows(page: Page) -> list[list[str]]:
    """Of the table of retransmissions, those that are drawn."""
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('#rows tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.innerText))"
    )
    return found


def choose(page: Page, select: str, value: str) -> None:
    page.evaluate(
        f"(() => {{ const one = document.getElementById({json.dumps(select)});"
        f"one.value = {json.dumps(value)}; one.dispatchEvent(new Event('change')); }})()"
    )


def test_retransmissions_are_filtered(page: Page) -> None:
    analysed(page, SAMPLE)
    verdicts = page.evaluate(
        "Object.fromEntries([...document.getElementById('by-verdict').options]"
        ".map((one) => [one.text, one.value]))"
    )

    choose(page, "by-verdict", verdicts["spurious (9)"])
    assert text(page, "#passing") == "9 of 30 retransmissions"
    assert [row[0] for row in rows(page)] == [
        *("347", "348", "349", "350", "352", "353", "359", "362", "363")
    ]
    choose(page, "by-verdict", verdicts["needed (21)"])
    choose(page, "by-class", "5")
    assert text(page, "#passing") == "0 of 30 retransmissions"
    choose(page, "by-class", "4")
    choose(page, "by-cause", "3")
    assert text(page, "#passing") == "2 of 30 retransmissions"
    assert {row[3].split()[0] for row in rows(page)} == {"fast_deferred"}


def test_retransmissions_are_sorted_either_way(page: Page) -> None:
    analysed(page, SAMPLE)
    for wanted in ("ascending", "descending"):
        page.evaluate("document.querySelectorAll('#rows th button')[4].click()")
        tsns = [int(row[4]) for row in rows(page)]

        assert tsns == sorted(tsns, reverse=wanted == "descending")
        assert page.evaluate(
            "document.querySelectorAll('#rows th')[4].getAttribute('aria-sort')"
        ) == (wanted)


def test_of_very_many_rows_few_are_drawn_and_each_can_be_reached(page: Page) -> None:
    analysed(page, SAMPLE)
    page.evaluate(
        "(() => { const many = 1_000_000, made = {};"
        "for (const [name, column] of Object.entries(told.resent)) {"
        " made[name] = new column.constructor(many); made[name].fill(column[0]); }"
        "for (let row = 0; row < many; row++) made.frame[row] = row + 1;"
        "told.resent = made; table.show(made); })()"
    )
    for share, last in ((0, None), (0.5, None), (1, 1_000_000)):
        page.evaluate(f"table.scroller.scrollTop = {share} * table.scroller.scrollHeight; 0")
        page.evaluate("new Promise(requestAnimationFrame)")
        page.wait(f"Math.abs(table.first - {share} * 1e6) < 100")
        frames = [int(row[0]) for row in rows(page)]

        assert len(frames) < 40
        assert frames == [*range(frames[0], frames[0] + len(frames))]
        if last:
            assert frames[-1] == last
    page.evaluate("table.scroller.focus()")
    press(page, "Home", 36)
    assert rows(page)[0][0] == "1"
    press(page, "End", 35)
    assert rows(page)[-1][0] == "1000000"
    assert page.evaluate("document.querySelector('#rows [aria-selected]').cells[0].innerText") == (
        "1000000"
    )


def test_a_row_is_shown_in_the_graph_by_keyboard(page: Page) -> None:
    analysed(page, SAMPLE)
    page.evaluate("table.scroller.focus()")
    press(page, "ArrowDown", 40)
    press(page, "ArrowDown", 40)
    press(page, "Enter", 13)

    said = text(page, "#says")
    assert said.startswith("Frame 139, 426 ms: TSN 1097975506 was sent again, by fast retransmit")
    assert "Needed (class 4): no earlier copy was accepted." in said


def test_every_control_is_reached_by_keyboard(page: Page) -> None:
    analysed(page, BUNDLED / "usrsctp-both-ways.middle.pcap")
    wanted = page.evaluate(
        "[...document.querySelectorAll('button, input, select, canvas, .rows, .wide')]"
        ".filter((one) => one.checkVisibility()).length"
    )
    page.evaluate("window.seen = new Set(); document.body.focus(); 0")
    for _ in range(wanted + 10):
        press(page, "Tab", 9)
        page.evaluate("seen.add(document.activeElement); 0")
    reached = page.evaluate(
        "[...document.querySelectorAll('button, input, select, canvas, .rows, .wide')]"
        ".filter((one) => one.checkVisibility() && seen.has(one)).length"
    )

    assert reached == wanted


def test_another_direction_is_chosen(page: Page) -> None:
    analysed(page, BUNDLED / "usrsctp-both-ways.middle.pcap")
    first = text(page, "#direction-name")
    page.evaluate("document.querySelectorAll('.directions .choose')[1].click()")

    assert text(page, "#direction-name") != first
    assert page.evaluate("document.querySelector('[aria-current=true] .choose').innerText") in text(
        page, "#direction-name"
    )


def test_a_second_capture_takes_the_place_of_the_first(page: Page) -> None:
    analysed(page, SAMPLE)
    analysed(page, BUNDLED / "pion-delay-spike.sender.pcap")

    assert "pion-delay-spike.sender.pcap" in text(page, "#kicker")
    assert text(page, "#passing") == "6 of 6 retransmissions"
    assert page.errors == []


def test_a_row_of_another_direction_brings_that_direction(page: Page) -> None:
    analysed(page, BUNDLED / "usrsctp-both-ways.middle.pcap")
    frame, _, _, _, tsn, *_ = next(row for row in rows(page) if row[6] == "0 a2b")
    assert text(page, "#direction-name").startswith("Association 0, b to a")
    page.evaluate(
        "[...document.querySelectorAll('#rows tbody tr')]"
        f".find((row) => row.cells[0].innerText === '{frame}').click()"
    )

    assert text(page, "#direction-name").startswith("Association 0, a to b")
    assert text(page, "#says").startswith(f"Frame {frame}, ")
    assert f"TSN {tsn} was sent again" in text(page, "#says")
