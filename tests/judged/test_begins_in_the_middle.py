# SPDX-License-Identifier: BSD-2-Clause
"""What had been sent before the capture, and comes again."""

from pathlib import Path
from typing import Any

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows


def _judged(talk: Talk, frame: int, folder: Path) -> dict[str, Any]:
    (row,) = (row for row in rows(talk.write(folder), "transmissions") if row["frame"] == frame)
    return row


@pytest.mark.parametrize(
    ("first", "report"),
    [(1002, sctp.sack(1009)), (1010, sctp.sack(1000, gaps=[(5, 9)]))],
)
def test_acknowledged_before_it_is_seen_it_is_spurious(
    first: int, report: bytes, tmp_path: Path
) -> None:
    """Setup: feedback acknowledges TSNs that the capture does not have; one of them follows.
    Expectation: an earlier copy was accepted, unless what is seen is that copy itself, late behind
    one that was not captured, or the feedback is forged."""
    talk = Talk()
    talk.say(A, B, sctp.data(first))
    talk.say(B, A, report, later_us=20_000)
    again = talk.say(A, B, sctp.data(1007), later_us=5_000)
    talk.say(B, A, sctp.sack(1010), later_us=40_000)
    row = _judged(talk, again, tmp_path)

    assert row["kind"] == "retransmission"
    assert (row["verdict"], row["verdict_class"]) == ("spurious", 4)


def test_left_out_before_it_is_seen_it_stays_open(tmp_path: Path) -> None:
    """Setup: feedback leaves out a TSN that was sent before the capture; it comes, and is
    acknowledged a round trip later. Expectation: which copy arrived is not known."""
    talk = Talk()
    for tsn in (1010, 1011):
        talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(1000, gaps=[(2, tsn - 1000)]), later_us=40_000)
    again = talk.say(A, B, sctp.data(1001), later_us=1_000)
    talk.say(B, A, sctp.sack(1011), later_us=40_000)
    row = _judged(talk, again, tmp_path)

    assert row["kind"] == "retransmission"
    assert (row["verdict"], row["verdict_class"]) == ("undetermined", 2)
