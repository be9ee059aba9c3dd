# SPDX-License-Identifier: BSD-2-Clause
"""dcSCTP says itself why it sends again and what it takes; its own counters agree.

Setup: two hosts with dcSCTP, 20 ms apart. Trigger: chosen chunks are lost, the receiver stops
reading, the path stands still. Expectation: each cause that the program names is there, at the
instant at which RFC 9260 and dcSCTP's source have it."""

import re
from dataclasses import replace
from pathlib import Path as File

import pytest

from sample_pcaps.generate import build
from sample_pcaps.generate.catalogue import SCENARIOS
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Bursts, Nth
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.wire import Acknowledgement, acknowledgement_of
from sample_pcaps.generate.workload import Message, Pause, bulk, bursts
from tests.samples.stacks import copies_of, run_of

_RTO_MIN_NS = 400 * MS


def scenario(messages: tuple[Message, ...], *losses: Nth | Bursts, **more: object) -> Scenario:
    forth = Path(losses=losses)
    return Scenario("dcsctp", "", Stack.DCSCTP, 1, messages, forth, mtu=512, **more)  # type: ignore[arg-type]


def heard_by_a(run: Run) -> list[tuple[int, Acknowledgement]]:
    """What a is told, and when."""
    heard = [
        (carried.passage.end_ns, acknowledgement)
        for carried in run.carried
        if carried.side == "b"
        and carried.passage.end_ns is not None
        and (acknowledgement := acknowledgement_of(carried.sctp)) is not None
    ]
    return sorted(heard, key=lambda one: one[0])


def reports_missing(told: Acknowledgement, tsn: int) -> bool:
    """Whether something above `tsn` is acknowledged and `tsn` is not."""
    offset = (tsn - told.cum_tsn) % 2**32
    return not told.covers(tsn) and any(first > offset for first, _ in told.blocks)


def test_the_third_missing_report_sends_a_chunk_again_at_once() -> None:
    run = run_of(scenario(bulk(20, 400, interval_ns=4 * MS), Nth(frozenset({9}))))
    _, again, *_ = copies_of(run, 9)
    reports = [at for at, told in heard_by_a(run) if reports_missing(told, again.tsn)]

    assert (again.cause, again.time_ns) == ("fast", reports[2])
    mark = run.senders["a"].marks[0]
    assert (mark.time_ns, mark.tsn, mark.what, mark.trigger) == (
        *(reports[2], again.tsn),
        *("fast", "miss3"),
    )


def test_what_fits_neither_the_first_packet_nor_the_window_is_sent_later() -> None:
    """Six chunks are marked at once; the fast retransmission is one packet, and cwnd is halved."""
    lost = frozenset(range(20, 26))
    run = run_of(scenario(bulk(40, 400), Nth(lost)))
    second = [copies_of(run, number)[1] for number in sorted(lost)]
    (marked_ns,) = {mark.time_ns for mark in run.senders["a"].marks[: len(lost)]}

    assert [sent.cause for sent in second if sent.time_ns == marked_ns] == ["fast"]
    assert {sent.cause for sent in second if sent.time_ns > marked_ns} == {"fast_deferred"}


def test_a_timeout_sends_a_packet_and_what_follows_is_go_back_n() -> None:
    run = run_of(scenario(bursts(2, 8, 400, every_ns=2 * SECOND), Nth(frozenset(range(12, 16)))))
    second = [copies_of(run, number)[1] for number in range(12, 16)]
    (timeout_ns,) = {mark.time_ns for mark in run.senders["a"].marks if mark.what == "t3"}

    assert [sent.cause for sent in second] == ["t3", "t3_gbn", "t3_gbn", "t3_gbn"]
    assert second[0].time_ns == timeout_ns < second[1].time_ns


