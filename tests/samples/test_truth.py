# SPDX-License-Identifier: BSD-2-Clause
"""What the truth of a run says of chunks to which something rare happens."""

from dataclasses import replace

import pytest

from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.check.checked import is_below
from sample_pcaps.generate.encapsulation import Encapsulation
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.truth import Record, Truth
from sample_pcaps.generate.wire import COMMON_HEADER, given_up_by
from sample_pcaps.generate.workload import Pause, bulk
from tests.samples.stacks import run_of

COOKIE_ECHO = 10


def records(run: Run, kind: str = "transmissions") -> list[Record]:
    found = Truth(run, {}, None).document()[kind]
    assert isinstance(found, list)
    return found


def test_a_copy_is_accepted_where_the_networks_repetition_of_it_is() -> None:
    """b's buffer is full, and the application reads between a packet and its repetition.
    No acknowledgement arrives, so the chunk is sent again."""
    forth = Path(duplicate=1.0)
    pause = Pause("b", 50 * MS, 20_000 * MS)
    full = Scenario(
        *("full", "", Stack.PION, 1, bulk(60, 600), forth),
        pauses=(pause,),
        rcvbuf=9000,
        mtu=700,
    )
    run = run_of(full)
    refused = next(sent for sent in run.sent if sent.accepted is False)
    (passage,) = [one.passage for one in run.carried if one.packet == refused.packet]
    assert refused.arrive_ns is not None and passage.again[0].end_ns is not None
    up = next(one.passage for one in run.carried if one.sctp[COMMON_HEADER] == COOKIE_ECHO)
    assert up.end_ns is not None
    between_ns = (refused.arrive_ns + passage.again[0].end_ns) // 2 - up.end_ns
    silent = Path(outages=((refused.arrive_ns, refused.arrive_ns + 900 * MS),))
    run = run_of(replace(full, back=silent, pauses=(replace(pause, to_ns=between_ns),)))
    copies = [one for one in records(run) if one["tsn"] == refused.tsn]
    repeated = [one for one in records(run, "network_duplicates") if one["tsn"] == refused.tsn]

    assert [one["fate"] for one in copies[:2]] == ["discarded", "delivered"]
    assert repeated[0]["fate"] == "delivered"
    assert copies[1]["spurious"] is True


def test_what_forward_tsn_gives_up_is_abandoned() -> None:
    run = run_of(SCENARIOS["usrsctp-i-data-pr-sctp"])
    abandoned = {one["tsn"] for one in records(run) if "abandoned" in one}
    arrived = {one["tsn"] for one in records(run) if one["fate"] == "delivered"}

    assert abandoned and not abandoned & arrived


@pytest.mark.parametrize("stack", [Stack.USRSCTP, Stack.PION, Stack.DCSCTP, Stack.LINUX])
def test_what_comes_after_the_forward_tsn_that_skips_it_is_discarded(stack: Stack) -> None:
    """No chunk is lost, none is sent twice: what is late is skipped, and then it comes."""
    messages = bulk(80, 400, interval_ns=5 * MS, rtx_limit=0)
    forth = Path(late=0.08, late_ns=400 * MS)
    run = run_of(Scenario("late", "", stack, 1, messages, forth, mtu=512))
    skipped = [
        (one.passage.end_ns, up_to)
        for one in run.carried
        if one.passage.end_ns is not None and (up_to := given_up_by(one.sctp)) is not None
    ]
    too_late = {
        sent.tsn: sent.accepted
        for sent in run.sent
        if sent.arrive_ns is not None
        and any(at < sent.arrive_ns and is_below(sent.tsn, up_to) for at, up_to in skipped)
    }

    assert {sent.copy for sent in run.sent} == {1}
    assert len(too_late) > 1
    assert set(too_late.values()) == {False}


@pytest.mark.parametrize(
    ("encapsulation", "known"), [(Encapsulation.IP6, False), (Encapsulation.IP, True)]
)
def test_without_twins_truth_says_where_nobody_knows_that_a_chunk_comes_again(
    encapsulation: Encapsulation, known: bool
) -> None:
    forth = Path(losses=(Nth(frozenset({2, 7})),))
    tail = Scenario("tail", "", Stack.USRSCTP, 1, bulk(8, 400), forth, mtu=512)
    run = run_of(replace(tail, encapsulation=encapsulation))
    *_, again = [one for one in records(run) if one["retransmission"]]

    assert again["knowable_kind"] == {"sender": True, "middle": True, "receiver": known}
    assert again["knowable"] == {
        "sender": None,
        "middle": None,
        "receiver": None if known else False,
    }
