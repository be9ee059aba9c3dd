# SPDX-License-Identifier: BSD-2-Clause
"""Stories that the page tells are those of `sctp-rack explain`, word for word."""

import json
from pathlib import Path
from random import Random

import pytest
import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.story.explain import explain
from sctp_rack.story.story import story_lines
from sctp_rack.story.which_tsn import Place
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration

from tests.browser import Page
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, SAMPLE, bundled, long_but, name_of
from tests.page.dropped import analysed, in_worker, text
from tests.report.test_page import press
from tests.story.test_explain import without_times

#: Both taps and families of stacks, a tail loss that a probe would have shown, several addresses.
_FEW = {"usrsctp-tail-loss.sender.pcap", "usrsctp-hosts-and-taps.receiver.pcapng"}

#: Of a line in a terminal, wider than any story.
_WIDE = 1 << 20


def places(capture: Capture) -> list[Place]:
    """Of all TSNs that were sent again."""
    rows = capture.transmissions.where(kind="retransmission")
    return sorted({Place(row["assoc"], row["dir"], row["tsn"]) for row in rows})


def of_command(capture: Capture, place: Place) -> str:
    """In one line, without what tells of an option of the command."""
    told = " ".join(" ".join(story_lines(explain(capture, place), _WIDE)).split())
    return told.replace("; --json has all of them", "")


def of_page(page: Page, place: Place) -> str:
    way = 2 * place.assoc + (place.dir == "b2a")
    page.evaluate("delete document.getElementById('story').dataset.told")
    page.evaluate(f"stories.open({way}, {place.tsn}, 0, null)")
    page.wait("document.getElementById('story').dataset.told")
    return " ".join(text(page, "#story").removeprefix("Close").split())


@pytest.mark.parametrize("capture", long_but(_FEW, bundled()), ids=name_of)
def test_every_story_is_that_of_the_command(page: Page, capture: Path) -> None:
    analysed(page, capture)
    read = sctp_rack.read(capture)

    for place in places(read):
        assert of_page(page, place) == of_command(read, place)
    assert page.errors == []


def mark_at(page: Page, frame: int) -> tuple[float, float]:
    """Where in the window a frame's transmission is in the graph, which is brought into view."""
    left, top, x, y = page.evaluate(
        "(() => { const canvas = document.getElementById('graph');"
        f" const at = graph.points.frame.indexOf({frame});"
        " canvas.scrollIntoView({ block: 'center' });"
        " graph.look(graph.points.time[at] - 0.004, graph.points.time[at] + 0.004);"
        " const box = canvas.getBoundingClientRect();"
        " return [box.left, box.top, graph.toX(graph.points.time[at]),"
        " graph.toY(graph.points.place[at])]; })()"
    )
    return left + x, top + y


#: Of a TSN.
FIRST = 1000

TOLD = "document.getElementById('story').dataset.told"
IN_VIEW = (
    "(() => { const box = document.querySelector('#story h3').getBoundingClientRect();"
    " return box.top >= 0 && box.bottom <= innerHeight; })()"
)


def test_a_row_that_is_clicked_tells_its_story(page: Page) -> None:
    analysed(page, SAMPLE)
    assert page.evaluate("document.getElementById('story').hidden")
    row = "document.querySelectorAll('#rows tbody tr')[9]"
    frame = page.evaluate(f"{row}.cells[0].innerText")
    page.evaluate(f"{row}.click()")
    page.wait(TOLD)

    assert f", frame {frame}: " in text(page, "#story")
    assert text(page, "#says").startswith(f"Frame {frame}, ")
    assert page.evaluate(IN_VIEW)


def test_a_retransmission_that_is_clicked_in_the_graph_tells_its_story(page: Page) -> None:
    analysed(page, SAMPLE)
    page.click(*mark_at(page, 353))
    page.wait(TOLD)

    assert ", frame 353: spurious" in text(page, "#story")
    assert page.evaluate(IN_VIEW)


def test_what_arrived_at_once_has_a_story_at_enter_alone(page: Page) -> None:
    analysed(page, BUNDLED / "pion-delay-spike.sender.pcap")
    frame = page.evaluate("graph.points.frame[0]")
    page.click(*mark_at(page, frame))
    assert text(page, "#says").startswith(f"Frame {frame}, ")
    assert page.evaluate("document.getElementById('story').hidden")
    page.evaluate("document.getElementById('graph').focus()")
    press(page, "Enter", 13)
    page.wait(TOLD)

    assert text(page, "#story").endswith("It was not sent again.")


def test_a_story_is_read_and_closed_by_keyboard(page: Page) -> None:
    analysed(page, SAMPLE)
    page.evaluate("table.scroller.focus()")
    press(page, "ArrowDown", 40)
    press(page, "Enter", 13)
    page.wait(TOLD)
    assert page.evaluate("document.activeElement.closest('#story') !== null")
    press(page, "Escape", 27)

    assert page.evaluate("document.getElementById('story').hidden")
    assert page.evaluate("document.activeElement === table.scroller")


