# SPDX-License-Identifier: BSD-2-Clause
"""Runs of scenarios for tests, which skip where a stack cannot be built."""

import pytest

from sample_pcaps.generate.build import MissingError, program
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario


def run_of(scenario: Scenario) -> Run:
    """It is over."""
    try:
        program(scenario.stack)
    except MissingError as missing:
        pytest.skip(str(missing))
    run = Run(scenario)
    run.run()
    return run
