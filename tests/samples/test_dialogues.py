# SPDX-License-Identifier: BSD-2-Clause
"""A user of signalling asks, gets its answer, thinks and asks again, whatever is lost between."""

from itertools import pairwise

import pytest

from sample_pcaps.generate.build import MissingError, program
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.signalling_scenarios import SCENARIOS
from sample_pcaps.generate.workload import Dialogue

_WAY_NS, _SERVES_NS, _THINKS_NS = 20 * MS, 5 * MS, (300 * MS, 50 * MS, 2500 * MS, 1 * MS)


def run_of(forth: Path) -> Run:
    try:
        program(Stack.USRSCTP)
    except MissingError as missing:
        pytest.skip(str(missing))
    dialogue = Dialogue(_THINKS_NS, _SERVES_NS, 120, 300)
    way_back = Path(delay_ns=_WAY_NS)
    run = Run(Scenario("dialogue", "", Stack.USRSCTP, 1, (), forth, way_back, dialogue=dialogue))
    run.run()
    return run


def test_each_request_waits_for_the_answer_and_for_the_user() -> None:
    run = run_of(Path(delay_ns=_WAY_NS))

    assert [sent.side for sent in run.sent] == list("ab" * len(_THINKS_NS))
    for (one, later), waits_ns in zip(
        pairwise(run.sent),
        [_SERVES_NS if n % 2 else _THINKS_NS[n // 2] for n in range(1, 2 * len(_THINKS_NS))],
        strict=True,
    ):
        late_ns = later.time_ns - one.time_ns - waits_ns - _WAY_NS
        assert 0 <= late_ns < 5 * MS


def test_a_request_that_is_lost_is_sent_again_before_the_next() -> None:
    run = run_of(Path(delay_ns=_WAY_NS, losses=(Nth(frozenset({1})),)))

    assert [(sent.side, sent.copy) for sent in run.sent] == [
        *(("a", 1), ("b", 1), ("a", 1), ("a", 2), ("b", 1)),
        *(("a", 1), ("b", 1), ("a", 1), ("b", 1)),
    ]


def test_the_scenarios_of_signalling_differ_in_their_ip_ids_alone() -> None:
    counted = {one.name: one for one in SCENARIOS if not one.ip_id_zero}
    zero = {one.name: one for one in SCENARIOS if one.ip_id_zero}

    assert {f"{name}-no-ip-id" for name in counted} == set(zero)
    for name, one in counted.items():
        other = zero[f"{name}-no-ip-id"]
        assert (one.messages, one.dialogue, one.seed) == (
            *(other.messages, other.dialogue),
            other.seed,
        )
