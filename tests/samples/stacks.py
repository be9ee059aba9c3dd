# SPDX-License-Identifier: BSD-2-Clause
"""Runs of real stacks, where what builds them is installed."""

import pytest

from sample_pcaps.generate.build import MissingError, program
from sample_pcaps.generate.run import Run, Sent
from sample_pcaps.generate.scenario import Scenario


def need(scenario: Scenario) -> None:
    """Skips the test where a stack of the scenario cannot be built."""
    try:
        for side in "ab":
            program(scenario.stack_of(side))
    except MissingError as missing:
        pytest.skip(str(missing))


def run_of(scenario: Scenario) -> Run:
    """The scenario, run."""
    need(scenario)
    run = Run(scenario)
    run.run()
    return run


def copies_of(run: Run, number: int, side: str = "a") -> list[Sent]:
    """Each transmission of the chunk with that number, counted from 0."""
    first = next(sent.tsn for sent in run.sent if sent.side == side)
    tsn = (first + number) % (1 << 32)
    return [sent for sent in run.sent if sent.side == side and sent.tsn == tsn]
