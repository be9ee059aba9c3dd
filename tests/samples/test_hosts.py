# SPDX-License-Identifier: BSD-2-Clause
"""A host that is begun again is where the first one is, however much that was told."""

import pytest

from sample_pcaps.generate.build import MissingError, command
from sample_pcaps.generate.host import Host
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.scenario import Scenario, Stack


@pytest.mark.parametrize("stack", Stack)
def test_a_host_begun_again_answers_as_the_first(stack: Stack) -> None:
    """It is told more than a pipe holds, and answers more than that: INITs that nobody takes."""
    scenario = Scenario("again", "", stack, 1, ())
    try:
        host = Host(command(scenario, "a", ("192.0.2.1",), ("192.0.2.2",)))
    except MissingError as missing:
        pytest.skip(str(missing))
    told = host.ask("open")
    while host.now_ns < 9000 * MS:
        told += host.ask(f"run {host.now_ns + 1 * MS}") + host.ask("read 1")
    again = host.again()
    try:
        assert again.now_ns == host.now_ns
        for until_ms in (20_000, 40_000):
            assert again.ask(f"run {until_ms * MS}") == host.ask(f"run {until_ms * MS}")
    finally:
        host.close()
        again.close()
    assert [report.word for report in told].count("packet") > 1
