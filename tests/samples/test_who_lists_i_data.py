# SPDX-License-Identifier: BSD-2-Clause
"""Who lists I-DATA in INIT and INIT ACK (RFC 8260 section 2.2.1), and what is sent then."""

import pytest

from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.wire import DATA, I_DATA, INIT, INIT_ACK, chunks
from sample_pcaps.generate.workload import bulk
from tests.samples.stacks import run_of


@pytest.mark.parametrize(
    ("peer", "both", "pion", "who", "kind"),
    [
        (None, False, False, set(), DATA),
        (None, True, False, {"a", "b"}, I_DATA),
        (Stack.DCSCTP, True, False, {"a", "b"}, I_DATA),
        (Stack.DCSCTP, False, True, {"a"}, DATA),
        (Stack.USRSCTP, False, True, {"a"}, DATA),
    ],
)
def test_pion_alone_lists_it_or_both_do(
    peer: Stack | None, both: bool, pion: bool, who: set[str], kind: int
) -> None:
    scenario = Scenario(
        *("lists", "", Stack.PION, 3, bulk(3, 100)),
        peer_stack=peer,
        interleaving=both,
        pion_interleaving=pion,
    )
    said = [
        (one.side, there, value)
        for one in run_of(scenario).carried
        for there, _, value in chunks(one.sctp)
    ]

    listing = {side for side, there, value in said if there in (INIT, INIT_ACK) and _lists(value)}
    assert listing == who
    assert {there for _, there, _ in said if there in (DATA, I_DATA)} == {kind}


def _lists(init: bytes) -> bool:
    """Whether its Supported Extensions parameter (RFC 5061 section 4.2.7) names I-DATA."""
    at = 16
    while at + 4 <= len(init):
        kind, length = (int.from_bytes(init[at + i : at + i + 2]) for i in (0, 2))
        if kind == 0x8008:
            return I_DATA in init[at + 4 : at + length]
        at += -(-length // 4) * 4
    return False
