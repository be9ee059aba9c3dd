# SPDX-License-Identifier: BSD-2-Clause
"""Of what nobody reads to its end a page and a text show the beginning, and say where the rest is;
what they take grows with the capture, not with its square."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.comparison.measures import TABLES as MEASURED_TABLES
from sctp_rack.plots import tsn
from sctp_rack.plots.data import Data
from sctp_rack.report.contents import TABLES, contents
from sctp_rack.report.page import report_page
from sctp_rack.story.explain import explain
from sctp_rack.story.which_tsn import Place
from sctp_rack.summary.show import write_text

from tests.analyzer.test_bad_input import COMMAND, run
from tests.hostile import measure
from tests.report import shapes
from tests.report.work import work


def read(path: Path) -> Capture:
    return sctp_rack.read(path, tables={*TABLES, *MEASURED_TABLES})


def page_of(capture: Capture) -> str:
    return report_page([contents(capture)], with_graphs=False)


def told(capture: Capture) -> str:
    return str(explain(capture, Place(0, "a2b", 1001)))


def said(capture: Capture) -> str:
    text = io.StringIO()
    write_text(capture.summary, capture.findings, text)
    return text.getvalue()


def compared(capture: Capture) -> object:
    return sctp_rack.compare([("before", capture), ("after", capture)])


@pytest.mark.parametrize(
    ("shape", "made", "count"),
    [
        (shapes.copies, page_of, 80),
        (shapes.copies, told, 80),
        (shapes.associations, page_of, 40),
        (shapes.associations, said, 40),
        (shapes.associations, compared, 20),
    ],
    ids=["page of copies", "story", "page of associations", "text", "comparison"],
)
def test_twice_as_much_takes_no_more_than_twice_the_work(
    tmp_path: Path, shape: shapes.Shape, made: Callable[[Capture], object], count: int
) -> None:
    """Expectation: from twice to four times as much at most 2.4 times what once to twice adds."""
    found = []
    for size in (count, 2 * count, 4 * count):
        capture = read(shape(tmp_path, size))
        made(capture)  # what is made once for all
        found.append(work(lambda capture=capture: made(capture)))  # type: ignore[misc]

    for once, twice, four_times in zip(*found, strict=True):
        assert four_times - twice <= 2.4 * (twice - once)


def test_a_story_of_many_copies_is_cut_and_says_so(tmp_path: Path) -> None:
    path = shapes.copies(tmp_path, 300)
    text = run("explain", path, "--tsn", 1001).stdout.decode()
    whole = json.loads(run("explain", path, "--tsn", 1001, "--json").stdout)

    assert len(text.splitlines()) < 150
    assert max(map(len, text.splitlines())) <= 100
    assert f"and {len(whole['events']) - 32} more events; --json has all of them" in text
    assert len(whole["retransmissions"]) == 299
    assert "and 291 more retransmissions; --json has all of them" in text
    assert "Copy 2, frame 9:" in text and "Copy 300, frame 607:" in text
    assert ", …, 10.0 ms after copy 300" in " ".join(text.split())


def test_a_page_shows_little_of_a_story_and_names_the_command_that_has_all(tmp_path: Path) -> None:
    path = shapes.copies(tmp_path, 300)
    page = page_of(read(path.rename(tmp_path / "it's.pcapng")))
    command = "sctp-rack explain &#39;it&#39;&#34;&#39;&#34;&#39;s.pcapng&#39; --tsn 1001 --assoc 0"

    assert len(page) < 120_000
    assert f"{command} --dir a2b --json</code> has all" in page
    assert "… 294 more …" in page and "And 291 more retransmissions" in page
    assert "The first 100 of 299 retransmissions" in page


@pytest.mark.parametrize(("count", "sections"), [(20, 20), (21, 8), (60, 8)])
def test_of_many_associations_a_text_and_a_page_tell_the_worst(
    tmp_path: Path, count: int, sections: int
) -> None:
    capture = read(shapes.associations(tmp_path, count))
    text, page = said(capture), page_of(capture)

    assert text.count("\nAssociation ") == page.count('labelledby="association-') == sections
    left_out = f"{count - sections} more"
    command = "sctp-rack export talk.pcapng --table associations"
    assert (f"and {left_out} with data; `{command}`" in text) is (count > 20)
    assert (f"And {left_out}: <code>{command}</code> has all" in page) is (count > 20)


def test_a_text_on_many_associations_opens_with_their_sums(tmp_path: Path) -> None:
    lines = said(read(shapes.associations(tmp_path, 1000))).splitlines()

    assert lines[3:11] == [
        "",
        "All 1,000 associations with data",
        "                  1,000 no handshake; 1,000 not ended",
        "  sent            9,000 chunks, 72,000 bytes",
        "                  5,000 different TSNs, 5,000 acknowledged",
        "  sent again      4,000: 4,000 by T3-rtx",
        "                  4,000 spurious",
        "",
    ]
    assert lines[11] == "The 8 with most sent again and lost"
    assert len(lines) < 150


def test_what_cannot_be_judged_is_not_called_free_of_spurious_ones(tmp_path: Path) -> None:
    page = contents(read(shapes.copies(tmp_path, 30)))
    (spurious,) = (one for one in page.figures if one.label == "of these spurious")

    assert (spurious.value, spurious.note) == ("?", "28 undetermined")


def test_a_graph_of_too_many_blocks_draws_those_of_some_sacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = read(shapes.blocks(tmp_path, 10 * shapes.MOST_BLOCKS))
    direction = capture.associations[0].a2b
    assert direction.sacks.lengths("gaps").tolist() == [*[shapes.MOST_BLOCKS] * 10, 0]
    (whole,) = tsn._blocks(Data(direction))
    assert whole.name == "Acknowledged out of order (gap block)"
    assert len(whole) == 10 * shapes.MOST_BLOCKS

    monkeypatch.setattr(tsn, "_MOST_LISTED", 4 * shapes.MOST_BLOCKS)
    (thinned,) = tsn._blocks(Data(direction))

    assert thinned.name == "Acknowledged out of order (gap block), of one SACK in 3"
    frames = direction.sacks["frame"][:10:3]
    assert np.array_equal(thinned.about[0], np.repeat(frames, shapes.MOST_BLOCKS))  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize(
    ("shape", "count"),
    [(shapes.copies, 50_000), (shapes.associations, 25_000), (shapes.blocks, 4_240_000)],
    ids=["copies", "associations", "blocks"],
)
def test_a_report_takes_less_than_half_a_gibibyte(
    tmp_path: Path, shape: shapes.Shape, count: int
) -> None:
    page = tmp_path / "report.html"
    command = [*COMMAND, "report", str(shape(tmp_path, count)), "-o", str(page)]
    cost = measure.run(command, tmp_path, hangs_s=300)

    assert cost.status == 0, cost.errors
    assert cost.peak_mib < 500
    assert page.stat().st_size < 8_000_000
