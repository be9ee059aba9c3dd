# SPDX-License-Identifier: BSD-2-Clause
"""Where RACK-TLP would have been earlier: one definition for headline, findings and report."""

from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.recovery.hindsight import AT_ONCE, Saved, copy_before, leads
from sctp_rack.report.versus import versus

from tests.captures import BUNDLED
from tests.story.rows import MS, again, marked, tally_of

COPY = (0, "a2b", 10, 1)


def test_the_first_mark_that_is_not_wrong_tells_how_much_earlier() -> None:
    right = marked(10, 1, at_ms=50, lead_ms=40)
    later = marked(10, 1, at_ms=70, lead_ms=20)
    unknown = marked(11, 1, at_ms=50, lead_ms=-3, resolution="unknown")
    unseen = {**marked(12, 1, at_ms=50, lead_ms=7, resolution="unknown"), "frame": None}
    wrong = marked(13, 1, at_ms=50, lead_ms=40, resolution="false_mark")
    by_timeout = marked(14, 1, at_ms=50, lead_ms=40, trigger="rto")
    never_sent_again = {**marked(15, 1, at_ms=50, lead_ms=0), "sender_lead_ns": None}
    marks = [later, right, unknown, unseen, wrong, by_timeout, never_sent_again]

    assert leads(marks) == {
        COPY: 40 * MS,
        (0, "a2b", 11, 1): -3 * MS,
        (0, "a2b", 12, None): 7 * MS,
    }


@pytest.mark.parametrize("resolution", ["true_loss", "unknown"])
def test_a_needed_retransmission_proves_the_mark_on_the_copy_before(resolution: str) -> None:
    """Setup: a timeout sends again what RACK-TLP marked 600 ms before; what became of the marked
    copy is not known by itself. Expectation: that is time saved all the same."""
    rows = [again(9, 10, "t3", "needed", at_ms=1000)]
    mark = marked(10, 1, at_ms=400, lead_ms=600, resolution=resolution)

    wrong = {**mark, "resolution": "false_mark"}

    assert tally_of(rows, [mark]).resends.saved == Saved(1, 600 * MS, 600 * MS)
    assert tally_of(rows, [wrong]).resends.saved == Saved(0, 0, 0)


@pytest.mark.parametrize("path", sorted(BUNDLED.glob("*.pcap*")), ids=lambda path: path.name)
def test_the_report_counts_what_the_headline_counts(path: Path) -> None:
    """Expectation: what the report calls earlier are the needed retransmissions with a lead; the
    headline has no timeout without one of them."""
    for association in sctp_rack.read(path).associations:
        for way in association.directions:
            if (one := versus(way)) is None:
                continue
            lead_of = leads(way.table("rack_marks").where(profile="rfc8985"))
            needed = way.transmissions.where(kind="retransmission", verdict="needed")
            early = [row for row in needed if lead_of.get(copy_before(row), 0) >= AT_ONCE]

            assert sum(known.earlier for known in one.known) == len(early)
            by_timer = sum(row["cause"] in ("t3", "t3_gbn") for row in early)
            assert one.rack.saved.timeouts <= by_timer
