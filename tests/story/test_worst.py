# SPDX-License-Identifier: BSD-2-Clause
"""Of many associations those are told that have most sent again, not those that come first."""

from pathlib import Path

import pytest
from sctp_rack.summary.summary import Association
from sctp_rack.summary.worst import worst

from tests.builder import sctp
from tests.builder.talk import A, B, End, Talk, summary


def talks(folder: Path, again: list[int]) -> list[Association]:
    """One for each number, which sends a TSN so often again."""
    talk = Talk()
    for at, times in enumerate(again):
        a, b = End(A.address, 1000 + at, 10 + at), End(B.address, 1000, 500 + at)
        for copy in range(times + 1):
            talk.say(a, b, sctp.data(9), later_us=1_100_000, ident=copy)
    return list(summary(talk.write(folder)).associations)


@pytest.mark.parametrize(
    ("again", "told"),
    [
        ([0, 2, 1], [0, 1, 2]),
        ([*[0] * 15, 1, 3, 2, *[0] * 2], list(range(20))),
        ([*[0] * 15, 1, 3, 2, *[0] * 3], [16, 17, 15, 0, 1, 2, 3, 4]),
    ],
    ids=["few", "twenty", "more"],
)
def test_the_worst_come_first_where_not_all_are_told(
    tmp_path: Path, again: list[int], told: list[int]
) -> None:
    assert [one.assoc for one in worst(talks(tmp_path, again))] == told
