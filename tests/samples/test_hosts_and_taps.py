# SPDX-License-Identifier: BSD-2-Clause
"""What a scenario may ask of hosts and taps shows in the packets."""

import struct
from dataclasses import replace
from itertools import pairwise
from pathlib import Path as File
from random import Random

import pytest

from sample_pcaps.generate.build import MissingError, program
from sample_pcaps.generate.capture_file import write_pcap, write_pcapng
from sample_pcaps.generate.dice import Dice
from sample_pcaps.generate.encapsulation import Addresses, Encapsulation, frame
from sample_pcaps.generate.host import Report
from sample_pcaps.generate.link import MS, Link, Path
from sample_pcaps.generate.loss import Independent, Nth, Passenger
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.tap import Tap, TapOptions
from sample_pcaps.generate.wire import acknowledgement_of, chunks, data_of
from sample_pcaps.generate.workload import Message, Pause, bulk

HEADER = struct.pack("!HHII", 5000, 5001, 1, 0)
CHUNK = struct.pack("!BBHIHHI", 0, 3, 20, 7, 0, 0, 51) + b"four"
TWO_CHUNKS = HEADER + CHUNK + CHUNK.replace(struct.pack("!I", 7), struct.pack("!I", 8))
ENDS = Addresses("192.0.2.1", "198.51.100.1")
_TICK_NS = 11 * MS  #: usrsctp looks at its timers each 10 ms
ONE_MESSAGE = (Message("a", 0, 100),)


def run_of(scenario: Scenario) -> Run:
    try:
        program(scenario.stack)
    except MissingError as missing:
        pytest.skip(str(missing))
    run = Run(scenario)
    run.run()
    return run


def usrsctp(messages: tuple[Message, ...] = ONE_MESSAGE) -> Scenario:
    return Scenario("host", "", Stack.USRSCTP, 1, messages)


def data_packets(run: Run) -> list[bytes]:
    return [carried.sctp for carried in run.carried if data_of(carried.sctp)]


def test_below_a_tag_of_802_1q_is_the_same_packet() -> None:
    plain = frame(Encapsulation.ETHERNET, ENDS, TWO_CHUNKS, 5, 64, leaves=True)
    tagged = frame(Encapsulation.VLAN, ENDS, TWO_CHUNKS, 5, 64, leaves=True)

    assert tagged[12:16] == b"\x81\x00\x00\x64"
    assert tagged[:12] + tagged[16:] == plain


@pytest.mark.parametrize(("leaves", "kind"), [(True, 4), (False, 0)])
def test_the_cooked_header_says_whether_a_packet_leaves(leaves: bool, kind: int) -> None:
    raw = frame(Encapsulation.IP, ENDS, TWO_CHUNKS, 5, 64, leaves=leaves)
    cooked = frame(Encapsulation.SLL2, ENDS, TWO_CHUNKS, 5, 64, leaves=leaves)

    assert cooked[20:] == raw
    assert (cooked[:2], cooked[10], cooked[11]) == (b"\x08\x00", kind, 6)


def test_the_network_repeats_a_packet_as_late_as_told() -> None:
    link = Link(Path(duplicate=1.0, duplicate_after_ns=(30 * MS, 40 * MS)), 0.5, Random(1))
    packets = [link.carry(n * SECOND, TWO_CHUNKS, Passenger((), False)) for n in range(20)]
    later = [again.end_ns - (one.end_ns or 0) for one in packets for again in one.again]  # type: ignore[operator]

    assert len(later) == 20
    assert all(30 * MS <= ns < 40 * MS for ns in later)


def test_a_tap_that_begins_late_has_nothing_from_before() -> None:
    tap = Tap(TapOptions(begins_ns=10), 0, Dice(Random(1)))
    for key, time_ns in enumerate((9, 10, 11)):
        tap.see(key, time_ns, b"", b"")

    assert [seen.time_ns for seen in tap.in_order()] == [10, 11]


def test_a_tap_that_cuts_shows_a_chunk_whose_header_it_has() -> None:
    framed = frame(Encapsulation.IP, ENDS, TWO_CHUNKS, 5, 64, leaves=True)
    second_header_ends = 20 + len(HEADER) + len(CHUNK) + 16
    for snaplen, shown in ((second_header_ends, [7, 8]), (second_header_ends - 1, [7])):
        tap = Tap(TapOptions(snaplen=snaplen), 0, Dice(Random(1)))
        tap.see(1, 0, framed, TWO_CHUNKS)
        (seen,) = tap.in_order()

        assert [tsn for tsn in (7, 8) if tap.shows(seen, tsn)] == shown


def test_a_capture_that_cuts_says_how_long_frames_were(tmp_path: File) -> None:
    frames = [(1_000_000_007, b"abcdefgh")]
    write_pcap(tmp_path / "cut.pcap", 1, frames, 6)
    write_pcapng(tmp_path / "cut.pcapng", 1, frames, 6)

    pcap, pcapng = (tmp_path / "cut.pcap").read_bytes(), (tmp_path / "cut.pcapng").read_bytes()
    assert struct.unpack_from("<I", pcap, 16) == (6,)
    assert pcap[24:] == struct.pack("<IIII", 1, 7, 6, 8) + b"abcdef"
    assert struct.pack("<II", 6, 8) + b"abcdef\0\0" in pcapng


