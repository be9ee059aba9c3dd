# SPDX-License-Identifier: BSD-2-Clause
"""A mark was right or wrong only where it is known what became of the copy."""

from collections import Counter
from pathlib import Path

import pytest
import sctp_rack

from tests.captures import BUNDLED

#: Class of an outcome that is more than the more frequent of two.
LIKELY = 3

CAPTURES = ("dcsctp-nth-loss.middle.pcap", "pion-reorder-low.middle.pcap")


@pytest.mark.parametrize("name", CAPTURES)
def test_a_mark_is_as_sure_as_the_outcome_of_its_copy(name: str) -> None:
    path: Path = BUNDLED / name
    seen = Counter[str]()
    for association in sctp_rack.read(path).associations:
        for direction in (association.a2b, association.b2a):
            sent = {(row["frame"], row["tsn"]): row for row in direction.transmissions}
            for mark in direction.table("rack_marks"):
                copy = sent.get((mark["frame"], mark["tsn"]))
                if copy is None:
                    continue
                known = copy["outcome_class"] >= LIKELY
                told = {"lost": "true_loss", "acked": "false_mark"}.get(copy["outcome"], "unknown")
                assert mark["resolution"] == (told if known else "unknown"), (mark, copy)
                seen[mark["resolution"]] += 1
    assert seen["unknown"] > 0
