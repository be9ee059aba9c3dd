# SPDX-License-Identifier: BSD-2-Clause
"""What a cause rests on (codes K) is what the rows around the retransmission show."""

from itertools import groupby, pairwise

import pytest
import sctp_rack
from sctp_rack.columns.table import Row
from sctp_rack.names import Cause, Evidence
from sctp_rack.story.evidence import of_cause

from tests.captures import bundled

CODES = {
    Cause.FAST: {Evidence.K1, Evidence.K3},
    Cause.FAST_DEFERRED: {Evidence.K1, Evidence.K3},
    Cause.RACK: {Evidence.K2, Evidence.K3},
    Cause.RACK_TIMER: {Evidence.K4},
    Cause.RACK_RTX: {Evidence.K13},
    Cause.T3: {Evidence.K5, Evidence.K6, Evidence.K8, Evidence.K16},
    Cause.T3_GBN: {Evidence.K14},
    Cause.TLP: {Evidence.K7, Evidence.K8, Evidence.K9},
    Cause.ZERO_WINDOW_PROBE: {Evidence.K12},
    Cause.PACKET_DROP: {Evidence.K15},
}

#: Told by the occasion: the mark, or the timer, was not seen.
LIKELY = 3


@pytest.fixture(scope="module")
def copies() -> list[list[Row]]:
    """The copies of each TSN that was sent again, in all bundled captures."""
    found = []
    for path in bundled():
        for association in sctp_rack.read(path).associations:
            for direction in (association.a2b, association.b2a):
                again = set(direction.transmissions.where(kind="retransmission")["tsn"].tolist())
                rows = [row for row in direction.transmissions if row["tsn"] in again]
                rows.sort(key=lambda row: row["tsn"])
                found += [list(group) for _, group in groupby(rows, lambda row: row["tsn"])]
    return found


def test_a_cause_rests_on_one_code_of_its_own(copies: list[list[Row]]) -> None:
    seen = set()
    for row in (row for rows in copies for row in rows):
        codes = of_cause(row["evidence"])
        seen |= set(codes)
        if row["cause"] is None:
            assert codes == []
        elif not codes:
            assert row["cause"] not in CODES or row["cause_class"] <= LIKELY, row
        else:
            assert len(codes) == 1 and codes[0] in CODES[Cause(row["cause"])], row
    assert seen >= set().union(*CODES.values()) - {
        *(Evidence.K4, Evidence.K8, Evidence.K13, Evidence.K15)
    }


def test_a_timeout_is_confirmed_by_the_next_one(copies: list[list[Row]]) -> None:
    for rows in copies:
        again = [row for row in rows if row["kind"] == "retransmission"]
        for row, after in pairwise(again):
            if Evidence.K5 in of_cause(row["evidence"]):
                assert after["cause"] == "t3" and after["time_ns"] - row["time_ns"] > 10**8
        assert not again or Evidence.K5 not in of_cause(again[-1]["evidence"])


def test_a_timeout_on_another_path_leaves_that_of_the_copy_before(copies: list[list[Row]]) -> None:
    for rows in copies:
        for before, row in pairwise(rows):
            if Evidence.K16 in of_cause(row["evidence"]):
                assert row["path"] != before["path"]
            if Evidence.K6 in of_cause(row["evidence"]):
                assert row["path"] == before["path"]
