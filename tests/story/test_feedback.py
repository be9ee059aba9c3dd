# SPDX-License-Identifier: BSD-2-Clause
"""What an acknowledgement says of one TSN, from rows by hand."""

from typing import Any

import pytest
import sctp_rack
from sctp_rack.feedback import feedback_on, leaves, told_of

from tests.captures import BUNDLED
from tests.story.rows import row_of


def sack(cum: int, *gaps: list[int], **values: Any) -> dict[str, Any]:
    place = {"frame": 9, "time_ns": 0, "kind": "sack", "newly_acked": 1}
    lists: dict[str, Any] = {"gaps": list(gaps), "nr_gaps": [], "dups": []}
    return row_of("sacks", cum_tsn=cum, **{**place, **lists, **values})


@pytest.mark.parametrize(
    ("row", "left_out"),
    [
        (sack(9, [12, 14]), True),
        (sack(9, [11, 11], [13, 14]), False),
        (sack(9, [12, 14], nr_gaps=[[11, 11]]), False),
        (sack(9, nr_gaps=[[12, 12]]), True),
        (sack(9, [10, 10]), False),
        (sack(11, [13, 14]), False),
        (sack(9), False),
    ],
    ids=["above", "covered", "covered by NR", "NR above", "below", "cumulative", "nothing"],
)
def test_leaves_out_what_a_block_above_passes_over(row: dict[str, Any], left_out: bool) -> None:
    assert leaves(11, row) is left_out


def test_compares_in_serial_order_over_the_wrap() -> None:
    assert leaves(2**32 - 1, sack(2**32 - 2, [0, 3]))
    assert not leaves(0, sack(2**32 - 2, [0, 3]))


def test_counts_each_duplicate_report() -> None:
    (only,) = feedback_on(7, [sack(9), sack(9, dups=[7, 3, 7])])

    assert (only.duplicates, only.leaves_out) == (2, False)


@pytest.mark.parametrize("name", ["usrsctp-nth-loss", "pion-reorder-low", "pion-tsn-wrap"])
def test_a_quick_look_leaves_out_no_row_that_tells_of_a_tsn(name: str) -> None:
    direction = sctp_rack.read(BUNDLED / f"{name}.sender.pcap").associations[0].a2b
    told = 0

    for tsn in sorted(set(direction.transmissions["tsn"].tolist())):
        whole = feedback_on(tsn, direction.sacks)
        assert feedback_on(tsn, told_of(tsn, direction.sacks)) == whole
        told += len(whole)

    assert told
