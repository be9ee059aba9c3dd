# SPDX-License-Identifier: BSD-2-Clause
"""What is missing before a copy of what was seen is another copy of it; what comes next is new."""

from pathlib import Path

from tests.analyzer.test_missing_packets import FIRST, MS, Tap


def test_what_is_missing_before_a_copy_of_what_was_seen_is_no_lost_tail(tmp_path: Path) -> None:
    """Its acknowledgement was lost, so it is sent again twice, the first time in vain; the user
    writes the next just then."""
    tap = Tap()
    tap.burst()
    tap.loss()
    tap.burst()
    tap.data(50 * MS)
    tap.lose()
    tap.again(FIRST + 8, 3_000 * MS)
    new = tap.data(500)
    tap.sack()

    assert tap.row(tmp_path, new)["kind"] == "original"
