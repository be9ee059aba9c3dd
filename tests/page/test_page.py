# SPDX-License-Identifier: BSD-2-Clause
"""The page in a real browser: what it says of a capture, and how it is used."""

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sctp_rack
from sctp_rack.recovery.direction import recovery
from sctp_rack.summary.opening import headline, opening

from page.build import page as built
from tests.analyzer.test_bad_input import run
from tests.analyzer.test_filtered import signalling
from tests.browser import Page
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, IN_DTLS, SAMPLE, bundled, name_of
from tests.page.dropped import analysed, text, texts
from tests.report.test_page import press
from tests.story.rows import again, tally_of

#: What of the sentence the page leaves out.
_OF_RACK = "; RACK-TLP would have "

#: Class 5 and doubtful, one timeout, a family of causes, nothing sent again, both directions.
_FEW = {
    SAMPLE.name,
    "pion-delay-spike.sender.pcap",
    "usrsctp-both-ways.middle.pcap",
    "dcsctp-zero-window.sender.pcap",
    "linux-outage.receiver.pcap",
}


def first_line(capture: Path) -> str:
    said = headline(sctp_rack.read(capture).summary)
    before, left_out, _ = said.partition(_OF_RACK)
    return before + "." if left_out else before


def unanswered() -> Talk:
    talk = Talk()
    for tsn in (1, 2, 1):
        talk.say(A, B, sctp.data(tsn), later_us=300_000)
    return talk


def calm() -> Talk:
    talk = Talk()
    talk.say(A, B, sctp.data(1))
    talk.say(B, A, sctp.sack(1))
    return talk


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


@pytest.mark.parametrize(
    "capture",
    [pytest.param(one, marks=() if one.name in _FEW else pytest.mark.long) for one in bundled()],
    ids=name_of,
)
def test_it_opens_with_the_words_of_analyze(page: Page, capture: Path) -> None:
    analysed(page, capture)
    first, _, then = first_line(capture).partition("; ")

    assert text(page, "#verdict .first").rstrip(".") == first.rstrip(".")
    if then:
        assert text(page, "#verdict .then") == then[0].upper() + then[1:]


def test_the_sums_of_each_direction_are_those_of_analyze(page: Page) -> None:
    capture = BUNDLED / "usrsctp-both-ways.middle.pcap"
    analysed(page, capture)
    (association,) = json.loads(run("analyze", "--json", capture).stdout)["associations"]
    wanted = {}
    for name, side in (("a to b", association["a"]), ("b to a", association["b"])):
        recovery = side["recovery"]
        verdicts = (
            sum(recovery["verdicts"].get(one, {}).values())
            for one in ("spurious", "needed", "undetermined")
        )
        wanted[f"Association 0, {name}"] = [
            *(side["data"]["chunks"], recovery["lost"], recovery["retransmissions"]),
            *verdicts,
        ]

    names = texts(page, "#directions .choose")
    cells = [int(cell.replace(",", "")) for cell in texts(page, "#directions td")]

    assert dict(zip(names, (cells[:6], cells[6:]), strict=True)) == wanted


def test_what_is_encrypted_is_said(page: Page) -> None:
    analysed(page, BUNDLED / f"{IN_DTLS}.sender.pcapng")

    assert "DTLS that was not read" in text(page, "#verdict")
    assert "does not decrypt" in text(page, "#notices")
    assert not page.evaluate("document.getElementById('of-direction').checkVisibility()")


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
    page.evaluate("document.querySelectorAll('.choose')[1].click()")

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


def _by_hand(random: Random) -> list[dict[str, Any]]:
    """Retransmissions of a direction, a few of each frame, of few causes."""
    causes = random.sample(["t3", "t3_gbn", "fast", "fast_deferred", "rack", "tlp", "unknown"], 3)
    verdicts = random.choice([["spurious"], ["needed"], ["spurious", "needed", "undetermined"]])
    return [
        again(
            *(10 + at // random.choice([1, 2]), at, random.choice(causes)),
            *(random.choice(verdicts), 100.0 * at),
            verdict_class=random.choice([3, 4, 5]),
            cause_class=random.choice([1, 2, 4]),
        )
        for at in range(random.choice([1, 2, 3, 8]))
    ]


def test_it_says_of_any_retransmissions_what_analyze_says(page: Page) -> None:
    random = Random(1)
    many = [[_by_hand(random) for _ in range(random.choice([1, 1, 2]))] for _ in range(400)]
    names = ("frame", "verdict", "verdict_class", "cause", "cause_class")
    told = [[[[row[name] for name in names] for row in rows] for rows in ways] for ways in many]
    said = page.evaluate(
        f"(() => {{ {page.evaluate('WORKER')}; return {json.dumps(told)}.map((capture) => {{"
        "const ways = new Ways();"
        "capture.forEach((rows, way) => rows.forEach((row) =>"
        " Analysis.prototype.add(ways.of(way), ...row)));"
        "return opening([...ways.sums.values()]); }); })()"
    )

    for ways, sentence in zip(many, said, strict=True):
        wanted = opening([recovery(tally_of(rows)) for rows in ways])
        assert sentence == wanted
    assert len(set(said)) > 100


@pytest.mark.parametrize(
    ("talk", "said"),
    [
        (signalling(), "26 DATA chunks; packets without DATA were filtered out of the file, so"),
        (unanswered(), "1 retransmission among 3 DATA chunks; no acknowledgement was captured, so"),
        (calm(), "1 DATA chunk, none of them a retransmission as far as can be seen."),
    ],
    ids=["filtered", "unanswered", "never again"],
)
def test_it_claims_nothing_that_cannot_be_seen(
    page: Page, tmp_path: Path, talk: Talk, said: str
) -> None:
    path = talk.write(tmp_path)
    analysed(page, path)

    assert headline(sctp_rack.read(path).summary).startswith(said)
    assert page.evaluate("headline(told)") == headline(sctp_rack.read(path).summary)


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
