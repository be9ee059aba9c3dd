# SPDX-License-Identifier: BSD-2-Clause
"""What an acknowledgement says of one TSN, from captures by hand and from samples."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import sctp_rack
from sctp_rack.columns.table import Row, Table
from sctp_rack.story.acknowledgements import Feedback, TsnFeedback, after, feedback_on, leaves

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED

Ranges = Sequence[tuple[int, int]]


def sacks(folder: Path, *chunks: bytes) -> Table:
    """Of a capture with DATA and these SACKs."""
    talk = Talk()
    talk.say(A, B, sctp.data(9))
    for chunk in chunks:
        talk.say(B, A, chunk)
    return sctp_rack.read(talk.write(folder)).sacks


def sack(cum: int, gaps: Ranges = (), nr_gaps: Ranges = ()) -> bytes:
    """Blocks are TSNs, not offsets."""
    wrap = 1 << 32
    offsets, nr_offsets = (
        [((first - cum) % wrap, (last - cum) % wrap) for first, last in blocks]
        for blocks in (gaps, nr_gaps)
    )
    return sctp.nr_sack(cum, offsets, nr_offsets)


@pytest.mark.parametrize(
    ("chunk", "left_out"),
    [
        (sack(9, [(12, 14)]), True),
        (sack(9, [(11, 11), (13, 14)]), False),
        (sack(9, [(12, 14)], [(11, 11)]), False),
        (sack(9, nr_gaps=[(12, 12)]), True),
        (sack(9, [(10, 10)]), False),
        (sack(11, [(13, 14)]), False),
        (sack(9), False),
    ],
    ids=["above", "covered", "covered by NR", "NR above", "below", "cumulative", "nothing"],
)
def test_leaves_out_what_a_block_above_passes_over(
    tmp_path: Path, chunk: bytes, left_out: bool
) -> None:
    assert leaves(11, sacks(tmp_path, chunk)).tolist() == [left_out]


def test_compares_in_serial_order_over_the_wrap(tmp_path: Path) -> None:
    only = sacks(tmp_path, sack(2**32 - 2, [(0, 3)]))

    assert leaves(2**32 - 1, only).tolist() == [True]
    assert leaves(0, only).tolist() == [False]


def test_counts_each_duplicate_report(tmp_path: Path) -> None:
    told = sacks(tmp_path, sctp.sack(9), sctp.sack(9, dups=[7, 3, 7]))
    (only,) = feedback_on(7, told)

    assert (only.frame, only.duplicates, only.leaves_out) == (3, 2, False)


@pytest.mark.parametrize("name", ["usrsctp-nth-loss", "pion-reorder-low", "pion-tsn-wrap"])
def test_no_row_that_tells_of_a_tsn_is_missed(name: str) -> None:
    direction = sctp_rack.read(BUNDLED / f"{name}.sender.pcap").associations[0].a2b
    rows, told = list(direction.sacks), 0

    for tsn in sorted(set(direction.transmissions["tsn"].tolist())):
        found = list(feedback_on(tsn, direction.sacks))
        speak = [row for row in rows if _leaves(tsn, row) or tsn in row["dups"]]
        assert [one.frame for one in found] == [row["frame"] for row in speak]
        assert [one.leaves_out for one in found] == [_leaves(tsn, row) for row in speak]
        assert [one.duplicates for one in found] == [row["dups"].count(tsn) for row in speak]
        assert [one.news for one in found] == [bool(row["newly_acked"]) for row in speak]
        told += len(found)

    assert told


def _leaves(tsn: int, row: Row) -> bool:
    """As RFC 9260 section 7.2.4 has it, block by block."""
    if not after(tsn, row["cum_tsn"]):
        return False
    blocks = [*row["gaps"], *row["nr_gaps"]]
    covered = any(not after(first, tsn) and not after(tsn, last) for first, last in blocks)
    return not covered and any(after(last, tsn) for _, last in blocks)


def test_what_leaves_a_tsn_out_in_a_while_is_counted_as_one_by_one() -> None:
    random = np.random.default_rng(7)
    told = [
        Feedback(at, int(random.integers(50)), "sack", 1, bool(at % 3), bool(at % 4), 0)
        for at in range(60)
    ]
    feedback = TsnFeedback(told)

    for begin in range(-1, 52, 3):
        for end in (None, *range(-1, 52, 3)):
            within = [
                one
                for one in sorted(told, key=lambda one: one.time_ns)
                if one.leaves_out and one.time_ns >= begin and (end is None or one.time_ns < end)
            ]
            assert feedback.left_out(begin, end) == (len(within), within[-1] if within else None)
            assert feedback.news_left_out(begin, end) == sum(one.news for one in within)
