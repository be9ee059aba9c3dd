# SPDX-License-Identifier: BSD-2-Clause
"""What holds for each stack that has no profile and runs in the last seeds of a range alone.

Setup: a paced flow that loses a chunk. Expectation: the stack talks to each other one in either
part, counts what truth says, and does the same when it is run again."""

from dataclasses import replace
from pathlib import Path as File

import pytest

from sample_pcaps.generate.check.__main__ import check
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.make import make
from sample_pcaps.generate.random.draw import stacks_of
from sample_pcaps.generate.random.mix import UNFAMILIAR_STACKS
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import bulk
from tests.samples.stacks import need


def _paced(stack: Stack, main: str = "a", rtx_limit: int = -1) -> Scenario:
    messages = bulk(40, 400, side=main, interval_ns=4 * MS, rtx_limit=rtx_limit)
    path = Path(losses=(Nth(frozenset({9})),))
    return Scenario("paced", "", stack, 1, messages, path, mtu=512, main=main)


@pytest.mark.parametrize("stack", UNFAMILIAR_STACKS, ids=str)
@pytest.mark.parametrize("peer", [Stack.PION, Stack.USRSCTP, Stack.DCSCTP], ids=str)
@pytest.mark.parametrize("main", ["a", "b"])
def test_it_talks_to_each_stack_in_either_part_and_its_counters_agree(
    stack: Stack, peer: Stack, main: str, tmp_path: File
) -> None:
    for name, sender, receiver in (("to", stack, peer), ("from", peer, stack)):
        scenario = replace(_paced(sender, main), name=name, peer_stack=receiver)
        need(scenario)
        make(scenario, tmp_path, counters=True)

        assert check(tmp_path / f"{name}.truth.ndjson") == []


@pytest.mark.parametrize("stack", UNFAMILIAR_STACKS, ids=str)
def test_it_makes_the_same_bytes_again(stack: Stack, tmp_path: File) -> None:
    scenario = _paced(stack, rtx_limit=0)  # what is lost is given up
    need(scenario)
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        make(scenario, tmp_path / name)
        made.append({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()})

    assert made[0] == made[1]


def test_only_the_last_seeds_of_a_range_have_one() -> None:
    def stacks(seed: int, side: int) -> set[Stack]:
        return {stacks_of(seed, number)[side] for number in range(60)}

    unfamiliar = set(UNFAMILIAR_STACKS)
    assert stacks(900, 0) == stacks(2949, 0) == stacks(950, 1) == unfamiliar
    assert not unfamiliar & (stacks(899, 0) | stacks(899, 1) | stacks(950, 0))