def test_other_flows_of_a_host_take_numbers_of_its_ip_ids() -> None:
    scenario = replace(usrsctp(bulk(30, 400)), mtu=512)
    for other_flows, random in ((0.0, False), (5.0, False), (0.0, True)):
        run = run_of(replace(scenario, other_flows=other_flows, ip_id_random=random))
        frames = [seen.frame for seen in run.taps["sender"].in_order()]
        ids = [struct.unpack_from("!H", one, 4)[0] for one in frames if one[12] == 192]
        steps = [(later - one) % 65_536 for one, later in pairwise(ids)]

        if not other_flows and not random:
            assert set(steps) == {1}
        elif other_flows:
            assert 3 < sum(steps) / len(steps) < 9
        else:
            assert len(set(ids)) > 20 and max(steps) > 10_000


def test_hops_lie_between_taps() -> None:
    run = run_of(replace(usrsctp(), hops=(2, 7), hop_limits=(255, 64)))
    limits = {
        tap: {seen.frame[8] for seen in run.taps[tap].in_order()}
        for tap in ("sender", "middle", "receiver")
    }

    assert limits == {"sender": {255, 55}, "middle": {253, 57}, "receiver": {246, 64}}


def test_a_message_may_ask_for_a_sack_at_once() -> None:
    messages = (Message("a", 0, 100), Message("a", 400 * MS, 100, immediate=True))
    run = run_of(usrsctp(messages))
    flags = [flags for packet in data_packets(run) for kind, flags, _ in chunks(packet) if not kind]

    assert flags == [3, 3 | 8]


@pytest.mark.parametrize(("delay_ms", "waits_ms"), [(0, 200), (50, 50), (400, 400)])
def test_a_sack_waits_as_long_as_told(delay_ms: int, waits_ms: int) -> None:
    """But for the first."""
    messages = (*ONE_MESSAGE, Message("a", 100 * MS, 100))
    run = run_of(replace(usrsctp(messages), sack_delay_ms=delay_ms))
    second = run.sent[1]
    *_, answer = (c for c in run.carried if c.side == "b" and acknowledgement_of(c.sctp))

    assert second.arrive_ns is not None
    assert abs(answer.time_ns - second.arrive_ns - waits_ms * MS) <= _TICK_NS


def test_a_sack_comes_after_as_many_packets_as_told() -> None:
    messages = bulk(12, 400, interval_ns=MS)
    answers = {
        every: sum(
            carried.side == "b" and acknowledgement_of(carried.sctp) is not None
            for carried in run_of(replace(usrsctp(messages), sack_every=every)).carried
        )
        for every in (1, 2, 4)
    }

    assert answers[1] > answers[2] > answers[4]


def with_timers(forth: Path) -> Scenario:
    scenario = replace(usrsctp(), forth=forth)
    return replace(scenario, rto_min_ms=300, rto_initial_ms=700, rto_max_ms=1000)


def test_timeouts_begin_at_rto_min_and_stop_at_rto_max() -> None:
    lost = Path(losses=(Nth(frozenset({0}), copies=5),))
    run = run_of(with_timers(lost))
    waits_ns = [later.time_ns - one.time_ns for one, later in pairwise(run.sent)]

    wanted = [300, 600, 1000, 1000, 1000]
    assert all(abs(ns - ms * MS) <= _TICK_NS for ns, ms in zip(waits_ns, wanted, strict=True))


def test_an_init_that_is_lost_comes_again_after_rto_initial() -> None:
    lost = Path(losses=(Independent(1.0),))
    run = run_of(replace(with_timers(lost), cut_off_ns=SECOND))

    assert [carried.time_ns for carried in run.carried] == [0, 700 * MS]


def test_small_messages_wait_for_each_other_where_nagle_is_on() -> None:
    messages = bulk(20, 60, interval_ns=MS)
    plain, waiting = (
        len(data_packets(run_of(replace(usrsctp(messages), nagle=on)))) for on in (False, True)
    )

    assert plain == 20
    assert waiting < 10


def test_usrsctp_accepts_what_it_says_and_what_it_has() -> None:
    run = run_of(usrsctp())
    (sent,) = run.sent
    new = [Report(0, "handle", ("8",)), Report(0, "packet", ("00",))]

    assert run._accepted("b", [7, 8, sent.tsn], new) == {8, sent.tsn}
    assert run._accepted("b", [8], [*new, Report(0, "discard", ("packet",))]) == set()


def test_a_chunk_may_be_discarded_and_its_repetition_by_the_network_be_taken() -> None:
    """It comes first while the window is closed, and again when it is open."""
    scenario = replace(
        usrsctp(bulk(90, 600, interval_ns=20 * MS)),
        forth=Path(duplicate=1.0, duplicate_after_ns=(600 * MS, 600 * MS)),
        pauses=(Pause("b", 300 * MS, 1500 * MS),),
        rcvbuf=9000,
        mtu=700,
    )
    run = run_of(scenario)

    assert run.counters["b"]["datadroprwnd"] > 0
    assert all(sent.accepted or sent.accepted_again for sent in run.sent)
    assert any(not sent.accepted for sent in run.sent)


def test_a_run_may_be_cut_off() -> None:
    scenario = replace(usrsctp(bulk(200, 400, interval_ns=10 * MS)), cut_off_ns=SECOND)
    run = run_of(scenario)

    assert max(sent.time_ns for sent in run.sent) <= SECOND + 40 * MS
    assert run.sent[-1].accepted is None


@pytest.mark.parametrize("stack", [Stack.USRSCTP, Stack.PION, Stack.PION_NO_RACK])
def test_stacks_tell_what_they_counted(stack: Stack) -> None:
    run = run_of(replace(usrsctp(bulk(10, 100)), stack=stack))
    name = "recvdata" if stack is Stack.USRSCTP else "nDATAs"

    assert run.counters["b"][name] == 10
