# SPDX-License-Identifier: BSD-2-Clause
"""webrtc-sctp, the SCTP of webrtc-rs, tells its decisions as it makes them.

Setup: two hosts with it, 20 ms apart. Trigger: chosen chunks are lost. Expectation: each cause is
there, at the instant of the feedback or of the timer; and what it does otherwise than RFC 9260 is
in the truth."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path as File

from sample_pcaps.generate.build import command
from sample_pcaps.generate.check.__main__ import check
from sample_pcaps.generate.host import Host
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.make import make
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.webrtc_rs.sender import WebrtcRsSender
from sample_pcaps.generate.wire import SACK, Data
from sample_pcaps.generate.workload import Message, bulk, bursts
from tests.samples.stacks import copies_of, need, run_of
from tests.samples.test_dcsctp import heard_by_a, reports_missing

#: A chunk is lost out of the middle of a flow that leaves a message each 4 ms.
PACED = Scenario(
    *("webrtc-rs", "", Stack.WEBRTC_RS, 1, bulk(40, 400, interval_ns=4 * MS)),
    Path(losses=(Nth(frozenset({9})),)),
    mtu=512,
)


def rounded(timer_ns: int) -> int:
    """tokio's timers expire at the next whole millisecond."""
    return -(-timer_ns // MS) * MS


def sacks_of_b(run: Run) -> list[tuple[int, bytes]]:
    """When b sends SACKs, and their values."""
    packets = [carried for carried in run.carried if carried.side == "b"]
    return [(one.time_ns, one.sctp[16:]) for one in packets if one.sctp[12] == SACK]


def test_the_third_missing_report_sends_a_chunk_again_at_once() -> None:
    run = run_of(PACED)
    first, again = copies_of(run, 9)
    reports = [at for at, told in heard_by_a(run) if reports_missing(told, again.tsn)]

    assert (again.cause, again.time_ns) == ("fast", reports[2])
    assert (first.accepted, again.accepted) == (None, True)


def test_what_was_fast_retransmitted_and_is_lost_again_waits_for_the_timer() -> None:
    run = run_of(replace(PACED, forth=Path(losses=(Nth(frozenset({9}), 2),))))

    assert [sent.cause for sent in copies_of(run, 9)] == [None, "fast", "t3"]


def test_a_timeout_sends_one_packet_and_the_rest_with_feedback() -> None:
    """get_data_packets_to_retransmit() sends what the window of one packet lets out."""
    tail = bursts(1, 3, 400, side="a", every_ns=SECOND)
    run = run_of(replace(PACED, messages=tail, forth=Path(losses=(Nth(frozenset({0, 1, 2})),))))
    original, again = copies_of(run, 0)
    _, behind, *_ = copies_of(run, 1)

    assert (again.cause, behind.cause) == ("t3", "t3_gbn")
    assert again.time_ns == rounded(original.time_ns + 3 * SECOND)


def test_timeouts_in_a_row_double() -> None:
    alone = bulk(1, 400)
    run = run_of(replace(PACED, messages=alone, forth=Path(losses=(Nth(frozenset({0}), 3),))))
    times = [sent.time_ns for sent in copies_of(run, 0)]

    waits = [later - sooner for sooner, later in pairwise(times)]
    assert waits == [rounded(times[0] + 3 * SECOND) - times[0], 6 * SECOND, 12 * SECOND]


def test_what_goes_fast_goes_again_where_a_timeout_had_marked_it() -> None:
    sender, chunk = WebrtcRsSender(), Data(7, 400)
    sender.send(0, [chunk], [1])
    sender.mark(1, "fast", 7)
    sender.mark(2, "t3", 7)
    sender.resend(7, "fast")
    [fast] = sender.send(3, [chunk], [2])
    sender.resend(7, "marked")
    [later] = sender.send(4, [chunk], [3])

    assert (fast.name, later.name) == ("fast_deferred", "t3_gbn")


def test_a_block_behind_tsn_0_says_nothing_while_the_cumulative_tsn_is_before_it(
    tmp_path: File,
) -> None:
    """get_gap_ack_blocks() counts from the cumulative TSN to a lower number as 0, which the sender
    refuses (process_selective_ack): it never sends again."""
    need(PACED)
    forth = Path(losses=(Nth(frozenset({9})),))
    make(replace(PACED, forth=forth, initial_tsn=2**32 - 10), tmp_path)
    [truth] = tmp_path.glob("*.truth.ndjson")
    run = run_of(replace(PACED, forth=forth, initial_tsn=2**32 - 10))

    assert (0, 0) in {block for _, told in heard_by_a(run) for block in told.blocks}
    assert {sent.copy for sent in run.sent} == {1}
    assert check(truth) == []


def test_a_delayed_sack_is_the_last_until_two_packets_came() -> None:
    """AckTimer.start() does nothing once its timer has expired and nobody stopped it: what comes
    alone is then acknowledged when its sender sends it again."""
    alone = tuple(Message("a", at, 400) for at in (0, 5 * SECOND, 10 * SECOND))
    run = run_of(replace(PACED, messages=alone, forth=Path()))
    first, second, third = (copies_of(run, number) for number in range(3))

    assert [len(first), len(second), len(third)] == [1, 2, 1]
    assert (second[0].accepted, second[1].cause) == (True, "t3")


def test_who_did_not_ask_for_the_association_sends_one_chunk_until_it_hears() -> None:
    """handle_init() takes no window from the INIT, so the first chunk goes as a probe."""
    run = run_of(replace(PACED, messages=bulk(10, 400, side="b"), main="b", forth=Path()))
    data = [sent.time_ns for sent in run.sent if sent.side == "b"]

    assert data[0] < data[1]
    assert data[1] - data[0] >= 20 * MS


def test_it_reports_no_duplicates() -> None:
    run = run_of(replace(PACED, forth=Path(duplicate=0.5, duplicate_after_ns=(MS, 2 * MS))))

    assert run.repeated
    assert {int.from_bytes(sack[10:12]) for _, sack in sacks_of_b(run)} == {0}


def test_the_same_is_told_each_time() -> None:
    """Streams, lifetimes and timers of one instant: nothing is up to the machine."""
    messages = tuple(
        replace(one, stream=number % 4, lifetime_ms=60)
        for number, one in enumerate(bulk(200, 900, interval_ns=MS))
    )
    lossy = replace(
        PACED, messages=messages, forth=Path(losses=(Nth(frozenset(range(9, 150, 7))),))
    )
    runs = [run_of(lossy) for _ in range(2)]

    assert runs[0].carried == runs[1].carried
    assert any(sender.given_up for sender in runs[0].senders.values())


def test_time_moves_to_the_nanosecond_it_is_told() -> None:
    need(PACED)
    host = Host(command(PACED, "b", (), ()))
    host.ask("run 1234567")
    host.close()

    assert host.now_ns == 1_234_567
