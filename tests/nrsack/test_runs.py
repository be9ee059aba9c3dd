# SPDX-License-Identifier: BSD-2-Clause
"""A run with two paths and a small send buffer: the stack and our engine agree on the queue."""

import pytest

from bench.nrsack.measured import row
from bench.nrsack.paper import LOADS, Case
from tests.samples.stacks import need

CASE = Case(2, LOADS[-1], 128 << 10)


@pytest.mark.long
def test_the_queue_of_the_capture_is_that_of_the_stack_and_nr_sacks_unblock_it() -> None:
    need(CASE.scenario(100, nr_sack=False))

    with_sacks, with_nr_sacks = (row(CASE, 100, nr_sack=nr_sack) for nr_sack in (False, True))

    assert with_sacks and with_nr_sacks
    for one in (with_sacks, with_nr_sacks):
        assert one.average_bytes == pytest.approx(one.stack_average_bytes, rel=0.005)
    assert with_sacks.full_share == pytest.approx(with_sacks.stack_blocked_share, abs=0.02)
    assert with_sacks.rtxq_util is not None and with_sacks.rtxq_util < 0.6
    assert with_nr_sacks.rtxq_util == 1
    assert with_nr_sacks.throughput > 2 * with_sacks.throughput
    least, most = with_sacks.least_bytes, with_sacks.most_bytes
    assert least is not None and most is not None
    assert least <= with_nr_sacks.average_bytes <= most
    assert with_sacks.least_util == with_sacks.most_util == 1 and with_sacks.others_share == 1
    # What is said of the other run is the least, the buffer the most.
    assert with_sacks.said_bytes_all <= with_nr_sacks.average_bytes <= CASE.sndbuf
