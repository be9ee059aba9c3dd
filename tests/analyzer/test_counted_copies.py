# SPDX-License-Identifier: BSD-2-Clause
"""Fewer reports of duplicates than resends say how many copies arrived, not which (RFC 3708)."""

from pathlib import Path

from tests.builder import sctp
from tests.builder.talk import A, B, Row, Talk, rows

TSN = 1000
RTO_US = 1_000_000


def _copies(folder: Path, count: int, reports: int) -> list[Row]:
    """A TSN that was sent so often before the first feedback, which reports so many duplicates."""
    talk = Talk()
    talk.handshake_at_sender(40_000)
    for copy in range(count):
        talk.say(A, B, sctp.data(TSN), later_us=RTO_US if copy else 1_000)
    talk.say(B, A, sctp.sack(TSN, dups=[TSN] * reports), later_us=200_000)
    return [row for row in rows(talk.write(folder), "transmissions") if row["tsn"] == TSN]


def test_what_arrived_before_a_copy_is_counted(tmp_path: Path) -> None:
    first, second, third = _copies(tmp_path, 3, 1)

    assert (second["verdict"], second["verdict_class"]) == ("undetermined", 2)
    assert (third["verdict"], third["verdict_class"]) == ("spurious", 4)
    assert {first["outcome_class"], second["outcome_class"]} == {2}


def test_as_many_reports_as_resends_say_that_all_arrived(tmp_path: Path) -> None:
    verdicts = [(row["verdict"], row["verdict_class"]) for row in _copies(tmp_path, 3, 2)]

    assert verdicts[1:] == [("spurious", 4)] * 2
