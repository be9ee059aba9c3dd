# SPDX-License-Identifier: BSD-2-Clause
"""The same run has the same bytes each time, also where a stack has no order of its own."""

import struct
from itertools import pairwise

import pytest

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Independent
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.wire import FORWARD_TSN, I_FORWARD_TSN, chunks, with_checksum
from sample_pcaps.generate.workload import bulk
from tests.samples.stacks import run_of

STREAMS = 8


def gives_up(stack: Stack, *, interleaving: bool) -> Scenario:
    """Two messages of each stream are lost at a time, and nothing is sent again."""
    messages = bulk(160, 100, interval_ns=2 * MS, rtx_limit=0, streams=STREAMS)
    forth = Path(losses=(Independent(0.4),))
    return Scenario(
        *("gives-up", "", stack, 3, messages, forth),
        streams=STREAMS,
        mtu=512,
        interleaving=interleaving,
    )


@pytest.mark.parametrize(
    ("stack", "interleaving", "kind", "form"),
    [
        (Stack.PION, False, FORWARD_TSN, "!HH"),
        (Stack.PION, True, I_FORWARD_TSN, "!HHI"),
        (Stack.PION_NO_RACK, False, FORWARD_TSN, "!HH"),
    ],
)
def test_the_streams_of_a_forward_tsn_are_in_order_and_its_checksum_is_right(
    stack: Stack, interleaving: bool, kind: int, form: str
) -> None:
    packets = [one.sctp for one in run_of(gives_up(stack, interleaving=interleaving)).carried]
    listed = [
        [stream for stream, *_ in struct.iter_unpack(form, value[4:])]
        for packet in packets
        for there, _, value in chunks(packet)
        if there == kind
    ]

    assert sum(len(streams) > 2 for streams in listed) > 10  # so that chance orders them not
    assert all(before < after for streams in listed for before, after in pairwise(streams))
    assert [packet for packet in packets if packet != with_checksum(packet)] == []


def test_a_run_whose_forward_tsns_name_many_streams_is_the_same_each_time() -> None:
    scenario = gives_up(Stack.PION, interleaving=False)
    one, other = run_of(scenario), run_of(scenario)

    assert [each.sctp for each in one.carried] == [each.sctp for each in other.carried]
    assert one.counters == other.counters
