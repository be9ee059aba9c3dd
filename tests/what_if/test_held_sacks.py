# SPDX-License-Identifier: BSD-2-Clause
"""How long a sender would have waited for SACKs that another rule holds back."""

from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.what_if.held_sacks import HeldSacks

from bench.whatif.rules import KINDS, RULES, Rule, scenario, with_rule
from tests.captures import BUNDLED
from tests.samples.stacks import need

#: Of the time that is waited with the other rule.
NEAR = 0.1


def held_of(
    name: str, every: int | None = 1, delay_ms: float | None = None, way: str = "a2b"
) -> HeldSacks:
    """Of the data of a, or that way."""
    capture = sctp_rack.read(BUNDLED / name)
    found = capture.what_if(
        nr_sack=False, rack=False, sack_every=every, sack_delay_ms=delay_ms, direction=way
    )
    assert found.nr_sack is None and found.rack is None and found.sack_rule is not None
    return found.sack_rule[0]


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (0, (1, None)),
        (2, (None, 100)),
        *(
            pytest.param(kind, rule, marks=pytest.mark.long)
            for kind in range(len(KINDS))
            for rule in RULES
            if rule[1] is None
        ),
    ],
)
def test_the_wait_is_as_it_was_said(kind: int, rule: Rule, tmp_path: Path) -> None:
    one = scenario(kind, 104)
    need(one)

    found = with_rule(one, rule, tmp_path)

    assert found.waited_ns > 5_000_000_000
    assert found.within and found.error < NEAR
    sacks = found.other.said.sacks
    assert abs(found.first.said.would_send_sacks - sacks) <= 1


def test_of_a_slower_rule_the_wait_is_longer_and_the_bounds_are_those_of_what_was_counted() -> None:
    slower = held_of("pion-tail-loss-no-rack.sender.pcap", None, 400)

    assert slower.would_wait_ns > slower.waited_ns
    assert slower.would_wait_least_ns <= slower.would_wait_ns <= slower.would_wait_most_ns
    three = held_of("pion-tail-loss-no-rack.sender.pcap", 3)
    assert three.would_wait_least_ns < three.would_wait_ns == three.waited_ns


def test_what_is_saved_is_at_most_what_was_waited_and_all_taps_say_about_the_same() -> None:
    taps = ("sender", "middle", "receiver")
    found = [held_of(f"pion-tail-loss-no-rack.{tap}.pcap") for tap in taps]

    for one in found:
        assert one.waits == 5 and one.receiver_every == 2
        assert 0 < one.would_wait_ns < one.waited_ns
    least, most = (pick(one.would_wait_ns for one in found) for pick in (min, max))
    assert most - least < 0.01 * most


def test_a_sack_that_comes_sooner_does_not_open_the_window_of_the_peer() -> None:
    found = held_of("usrsctp-zero-window.sender.pcap")

    assert found.waits == found.waited_ns == found.would_wait_ns == 0


def test_a_sack_that_was_late_on_its_way_was_not_held_back() -> None:
    found = held_of("pion-reorder-low-no-rack.receiver.pcap", way="b2a")

    assert found.waits == 0
