# SPDX-License-Identifier: BSD-2-Clause
"""docs/accuracy.md answers first, marks what rests on few cases, and has a table a question."""

from itertools import pairwise
from pathlib import Path

import pytest

from bench.accuracy.details import details
from bench.accuracy.figures import FOOTNOTE, per_million, percent, right_and_found, with_cases
from bench.accuracy.measure import Measured, is_among
from bench.accuracy.page import Source, page
from bench.accuracy.tally import Mistake, Question, Share, Tally
from bench.accuracy.truths import TAPS


def tally_of(right: int, wrong: int) -> Tally:
    """Verdicts, and nothing else."""
    tally = Tally(rows=right + wrong)
    tally.questions["retransmission"] = Question(right=right + wrong, found=right + wrong)
    tally.questions["spurious"] = Question(right=right, wrong=wrong, found=right)
    tally.calibration["verdict", 4] = Share(right, right + wrong)
    tally.shares["invented"] = Share(1, 1000)
    tally.mistakes = [Mistake("a.pcap", "kind", 3, 7, "original", "retransmission", "")]
    return tally


def measured(stack: str, tap: str, right: int, wrong: int) -> Measured:
    beside = tally_of(1, right + wrong - 1)
    return Measured(
        f"one-{stack}",
        f"{stack} 1.0",
        stack,
        "silent",
        "udp",
        "zero",
        tap,
        tap,
        tally_of(right, wrong),
        beside,
        tally_of(right // 2, wrong),
    )


SOME = [measured(stack, tap, 990, 10) for stack in ("pion", "usrsctp") for tap in TAPS]


def test_a_figure_is_never_rounded_up_to_all() -> None:
    assert percent(9999, 10_000) == "99.9"
    assert percent(10_000, 10_000) == "100"
    assert percent(0, 0) == "–"


def test_a_figure_of_fewer_than_a_hundred_cases_is_marked() -> None:
    assert percent(99, 99) == "100†"
    assert percent(100, 100) == "100"
    assert with_cases(Share(1, 2)) == "50.0† of 2"
    assert per_million(Share(1, 99)) == "10,101†"
    assert right_and_found(Question(right=60, wrong=40, found=60, missed=0)) == "60.0/100†"


def test_the_first_ten_lines_have_the_table_of_stacks_and_taps() -> None:
    lines = page(Source("Made up.", SOME), "TShark").splitlines()

    assert lines[6].startswith("| data sender's stack | at the sender: `spurious` · `needed` ·")
    assert lines[8] == "| pion 1.0 |" + " 99.0 · – · – (1,000) |" * 3
    assert lines[9].startswith("| usrsctp 1.0 |")
    assert lines[10] == "| *a stack we do not know* |" + " 98.0 · – · – (1,010) |" * 3


def test_a_page_has_one_footnote_and_a_caption_for_each_table() -> None:
    text = page(Source("Made up.", SOME), "TShark")

    assert text.count(FOOTNOTE) == 1
    for section in text.split("\n## ")[1:]:
        title, _, rest = section.partition("\n\n")
        assert rest.partition("\n\n")[0][0] not in "|#", title


def test_wireshark_is_beside_us_on_the_same_captures_alone() -> None:
    alone = Measured(
        "two", "linux 1", "linux", "silent", "ip", "flow", "sender", "sender", tally_of(7, 0)
    )
    text = page(Source("Made up.", [*SOME, alone]), "TShark")
    (line,) = (one for one in text.splitlines() if one.startswith("|  | all |"))

    assert "on 2 of these runs" in text
    assert line == "|  | all | 6,000 | 100/100 | 100/100 | 99.0/100 | 0.1/100† |"


@pytest.mark.parametrize(("part", "said"), [(50, True), (100, False)])
def test_it_is_said_where_it_was_not_tried_what_can_be_known(part: int, said: bool) -> None:
    tally = tally_of(100, 0)
    tally.shares["tried"] = Share(part, 100)
    one = Measured("two", "linux 1", "linux", "silent", "ip", "flow", "sender", "sender", tally)

    assert ("was tried of 50.0 %" in page(Source("Made up.", [one]), "TShark")) == said


def test_false_resends_are_said_of_a_million_by_ip_id_and_tap() -> None:
    text = page(Source("Made up.", SOME), "TShark")

    assert "| zero | 6,000 | 1,000 | 1,000 | 1,000 |" in text


def test_a_stack_that_nothing_was_chosen_on_has_figures_of_its_own() -> None:
    of_it = [measured("aiortc", tap, 700, 300) for tap in TAPS]
    without, beside = (
        page(Source("Made up.", SOME), "TShark", None, source)
        for source in (None, Source("In which it sends.", of_it))
    )
    (section,) = (
        one for one in beside.split("\n## ") if one.startswith("And a stack that has no profile")
    )

    assert "And a stack that has no profile" not in without
    assert "In which it sends." in section
    assert "| aiortc 1.0 | sender | 1,000 | 100/100 | 70.0/100 |" in section
    assert "| 4 | 97 | 70.0 of 3,000 | – | – | – |" in section
    assert beside.replace("\n## " + section, "") == without


def test_single_mistakes_are_listed_of_the_committed_samples_alone() -> None:
    committed, others = (
        details([(title, SOME)], "TShark") for title in ("The committed samples", "Others")
    )

    assert "| kind | a.pcap | original | retransmission |  | 3, 3, 3, 3, 3, 3 |" in committed
    assert "| 6 | kind | original | retransmission |  |  | `a.pcap` 3 |" in others


def test_a_page_without_captures_has_no_figures() -> None:
    text = page(Source("None.", []), "TShark")

    assert "\n| --- | --- | --- | --- |\n\n" in text
    assert "100 " not in text.replace(FOOTNOTE, "").partition("## ")[0].partition("---")[2]


@pytest.mark.parametrize(("of", "beside"), [(10, 3), (3, 10), (390, 300), (7, 0), (1, 1)])
def test_so_many_runs_are_read_by_wireshark_and_far_apart(of: int, beside: int) -> None:
    chosen = [at for at in range(of) if is_among(at, of, beside)]
    apart = {after - before for before, after in pairwise(chosen)}

    assert len(chosen) == min(of, beside)
    assert not apart or max(apart) - min(apart) <= 1


def test_the_pages_that_are_written_name_each_other() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"

    assert "(accuracy-details.md)" in page(Source("None.", []), "TShark")
    assert "(accuracy.md)" in details([], "TShark")
    assert (docs / "samples.md").is_file()