def test_a_frame_of_a_story_leads_into_the_graph(page: Page) -> None:
    analysed(page, SAMPLE)
    page.evaluate("document.querySelectorAll('#rows tbody tr')[9].click()")
    page.wait(TOLD)
    frame = text(page, "#story .events button")
    page.evaluate("document.querySelector('#story .events button').click()")

    assert text(page, "#says").lower().startswith(f"{frame}, ")
    assert page.evaluate("document.activeElement.id") == "graph"


def test_another_capture_closes_the_story_of_the_one_before(page: Page) -> None:
    analysed(page, SAMPLE)
    page.evaluate("document.querySelectorAll('#rows tbody tr')[9].click()")
    page.wait(TOLD)
    other = BUNDLED / "pion-delay-spike.sender.pcap"
    analysed(page, other)
    assert page.evaluate("document.getElementById('story').hidden")

    read = sctp_rack.read(other)
    place = places(read)[0]
    assert of_page(page, place) == of_command(read, place)


def test_a_tsn_sent_very_often_has_a_short_story_at_once(page: Page, tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(FIRST))
    for _ in range(2000):
        talk.say(A, B, sctp.data(FIRST), later_us=1500)
        talk.say(B, A, sctp.sack(FIRST - 1, [(2, 2)], [FIRST]), later_us=1500)
    capture = talk.write(tmp_path)
    analysed(page, capture)
    read = sctp_rack.read(capture)
    (place,) = places(read)

    assert of_page(page, place) == of_command(read, place)
    assert len(text(page, "#story")) < 12_000
    milliseconds = page.evaluate(
        f"(async () => {{ delete document.getElementById('story').dataset.told;"
        f" const begin = performance.now(); stories.open(0, {place.tsn}, 0, null);"
        f" while (!{TOLD}) await new Promise((next) => setTimeout(next));"
        " return performance.now() - begin; })()"
    )
    assert milliseconds < 1000  # 20 on a machine that is idle


def test_packets_without_a_time_have_no_story(page: Page, tmp_path: Path) -> None:
    analysed(page, without_times(tmp_path))
    page.evaluate("document.querySelector('#rows tbody tr').click()")
    page.wait(TOLD)

    assert "Nothing to tell: packets that carried it have no time." in text(page, "#story")


def test_the_first_story_alone_has_the_capture_read_again(page: Page) -> None:
    analysed(page, SAMPLE)
    rows = "[...document.querySelectorAll('#rows tbody tr')]"
    workers = "stories.workers.length"
    before = page.evaluate(workers)
    for row in (9, 3):
        page.evaluate(
            f"void delete document.getElementById('story').dataset.told; {rows}[{row}].click()"
        )
        page.wait(TOLD)
        kept = page.evaluate("window.kept === stories.workers[0]")
        page.evaluate("void (window.kept = stories.workers[0])")

    assert (before, kept, page.evaluate(workers)) == (0, True, 1)


def test_of_two_that_are_asked_for_at_once_the_last_is_told(page: Page) -> None:
    analysed(page, SAMPLE)
    rows = "[...document.querySelectorAll('#rows tbody tr')]"
    page.evaluate(f"{rows}[9].click(); {rows}[3].click()")
    page.wait(TOLD)

    assert page.evaluate(f"{TOLD} === {rows}[3].cells[4].innerText")


def test_without_rows_for_it_a_story_says_why_and_how_to_have_it(page: Page) -> None:
    analysed(page, SAMPLE)
    page.evaluate("stories.file = new File([], 'gone.pcap')")
    page.evaluate("document.querySelectorAll('#rows tbody tr')[9].click()")
    page.wait(TOLD)

    frame = page.evaluate("document.querySelectorAll('#rows tbody tr')[9].cells[0].innerText")
    said = text(page, "#story [role=alert]")
    assert said.startswith("The file is empty. The installed command tells it: sctp-rack explain")
    assert said.endswith(f"--frame {frame}")


def test_numbers_and_times_read_as_the_command_writes_them(page: Page) -> None:
    random = Random(1)
    times = [random.randrange(10 ** random.randint(3, 15)) for _ in range(500)]
    times += [499, 500, 1500, 2500, 999_499, 999_500, 12_250_000, 12_350_000, 99_949_999]
    times += [250_500_000, 251_500_000, 1_125_000_000, 1_135_000_000, -1_500_000, 10**15]

    assert in_worker(page, f"{json.dumps(times)}.map(duration)") == [duration(one) for one in times]
    assert in_worker(page, f"{json.dumps(times)}.map((one) => manyOf(one, 'SACK'))") == [
        many(one, "SACK") for one in times
    ]
    wanted = [f"{one / 1e6:,.3f}" for one in times]
    found = in_worker(page, f"{json.dumps(times)}.map((one) => grouped(decimals(one / 1e6, 3)))")
    assert found == wanted