def test_the_second_timeout_comes_after_the_same_rto_and_the_third_after_the_double() -> None:
    """Timer::get_backoff_duration doubles from the second expiry on."""
    lost = (Nth(frozenset({7}), copies=count) for count in (1, 2, 3))
    run = run_of(scenario(bursts(1, 8, 400, every_ns=SECOND), *lost))
    times = [sent.time_ns for sent in copies_of(run, 7)]

    assert [sent.cause for sent in copies_of(run, 7)] == [None, "t3", "t3", "t3"]
    assert times[2] - times[1] == _RTO_MIN_NS
    assert times[3] - times[2] == 2 * _RTO_MIN_NS


def at_a_closed_window() -> Run:
    pause = (Pause("b", 0, 5 * SECOND),)
    return run_of(scenario(bulk(30, 400, interval_ns=20 * MS), pauses=pause, rcvbuf=4000))


def test_data_beyond_the_window_is_thrown_away_without_an_answer() -> None:
    run = at_a_closed_window()
    discarded = [sent for sent in run.sent if sent.accepted is False]
    thrown_away = {sent.tsn for sent in discarded}
    answers = [
        carried.time_ns
        for carried in run.carried
        if carried.side == "b" and acknowledgement_of(carried.sctp) is not None
    ]

    assert len(discarded) > len(thrown_away) > 0
    assert all(sent.arrive_ns is not None and sent.arrive_ns not in answers for sent in discarded)


def test_a_timeout_at_a_closed_window_is_a_probe() -> None:
    run = at_a_closed_window()
    again = [sent for sent in run.sent if sent.copy > 1]

    assert {sent.cause for sent in again} == {"zero_window_probe"}
    assert {mark.what for mark in run.senders["a"].marks} == {"t3_window_probe"}


def test_its_own_counters_agree_with_what_is_told() -> None:
    """Packets with something sent again; bytes with chunk headers, padded (api/mod.rs, Metrics)."""
    for name, header in (("dcsctp-burst-loss", 16), ("dcsctp-i-data-pr-sctp", 20)):
        run = run_of(SCENARIOS[name])
        again = [sent for sent in run.sent if sent.copy > 1]
        padded = [(header + sent.user_bytes + 3) // 4 * 4 for sent in again]

        assert run.counters["a"]["rtx_packets"] == len({sent.packet for sent in again}) > 0
        assert run.counters["a"]["rtx_bytes"] == sum(padded)
        assert all(sent.cause is not None for sent in again)


def test_the_same_seed_gives_the_same_packets_and_another_seed_others() -> None:
    def packets(seed: int) -> list[tuple[int, bytes]]:
        lossy = scenario(bulk(40, 400, interval_ns=4 * MS), Bursts(0.1, 0.4))
        run = run_of(replace(lossy, seed=seed))
        return [(carried.time_ns, carried.sctp) for carried in run.carried]

    assert packets(7) == packets(7) != packets(8)


def test_the_initial_tsn_is_the_one_that_is_asked_for() -> None:
    for main in "ab":
        messages = bulk(3, 400, side=main)
        run = run_of(scenario(messages, main=main, initial_tsn=4_294_967_295))

        assert [sent.tsn for sent in run.sent] == [4_294_967_295, 0, 1]


def test_the_version_that_is_told_is_the_one_that_runs() -> None:
    text = (File(build.HERE) / "dcsctp" / "Cargo.lock").read_text()
    locked = re.search(r'name = "dcsctp"\nversion = "([^"]*)"', text)

    assert locked is not None and locked[1] == Stack.DCSCTP.value[1]


def test_without_cargo_or_with_one_too_old_it_is_said_what_is_missing(
    tmp_path: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "OUT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(build.MissingError, match=r"Rust 1\.91"):
        build.program.__wrapped__(Stack.DCSCTP)

    cargo = tmp_path / "cargo"
    (tmp_path / "patch").touch(0o755)
    for version, said in (("0.66.0", "Rust 1[.]91"), ("1.91.1", "no network")):
        does = (
            f'[ "$1" = --version ] && echo cargo {version} || {{ echo no network >&2; exit 101; }}'
        )
        cargo.write_text(f"#!/bin/sh\n{does}\n")
        cargo.chmod(0o755)
        with pytest.raises(build.MissingError, match=said):
            build.program.__wrapped__(Stack.DCSCTP)
