# SPDX-License-Identifier: BSD-2-Clause
"""Feedback that a later one overtook: by another path, or on its own, which reorders then."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, End, Talk, summary

A2, B2 = replace(A, address="10.1.0.1"), replace(B, address="10.1.0.2")

ON_THE_FIRST, ON_THE_SECOND = (B, A), (B2, A2)


@pytest.mark.parametrize(
    ("late", "counted"),
    [(ON_THE_FIRST, 0), (ON_THE_SECOND, 1)],
    ids=["by the shorter path", "on its own path"],
)
@pytest.mark.parametrize(
    "what", [[sctp.sack(1)], [sctp.sack(2, [(2, 2)])] * 2], ids=["cumulative TSN", "gaps"]
)
def test_only_what_overtakes_on_its_path_tells_that_it_reorders(
    what: list[bytes], late: tuple[End, End], counted: int, tmp_path: Path
) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 8):
        talk.say(A, B, sctp.data(tsn))
    talk.say(*ON_THE_FIRST, sctp.sack(1))
    talk.say(*ON_THE_SECOND, sctp.sack(2, [(2, 4)]))
    talk.say(*late, what[0])
    for _ in what:
        talk.say(*ON_THE_SECOND, sctp.sack(2, [(2, 4)]))

    (association,) = summary(talk.write(tmp_path)).associations
    assert association.a.flow and association.a.flow.stale_sacks == counted
