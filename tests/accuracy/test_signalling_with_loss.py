# SPDX-License-Identifier: BSD-2-Clause
"""Signalling of a real stack with 1 % loss: what is sent again is found where its copy was seen,
and nothing else is called sent again."""

import pytest

from bench.accuracy.signalling.with_loss import Resends, resends_in
from bench.accuracy.truths import TAPS
from sample_pcaps.generate.build import MissingError, program
from sample_pcaps.generate.make import make
from sample_pcaps.generate.scenario import Stack
from sample_pcaps.generate.signalling_scenarios import SCENARIOS


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Resends]:
    """Each is made in a second."""
    try:
        program(Stack.USRSCTP)
    except MissingError as missing:
        pytest.skip(str(missing))
    folder = tmp_path_factory.mktemp("signalling")
    for scenario in SCENARIOS:
        make(scenario, folder)
    return resends_in(folder)


@pytest.mark.parametrize("tap", TAPS)
@pytest.mark.parametrize("ip_id", ["flow", "zero"])
def test_a_resend_whose_earlier_copy_was_seen_is_found(
    found: dict[tuple[str, str], Resends], ip_id: str, tap: str
) -> None:
    sums = found[ip_id, tap]

    assert sums.seen_found == sums.seen >= 5


@pytest.mark.parametrize("tap", TAPS)
@pytest.mark.parametrize("ip_id", ["flow", "zero"])
def test_nothing_else_is_called_sent_again(
    found: dict[tuple[str, str], Resends], ip_id: str, tap: str
) -> None:
    sums = found[ip_id, tap]

    assert sums.originals > 2000
    assert sums.invented == 0
