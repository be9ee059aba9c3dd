# SPDX-License-Identifier: BSD-2-Clause
"""The page with time-sequence graphs, from the Tools menu and on the command line."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.browser import chromium
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, SAMPLE
from tests.lua import drop_in
from tests.lua.lua_model import DROP_IN

pytestmark = pytest.mark.long

DOUBLE = Path(__file__).with_name("gui_double.lua")
LIMITS = "local DOTS, MARKS, DIRECTIONS = 15000, 5000, 12"
BOTH_WAYS = BUNDLED / "usrsctp-both-ways.middle.pcap"
GRAPH = ("-q", "-X", "lua_script1:graph")
USE, TITLE, GRAPHS = ".//{*}use[@x]", "{*}title", ".//{*}svg[@class='graph']"
#: Every mark is within the graph, up to half of itself.
IN_GRAPH = """(() => {
    const of = (what) => what.getBoundingClientRect();
    const graph = of(document.querySelector(".graph"));
    return [...document.querySelectorAll("use[x]")].every((mark) => {
        const { left, right, top, bottom } = of(mark);
        const x = (left + right) / 2, y = (top + bottom) / 2;
        return x >= graph.left && x <= graph.right && y >= graph.top && y <= graph.bottom
            && right - left > 7 && right - left < 14;
    });
})()"""
#: No label lies over a mark, a line or another label, or beyond the window.
APART = """(() => {
    const of = (what) => what.getBoundingClientRect();
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const labels = [...document.querySelectorAll(".graph text")].map(of);
    const drawn = [...document.querySelectorAll("use[x], .graph path")].map(of);
    return labels.length > 4 && labels.every((label, at) => label.left >= 0
        && label.right <= innerWidth && !drawn.some((one) => over(label, one))
        && !labels.slice(at + 1).some((other) => over(label, other)));
})()"""
# A pcap of Ethernet without a packet.
NO_PACKETS = bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000")


def page(capture: Path, *options: str) -> str:
    return drop_in.tshark(capture, *GRAPH, *options).stdout


def parsed(text: str) -> ElementTree.Element:
    """The page, which is well-formed."""
    assert text.startswith("<!DOCTYPE html>\n")
    return ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))


def legend(text: str) -> list[str]:
    return [words.strip() for words in re.findall(r"<li>.*</svg>(.*)</li>", text)]


def marks(text: str) -> list[ElementTree.Element]:
    return list(parsed(text).iterfind(USE))


def dots(text: str) -> list[str]:
    return re.findall(r"M\d+ \d+h0", text.partition('class="graph"')[2].replace("M0 0h0", ""))


def hints(root: ElementTree.Element, kind: str) -> set[str]:
    marks = [mark for mark in root.iterfind(USE) if mark.get("class") == kind]
    return {title.text or "" for mark in marks for title in mark.iterfind(TITLE)}


@pytest.mark.parametrize("capture", [SAMPLE, BOTH_WAYS], ids=lambda path: path.name)
def test_the_legend_counts_the_rows_of_each_direction(capture: Path) -> None:
    expected = []
    directions = [each for one in drop_in.judged(capture) for each in one["directions"]]
    most = sorted(
        directions,
        key=lambda each: (
            -sum("verdict" in row or row["outcome"] == "lost" for row in each["transmissions"])
        ),
    )
    for direction in most:
        rows = direction["transmissions"]
        verdicts = Counter(row.get("verdict") for row in rows)
        told = {
            "sent again spuriously": verdicts["spurious"],
            "sent again, and nobody can tell whether that was needed": verdicts["undetermined"],
            "sent again as needed": verdicts["needed"],
            "lost": sum(row["outcome"] == "lost" for row in rows),
        }
        expected += [
            f"{len(rows)} DATA chunks were sent",
            *(
                f"{count} of them {'was' if count == 1 else 'were'} {words}"
                for words, count in told.items()
                if count
            ),
            "all up to the line is acknowledged",
        ]

    assert legend(page(capture)) == expected


def test_each_verdict_and_each_loss_has_a_mark_that_says_what_it_is() -> None:
    rows = drop_in.judged(SAMPLE)[0]["directions"][0]["transmissions"]
    root = parsed(page(SAMPLE))

    for kind, column in (("spurious", "verdict"), ("needed", "verdict"), ("lost", "outcome")):
        chosen = {row["frame"] for row in rows if row.get(column) == kind}
        shown = hints(root, kind)
        assert {int(re.match(r"Frame (\d+)", hint)[1]) for hint in shown} <= chosen  # type: ignore[index]
        assert all(f"{column}: {kind}" in hint for hint in shown)
        assert len(shown) >= len(chosen) / 2  # of what lies in one place one is drawn


def test_time_goes_right_and_tsns_go_up_across_their_wrap(tmp_path: Path) -> None:
    talk = Talk()
    for number in range(20):
        talk.say(A, B, sctp.data((2**32 - 10 + number) % 2**32), later_us=1000)
        talk.say(B, A, sctp.sack((2**32 - 10 + number) % 2**32), later_us=1000)
    text = page(talk.write(tmp_path))
    graph = parsed(text).find(GRAPHS)
    assert graph is not None
    acked, data = (path.get("d", "") for path in graph.iterfind(".//{*}path"))
    places = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h0", data)]
    labels = [int(word) for word in re.findall(r">(\d+)</text>", text)]

    assert len(places) == 20
    assert places == sorted(places, key=lambda place: (place[0], -place[1]))
    assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)
    assert (places[0][1], places[-1][1]) == (400, 0)
    assert acked.startswith("M")
    assert acked.endswith("V0")
    assert labels[-4:] == [4294967290, 4294967295, 4, 9]


def test_an_acknowledgement_of_what_was_never_sent_is_not_drawn(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in (1, 2, 3):
        talk.say(A, B, sctp.data(tsn), later_us=1000)
    before = legend(page(talk.write(tmp_path)))
    talk.say(B, A, sctp.sack(100_000), later_us=1000)
    text = page(talk.write(tmp_path))
    graph = parsed(text).find(GRAPHS)
    assert graph is not None

    assert legend(text) == before
    assert next(path.get("d") for path in graph.iterfind(".//{*}path")) == ""


def test_what_is_too_much_for_a_browser_is_left_out_and_said(tmp_path: Path) -> None:
    script = tmp_path / DROP_IN.name
    text = DROP_IN.read_text()
    assert text.count(LIMITS) == 1
    script.write_text(text.replace(LIMITS, "local DOTS, MARKS, DIRECTIONS = 20, 2, 12"))
    scripts = (DROP_IN, script)
    whole, part = (drop_in.tshark(BOTH_WAYS, *GRAPH, script=each).stdout for each in scripts)
    left = [
        (re.sub(r" \(.*", "", line), int(found[1]))
        for line in legend(part)
        if (found := re.search(r" \((\d+) are left out of the graph\)$", line))
    ]
    left_dots = sum(count for words, count in left if "DATA chunks" in words)
    left_marks = sum(count for words, count in left if "of them" in words)

    assert [line.partition(" (")[0] for line in legend(part)] == legend(whole)
    assert (len(marks(part)), len(dots(part))) == (2 + 1, 20 + 20)
    # Here each has a place of its own.
    assert (left_marks, left_dots) == (len(marks(whole)) - 3, len(dots(whole)) - 40)


def test_what_lies_in_one_place_is_drawn_once(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 3001):
        talk.say(A, B, sctp.data(tsn), later_us=100)
        talk.say(B, A, sctp.sack(tsn), later_us=20_000)
        talk.say(A, B, sctp.data(tsn), later_us=20_000)
    text = page(talk.write(tmp_path))

    assert "3000 of them were sent again spuriously" in legend(text)
    assert len(marks(text)) <= 1401  # a diagonal of cells
    assert len(text) < 350_000


def test_of_many_directions_those_with_most_to_tell_are_drawn(tmp_path: Path) -> None:
    talk = Talk()
    for number in range(15):
        sender = replace(A, port=7000 + number)
        for tsn in range(1, 4):
            talk.say(sender, B, sctp.data(tsn), later_us=1000)
    text = page(talk.write(tmp_path))

    assert "15 directions have data; those 12 are drawn" in text
    assert len(list(parsed(text).iterfind(GRAPHS))) == 12


def test_a_page_without_data_says_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pcap"
    empty.write_bytes(NO_PACKETS)

    assert "No DATA of SCTP was seen so far" in page(empty)


def test_the_page_says_which_preference_is_not_used() -> None:
    text = page(SAMPLE, "-o", "sctp_rack.loop:<soon>")

    assert parsed(text)
    assert re.search("<p>.*&lt;soon&gt;.*</p>", text)


def test_the_button_opens_the_page_in_a_browser() -> None:
    done = drop_in.tshark(SAMPLE, "-2", "-q", before=DOUBLE).stdout
    opened = re.findall(r"^browser (.*)$", done, re.MULTILINE)

    assert done.startswith("menu SCTP loss recovery\n")
    assert re.findall(r"^button (.*)$", done, re.MULTILINE)[:2] == [
        "Refresh",
        "Time-sequence graph",
    ]
    assert len(opened) == 2
    assert len(set(opened)) == 1  # one file, however often
    path = Path(opened[0])
    try:
        assert path.suffix == ".html"
        assert path.stat().st_mode & 0o077 == 0
        assert path.read_text() == page(SAMPLE)
        assert list(path.parent.glob(path.stem + "*")) == [path]
    finally:
        path.unlink()


def test_a_page_that_cannot_be_written_is_told_in_the_window(tmp_path: Path) -> None:
    double = tmp_path / DOUBLE.name
    nowhere = 'os.tmpname = function() return "/nonexistent/graph" end\n'
    double.write_text(DOUBLE.read_text() + nowhere)
    done = drop_in.tshark(SAMPLE, "-q", before=double).stdout

    assert "browser" not in done
    assert "The graph could not be written: /nonexistent/graph: No such file" in done


def test_a_word_that_is_none_is_complained_of() -> None:
    done = drop_in.tshark(SAMPLE, "-q", "-X", "lua_script1:grpah", complains=True)

    assert "sctp_rack.lua: -X lua_script1 is not grpah, but stat, json, report or graph" in (
        done.stderr
    )


def test_the_page_fits_wide_and_narrow_screens_light_and_dark(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page(SAMPLE))
    grounds = set()
    with chromium(tmp_path / "profile") as screen:
        for width, dark in ((1400, False), (1400, True), (390, True), (390, False)):
            screen.size(width, 900, dark)
            screen.open(tmp_path / "page.html")
            grounds.add((dark, screen.evaluate("getComputedStyle(document.body).backgroundColor")))
            assert screen.evaluate("document.documentElement.scrollWidth") == width
            assert screen.evaluate(IN_GRAPH)
            assert screen.evaluate(APART)
        assert not screen.errors
    assert grounds == {(False, "rgb(255, 255, 255)"), (True, "rgb(22, 25, 29)")}
