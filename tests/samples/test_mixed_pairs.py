# SPDX-License-Identifier: BSD-2-Clause
"""Unlike stacks talk to each other, and the truth of each side is what its own stack says."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path as File

import pytest

from sample_pcaps.generate import truth
from sample_pcaps.generate.build import command
from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.encapsulation import Encapsulation
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.make import make
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.workload import Pause, bulk
from tests.samples import test_truth_of_samples as by_tshark
from tests.samples.stacks import copies_of, need, run_of

PAIRS = list(permutations((Stack.USRSCTP, Stack.PION, Stack.DCSCTP), 2))
each_pair = pytest.mark.parametrize(("sender", "receiver"), PAIRS, ids=lambda one: one.value[0])


@each_pair
def test_what_is_sent_arrives_whichever_host_asked_for_the_association(
    sender: Stack, receiver: Stack
) -> None:
    for main in "ab":
        messages = bulk(30, 400, side=main, interval_ns=4 * MS)
        lossy = Path(losses=(Nth(frozenset({9})),))
        forth, back = (lossy, Path()) if main == "a" else (Path(), lossy)
        run = run_of(
            Scenario("", "", sender, 1, messages, forth, back, main=main, peer_stack=receiver)
        )
        accepted = {sent.tsn for sent in run.sent if sent.side == main and sent.accepted}
        _, again, *_ = copies_of(run, 9, main)

        assert accepted == {sent.tsn for sent in run.sent if sent.side == main}
        assert again.cause == ("rack" if sender is Stack.PION else "fast")


def test_each_side_says_itself_what_it_takes() -> None:
    """usrsctp drops the rest of a packet with the first chunk beyond its window and counts one of
    them; dcSCTP sends it two in a packet."""
    pause = (Pause("b", 300 * MS, 4 * SECOND),)
    zero_window = Scenario(
        *("", "", Stack.DCSCTP, 1, bulk(60, 600, interval_ns=20 * MS)),
        peer_stack=Stack.USRSCTP,
        pauses=pause,
        rcvbuf=9000,
        mtu=700,
    )
    run = run_of(zero_window)
    discarded = Counter(sent.packet for sent in run.sent if sent.accepted is False)

    assert max(discarded.values()) == 2


@pytest.mark.parametrize(
    "name", ["usrsctp-to-dcsctp-both-ways", "dcsctp-to-pion-loss", "dcsctp-to-usrsctp-zero-window"]
)
def test_a_pair_is_in_its_captures_what_its_truth_says(name: str, tmp_path: File) -> None:
    check(SCENARIOS[name], tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        name
        for name, scenario in SCENARIOS.items()
        if Stack.DCSCTP in (scenario.stack, scenario.peer_stack) or scenario.peer_stack
    ][::2],
)
def test_a_run_is_in_its_captures_what_its_truth_says_with_any_seed(
    name: str, tmp_path: File
) -> None:
    for seed in (1, 2):
        check(
            replace(SCENARIOS[name], seed=SCENARIOS[name].seed + 1000 * seed), tmp_path / f"{seed}"
        )


def check(scenario: Scenario, folder: File) -> None:
    """What the tests of committed samples ask, asked of a run that is made now."""
    need(scenario)
    folder.mkdir(exist_ok=True)
    document = make(scenario, folder)
    path = folder / f"{scenario.name}.truth.ndjson"
    by_tshark.test_a_frame_holds_its_tsn_and_no_frame_holds_another(path)
    by_tshark.test_what_was_dropped_is_absent_and_what_arrived_is_there(path)
    by_tshark.test_acknowledgements_of_the_receiver_agree_with_the_fate(path)
    by_tshark.test_a_duplicate_is_reported_only_where_copies_arrived(path)
    by_tshark.test_a_retransmission_is_spurious_when_an_earlier_copy_was_accepted(path)
    assert truth.read(path) == document


def test_the_truth_names_the_other_stack_where_it_is_another() -> None:
    one = SCENARIOS["pion-to-dcsctp-tail-loss"]
    assert truth.receiver(one.peer_stack) == {
        "receiver_stack": "dcsctp",
        "receiver_stack_version": Stack.DCSCTP.value[1],
    }
    assert truth.receiver(SCENARIOS["dcsctp-nth-loss"].peer_stack) == {}


def test_a_stack_without_dtls_is_refused() -> None:
    for one in ("dcsctp-nth-loss", "usrsctp-nth-loss", "dcsctp-to-pion-loss"):
        inside = replace(SCENARIOS[one], encapsulation=Encapsulation.DTLS)
        with pytest.raises(ValueError, match="has no DTLS"):
            command(inside, "a", (), ())
