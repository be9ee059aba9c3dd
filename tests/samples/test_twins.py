# SPDX-License-Identifier: BSD-2-Clause
"""Twin runs find out what can be known at a tap.

Setup: one message is sent and arrives. Trigger: its SACK is lost, so it is sent again.
Expectation: where the receiver reports the duplicate, the sender's tap can know that the copy was
needless; where it does not, lost data would look the same."""

from dataclasses import dataclass, replace
from random import Random

import pytest

from sample_pcaps.generate.build import MissingError, program
from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.link import Path
from sample_pcaps.generate.loss import Nth, Passenger, Process
from sample_pcaps.generate.run import Run, Sent
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.twins import Twins
from sample_pcaps.generate.workload import bulk


@dataclass(frozen=True)
class FirstAcknowledgement:
    """Loses the first SACK."""

    def process(self) -> Process:
        return _First()


class _First:
    def __init__(self) -> None:
        self._seen = 0

    def drops(self, packet: Passenger, random: Random) -> str:
        self._seen += packet.acknowledges
        return "first" if packet.acknowledges and self._seen == 1 else ""


def run_of(scenario: Scenario) -> Run:
    try:
        program(scenario.stack)
    except MissingError as missing:
        pytest.skip(str(missing))
    run = Run(scenario)
    run.run()
    return run


def with_its_acknowledgement_lost(stack: Stack) -> Run:
    back = Path(losses=(FirstAcknowledgement(),))
    return run_of(Scenario("lost-sack", "", stack, 1, bulk(1, 400), back=back, mtu=512))


@pytest.mark.parametrize("stack", Stack)
def test_a_needless_copy_can_be_known_where_duplicates_are_reported(stack: Stack) -> None:
    run = with_its_acknowledgement_lost(stack)
    first, second, *_ = run.sent
    verdict = Twins(run).verdict(second)

    assert first.accepted and second.accepted and second.cause is not None
    assert verdict["sender"] == (stack in (Stack.USRSCTP, Stack.LINUX))
    assert verdict["receiver"]


def with_its_last_message_lost(*, ip_id_zero: bool, before_the_middle: bool) -> tuple[Run, Sent]:
    """And the retransmission of it."""
    forth = Path(losses=(Nth(frozenset({2})),))
    middle = 1.0 if before_the_middle else 0.0
    stack, messages = Stack.USRSCTP, bulk(3, 400)
    scenario = Scenario("tail", "", stack, 1, messages, forth, mtu=512, middle=middle)
    run = run_of(replace(scenario, ip_id_zero=ip_id_zero))
    (again,) = (sent for sent in run.sent if sent.copy > 1)
    return run, again


def test_without_ip_ids_a_tap_that_saw_no_copy_cannot_know_what_comes_in_order() -> None:
    """The sender may have sent it first only now."""
    run, again = with_its_last_message_lost(ip_id_zero=True, before_the_middle=True)

    assert Twins(run).verdict(again) == {"sender": True, "middle": False, "receiver": False}


def test_a_tap_that_saw_the_lost_copy_knows_that_it_comes_again() -> None:
    run, again = with_its_last_message_lost(ip_id_zero=True, before_the_middle=False)

    assert Twins(run).verdict(again) == {"sender": True, "middle": True, "receiver": False}


def test_a_gap_in_the_ip_ids_tells_nothing_where_another_flow_may_have_taken_the_number() -> None:
    run, again = with_its_last_message_lost(ip_id_zero=False, before_the_middle=True)

    assert Twins(run).verdict(again) == {"sender": True, "middle": False, "receiver": False}


@pytest.mark.parametrize("before_the_middle", [False, True])
def test_a_gap_tells_what_was_lost_where_missing_tsns_show_that_gaps_are_losses(
    before_the_middle: bool,
) -> None:
    """The last of eight messages is lost, and one whose TSN is missed by others."""
    forth = Path(losses=(Nth(frozenset({2, 7})),))
    middle = 1.0 if before_the_middle else 0.0
    scenario = Scenario("tail", "", Stack.USRSCTP, 1, bulk(8, 400), forth, mtu=512, middle=middle)
    run = run_of(scenario)
    again = next(sent for sent in run.sent if sent.copy > 1 and sent.tsn == run.sent[0].tsn + 7)

    assert Twins(run).verdict(again) == {"sender": True, "middle": True, "receiver": True}


def test_without_ip_ids_what_comes_behind_a_higher_tsn_is_known_to_be_late() -> None:
    forth = Path(losses=(Nth(frozenset({2})),))
    scenario = Scenario("inside", "", Stack.USRSCTP, 1, bulk(8, 400), forth, mtu=512, middle=1.0)
    run = run_of(replace(scenario, ip_id_zero=True))
    again = next(sent for sent in run.sent if sent.copy > 1)

    assert Twins(run).verdict(again) == {"sender": True, "middle": True, "receiver": True}


@pytest.mark.parametrize("name", ["usrsctp-reorder", "pion-tail-loss"])
def test_a_run_made_again_without_a_change_looks_the_same_everywhere(name: str) -> None:
    run = run_of(SCENARIOS[name])
    alike = Twins(run).looks_alike({}, run.sent[-1])

    assert alike == {"sender": True, "middle": True, "receiver": True}


def test_dice_of_hosts_and_taps_leave_it_open() -> None:
    scenario = SCENARIOS["usrsctp-reorder"]

    assert Twins.can(scenario)
    assert not Twins.can(replace(scenario, host_jitter_ns=1))
