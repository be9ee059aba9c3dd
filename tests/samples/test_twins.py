# SPDX-License-Identifier: BSD-2-Clause
"""Twin runs find out what can be known at a tap.

Setup: one message is sent and arrives. Trigger: its SACK is lost, so it is sent again. A message
before it measured the round trip: else two timers of pion fire at once, in whatever order.
Expectation: where the receiver reports the duplicate, the sender's tap can know that the copy was
spurious; where it does not, lost data would look the same."""

from dataclasses import dataclass, replace
from random import Random

import pytest

from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.dice import Dice
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Independent, Nth, Passenger, Process
from sample_pcaps.generate.rehearsal import Rehearsal
from sample_pcaps.generate.run import TAPS, Run
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.tap import TapOptions
from sample_pcaps.generate.twins import Twins
from sample_pcaps.generate.workload import bulk
from tests.samples.stacks import run_of

pytestmark = pytest.mark.long

NEVER = dict.fromkeys(TAPS)
# aiortc and werift with ABORT, npm's sctp with SHUTDOWN: none waits for what is outstanding
ENDS_BEFORE_ITS_TIMEOUT = {Stack.AIORTC, Stack.NPM_SCTP, Stack.WERIFT}
REPORTS_DUPLICATES = {Stack.USRSCTP, Stack.DCSCTP, Stack.LINUX}
# After one delayed SACK it sends none until something is answered at once: of a lone chunk it
# answers the duplicate, and not the first.
ANSWERS_DUPLICATES_ALONE = {Stack.WEBRTC_RS}


@dataclass(frozen=True)
class SecondAcknowledgement:
    """Loses the second SACK."""

    def process(self) -> Process:
        return _Second()


class _Second:
    def __init__(self) -> None:
        self._seen = 0

    def drops(self, packet: Passenger, random: Random) -> str:
        self._seen += packet.acknowledges
        return "second" if packet.acknowledges and self._seen == 2 else ""


def with_its_acknowledgement_lost(stack: Stack, host_jitter_ns: int = 0) -> Run:
    back = Path(losses=(SecondAcknowledgement(),))
    messages = bulk(2, 400, interval_ns=3000 * MS)
    lost = Scenario("lost-sack", "", stack, 1, messages, back=back, mtu=512)
    return run_of(replace(lost, host_jitter_ns=host_jitter_ns))


@pytest.mark.parametrize("host_jitter_ns", [0, 10 * MS])
@pytest.mark.parametrize("stack", [one for one in Stack if one not in ENDS_BEFORE_ITS_TIMEOUT])
def test_a_spurious_copy_can_be_known_where_duplicates_are_reported(
    stack: Stack, host_jitter_ns: int
) -> None:
    run = with_its_acknowledgement_lost(stack, host_jitter_ns)
    _, first, second, *_ = run.sent
    verdict = Twins(run).verdict(second)

    assert first.accepted and second.accepted and second.copy == 2
    assert second.cause is not None
    assert verdict["sender"] == (stack in REPORTS_DUPLICATES | ANSWERS_DUPLICATES_ALONE)
    assert verdict["receiver"]


def differs_without_a_change(run: Run) -> dict[str, int | None]:
    rehearsal = Rehearsal(run, {(): run.sent[-1].time_ns})
    rehearsal.run()
    return rehearsal.differs[()]


@pytest.mark.parametrize("name", ["usrsctp-reorder", "usrsctp-hosts-and-taps", "pion-tail-loss"])
def test_a_run_made_again_without_a_change_looks_the_same_everywhere(name: str) -> None:
    assert differs_without_a_change(run_of(SCENARIOS[name])) == NEVER


def test_a_twin_sees_no_difference_before_its_change_and_ends_when_every_tap_has_seen_one() -> None:
    run = run_of(SCENARIOS["usrsctp-nth-loss"])
    lost = next(sent for sent in run.sent if sent.lost and sent.copy == 1)
    never_ns = lost.time_ns + 3600 * 1000 * MS
    rehearsal = Rehearsal(run, {((lost.packet, "deliver"),): never_ns})
    rehearsal.run()

    for differs_ns in rehearsal.differs[(lost.packet, "deliver"),].values():
        assert differs_ns is not None and 0 < differs_ns - lost.time_ns < 200 * MS


def test_one_twin_answers_for_all_chunks_of_a_packet_and_for_verdict_and_outcome() -> None:
    """Two chunks in a packet are lost: four questions about each, and two packets, so two twins."""
    forth = Path(losses=(Nth(frozenset({12})),))
    run = run_of(Scenario("pair", "", Stack.USRSCTP, 1, bulk(20, 400), forth, mtu=1000))
    twins = Twins(run)
    copies = [sent for sent in run.sent if sent.lost or sent.copy > 1]
    told = [twins.outcome(sent) for sent in copies]

    assert [sent.copy for sent in copies] == [1, 1, 2, 2]
    assert NEVER not in told and twins.count == len({sent.packet for sent in copies}) == 2


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_share_is_drawn_by_the_seed_and_says_what_all_would_say(share: float) -> None:
    run = run_of(SCENARIOS["usrsctp-nth-loss"])
    whole, some, again = Twins(run), Twins(run, share), Twins(run, share)
    verdicts = [
        (whole.verdict(sent), some.verdict(sent), again.verdict(sent))
        for sent in run.sent
        if sent.copy > 1
    ]
    told = [verdict for verdict in verdicts if verdict[1] != NEVER]

    assert all(one == other for _, one, other in verdicts)
    assert all(one == other for other, one, _ in told)
    assert len(told) < len(verdicts) and bool(told) == bool(share)
    assert some.count < whole.count


def test_a_tap_that_misses_packets_knows_no_more_than_one_that_has_them() -> None:
    """Hosts that take their time, clocks of a millisecond: the same packets are missed in twins."""
    whole = Scenario(
        "whole",
        "",
        Stack.PION_NO_RACK,
        3,
        bulk(40, 400, interval_ns=20 * MS),
        forth=Path(losses=(Independent(0.15),)),
        back=Path(losses=(Independent(0.3, sacks_only=True),)),
        mtu=512,
        host_jitter_ns=3 * MS,
        tap=TapOptions(clock_ns=1 * MS),
    )
    missing = replace(whole, tap=TapOptions(loss=0.2, duplicate=0.2, clock_ns=1 * MS))
    run, less = run_of(whole), run_of(missing)
    twins, fewer = Twins(run), Twins(less)
    again = [(one, other) for one, other in zip(run.sent, less.sent, strict=True) if one.copy > 1]
    known = [(twins.verdict(one), fewer.verdict(other)) for one, other in again]

    assert all(one.packet == other.packet for one, other in again)
    for here, there in known:
        assert all(here[tap] or not there[tap] for tap in TAPS)
    assert any(there[tap] is None is not here[tap] for here, there in known for tap in TAPS)
    assert {there["sender"] for _, there in known} >= {True, False}


def test_in_a_twin_a_packet_throws_what_it_threw_whatever_came_before() -> None:
    run = Dice(Random(1))
    thrown = [run.throw("a", packet, 2) for packet in (b"one", b"two", b"one")]
    twin = Dice(Random(2), run)

    assert twin.throw("a", b"new", 2) not in thrown
    assert [twin.throw("a", packet, 2) for packet in (b"two", b"one", b"one")] == [
        *(thrown[1], thrown[0], thrown[2]),
    ]
    assert twin.throw("b", b"two", 2) not in thrown
