# SPDX-License-Identifier: BSD-2-Clause
"""What the truth of a run says of chunks to which something rare happens."""

from dataclasses import replace

import pytest

from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.encapsulation import Encapsulation
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.truth import Record, Truth
from sample_pcaps.generate.wire import COMMON_HEADER
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
