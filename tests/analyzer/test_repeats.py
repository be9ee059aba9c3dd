# SPDX-License-Identifier: BSD-2-Clause
"""Packets that the capture has more than once change nothing but what names them, whatever they
carry; and of what was captured at two places nothing is certain."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.names import Finding

from tests.builder import sctp
from tests.builder.repeated import Frame, Frames, frames_of
from tests.builder.talk import COOKIE_ECHO, INIT_ACK, A, B, Talk, in_ipv6, init, rows, summary
from tests.captures import BUNDLED, COLLECTION
from tests.readers.rows import Rows, rows_of

#: With and without IP identifications, at both ends and between them.
SAMPLES = [
    "pion-reorder-low.sender.pcap",
    "usrsctp-delay-spike.receiver.pcap",
    "usrsctp-both-ways.middle.pcap",
    "usrsctp-reorder.sender.pcap",
]
NO_IP_ID = {"usrsctp-reorder.sender.pcap"}
BETWEEN = {"usrsctp-both-ways.middle.pcap"}

Choice = Callable[[Frame, Rows], bool]


def _has(table: str) -> Choice:
    return lambda frame, found: frame.number in {row["frame"] for row in found[table]}


CHOICES: dict[str, Choice] = {
    "every third": lambda frame, _: frame.number % 3 == 0,
    "every": lambda _frame, _: True,
    "feedback": _has("sacks"),
    "data": _has("transmissions"),
}


def _later(frame: Frame, by_ns: int) -> Frame:
    return replace(frame, time_ns=frame.time_ns + by_ns)


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("later_ns", [5_000, 900_000, 5_000_000])
def test_what_is_captured_again_changes_no_row_of_what_was_sent(
    sample: str, choice: str, later_ns: int, tmp_path: Path
) -> None:
    """What no IP-ID tells must come again soon, or all of it; between the ends a slow mirror looks
    like a tap."""
    unsure = BETWEEN if choice == "every" else NO_IP_ID | BETWEEN
    if later_ns > 1_000_000 and sample in unsure:
        pytest.skip("it may have been sent again, or captured at another place")
    frames = frames_of(BUNDLED / sample)
    expected = rows_of(frames.write(tmp_path / "once.pcapng"))
    again = frames.again(
        lambda one: _later(one, later_ns) if CHOICES[choice](one, expected) else None
    )
    found = rows_of(again.write(tmp_path / "again.pcapng"))

    numbers = {at for at, one in enumerate(again.frames, 1) if one.again}
    named = {row["frame"] for row in found["chunks"] if row["repeats"]}
    assert numbers <= named
    assert again.once(found) == frames.once(expected)


def test_every_chunk_of_what_is_captured_again_is_a_row(tmp_path: Path) -> None:
    frames = frames_of(BUNDLED / SAMPLES[0])
    once = rows_of(frames.write(tmp_path / "once.pcapng"))
    again = frames.again(lambda one: _later(one, 5_000))
    found = rows_of(again.write(tmp_path / "again.pcapng"))

    for table in ("transmissions", "sacks", "chunks"):
        assert len(found[table]) == 2 * len(once[table])
    for row in found["sacks"]:
        if row["repeats"]:
            (same,) = [one for one in found["sacks"] if one["frame"] == row["repeats"]]
            assert (row["cum_tsn"], row["gaps"]) == (same["cum_tsn"], same["gaps"])
            assert row["rtt_ns"] is row["stale"] is row["outstanding_bytes"] is None


def test_what_is_captured_again_is_not_sent_again_nor_lost_again(tmp_path: Path) -> None:
    frames = frames_of(BUNDLED / "usrsctp-tail-loss.sender.pcap")
    one = summary(frames.write(tmp_path / "once.pcapng")).associations[0]
    again = frames.again(lambda frame: _later(frame, 50_000))
    two = summary(again.write(tmp_path / "again.pcapng")).associations[0]

    assert two.packets == one.packets
    for side, same in ((one.a, two.a), (one.b, two.b)):
        assert same.captured_again == side.packets == same.packets
        assert (same.chunks, same.sacks, same.repeated_by_network) == (side.chunks, side.sacks, 0)
        if side.data and same.data and side.recovery and same.recovery:
            assert (same.data.chunks, same.data.bytes) == (side.data.chunks, side.data.bytes)
            assert same.recovery.lost == side.recovery.lost > 0


def test_a_network_duplicate_is_not_sent_either(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1), ident=40)
    talk.say(A, B, sctp.data(1), ident=40, later_us=3_000)
    talk.say(B, A, sctp.sack(1), ident=50)
    talk.say(B, A, sctp.sack(1), ident=50, later_us=3_000)
    found = summary(talk.write(tmp_path)).associations[0]

    assert found.a.data and found.a.data.chunks == 1
    assert found.a.data.kinds == {"original": 1, "network_duplicate": 1}
    assert (found.a.repeated_by_network, found.b.repeated_by_network) == (1, 1)
    assert found.b.sacks and found.b.sacks.chunks == 1


def test_the_same_acknowledgement_with_another_identification_is_sent(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1))
    talk.say(B, A, sctp.sack(1))
    talk.say(B, A, sctp.sack(1), later_us=5)

    assert [row["repeats"] for row in rows(talk.write(tmp_path), "sacks")] == [None, None]


def test_a_few_equal_acknowledgements_without_identification_are_sent(tmp_path: Path) -> None:
    """A receiver that is sent much again says the same as often as it is sent something."""
    talk = Talk(carrier=in_ipv6)
    talk.handshake()
    for tsn in range(1, 10):
        talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(tsn))
    talk.say(B, A, sctp.sack(9), later_us=42)
    path = talk.write(tmp_path)

    assert not any(row["repeats"] for row in rows(path, "sacks"))
    assert summary(path).associations[0].b.captured_again == 0


def _talk_twice(later_us: int) -> Talk:
    """Over IPv6 each packet comes once more before the next is sent; then one is sent again."""
    talk = Talk(carrier=in_ipv6)
    said = [
        *((A, B, (init(A),), 0), (B, A, (init(B, INIT_ACK),), None)),
        *(
            (A, B, (sctp.chunk(COOKIE_ECHO, 0, b"cookie"),), None),
            (B, A, (sctp.cookie_ack(),), None),
        ),
        *((A, B, (sctp.data(1),), None), (B, A, (sctp.sack(1),), None)),
        *((A, B, (sctp.data(2),), None), (B, A, (sctp.sack(1),), None)),
    ]
    for source, to, chunks, vtag in said:
        talk.say(source, to, *chunks, vtag=vtag, later_us=40_000)
        talk.say(source, to, *chunks, vtag=vtag, later_us=later_us)
    return talk


@pytest.mark.parametrize("later_us", [1_500, 9_000])
def test_without_identification_all_that_comes_as_much_later_is_captured_twice(
    later_us: int, tmp_path: Path
) -> None:
    talk = _talk_twice(later_us)
    again = talk.say(A, B, sctp.data(2), later_us=1_000_000)
    talk.say(A, B, sctp.data(2), later_us=later_us)
    path = talk.write(tmp_path)

    assert [row["repeats"] for row in rows(path, "chunks")] == [
        one for frame in range(1, again + 1, 2) for one in (None, frame)
    ]
    kinds = [row["kind"] for row in rows(path, "transmissions")]
    twice = "capture_duplicate"
    assert kinds == ["original", twice, "original", twice, "retransmission", twice]


def test_without_identification_what_comes_by_another_time_later_is_not_captured_twice(
    tmp_path: Path,
) -> None:
    """Nothing moved its sender: the network has repeated it."""
    talk = _talk_twice(5_000)
    talk.say(A, B, sctp.data(3), later_us=40_000)
    talk.say(A, B, sctp.data(3), later_us=6_000)

    assert rows(talk.write(tmp_path), "transmissions")[-1]["kind"] == "network_duplicate"


# ---- two places


def _merged(name: str, offset_ns: int = 0) -> Frames:
    """The captures of both ends in one file; the receiver's clock is behind."""
    sender, receiver = (frames_of(BUNDLED / f"{name}.{tap}.pcap") for tap in ("sender", "receiver"))
    return sender.with_all(_later(one, -offset_ns) for one in receiver.frames)


@pytest.mark.parametrize("name", ["usrsctp-tail-loss", "pion-reorder-low", "pion-delay-spike"])
@pytest.mark.parametrize("offset_ns", [0, 3_000_000, 100_000_000, 3_000_000_000])
def test_of_what_was_captured_at_both_ends_no_class_is_above_2(
    name: str, offset_ns: int, tmp_path: Path
) -> None:
    path = _merged(name, offset_ns).write(tmp_path / "merged.pcapng")
    capture = sctp_rack.read(path)

    for row in capture.transmissions:
        for what in ("verdict", "outcome", "cause", "probe"):
            assert row[f"{what}_class"] is None or row[f"{what}_class"] <= 2
    for row in capture.table("paths"):
        assert row["vantage_class"] <= 2
    assert Finding.TWO_TAPS in {one.code for one in capture.findings}


def test_where_nothing_tells_the_places_apart_nothing_is_said_of_what_came_again(
    tmp_path: Path,
) -> None:
    """Over IPv6 a copy at the other end looks like a chunk that was sent again."""
    capture = sctp_rack.read(_merged("pion-delay-spike").write(tmp_path / "merged.pcapng"))

    assert {row["verdict"] for row in capture.transmissions} == {None, "undetermined"}
    assert {row["outcome"] for row in capture.transmissions} == {"unresolved"}


@pytest.mark.parametrize(
    "sample", ["pion-reorder-low.sender.pcap", "usrsctp-tail-loss.sender.pcap"]
)
def test_a_slow_mirror_at_one_end_is_no_second_place(sample: str, tmp_path: Path) -> None:
    again = frames_of(BUNDLED / sample).again(lambda one: _later(one, 5_000_000))
    capture = sctp_rack.read(again.write(tmp_path / "again.pcapng"))

    assert Finding.TWO_TAPS not in {one.code for one in capture.findings}
    assert max(row["outcome_class"] for row in capture.transmissions) == 5


# ---- routers that translate addresses


def _translated(frame: Frame, own: bytes, outside: bytes) -> Frame:
    """Behind a router: one address is another, and the hop limit is one less."""
    packet = bytearray(frame.content)
    packet[8] -= 1
    for at in (12, 16):
        if packet[at : at + 4] == own:
            packet[at : at + 4] = outside
    return replace(_later(frame, 20_000), content=bytes(packet))


def test_what_a_router_translates_is_captured_twice_and_not_multihomed(tmp_path: Path) -> None:
    frames = frames_of(BUNDLED / "pion-reorder-low.sender.pcap")
    assert frames.link_type == 101
    own, outside = frames.frames[0].content[12:16], bytes([203, 0, 113, 7])
    # From outside a packet comes with the translated address first.
    changed = [
        _translated(one, own, outside)
        if one.content[12:16] == own
        else replace(_later(one, 20_000), content=_translated(one, own, own).content)
        for one in frames.frames
    ]
    first = [
        one
        if one.content[12:16] == own
        else replace(one, content=one.content[:16] + outside + one.content[20:])
        for one in frames.frames
    ]
    both = replace(frames, frames=first).with_all(replace(one, again=True) for one in changed)
    once = rows_of(frames.write(tmp_path / "once.pcapng"))
    found = rows_of(both.write(tmp_path / "both.pcapng"))

    assert [row["features"] for row in found["associations"]] == [
        row["features"] for row in once["associations"]
    ]
    assert len(found["paths"]) == len(once["paths"])
    kinds = {row["kind"] for row in found["transmissions"]} - {
        row["kind"] for row in once["transmissions"]
    }
    assert kinds == {"capture_duplicate"}


def test_frames_that_a_router_doubles_are_no_second_address() -> None:
    path = COLLECTION / "real" / "osmoiuh_UPP_RANAP_dupframes.pcap"
    if not path.is_file():
        pytest.skip("the collection of captures is not present beside the project")
    for one in sctp_rack.read(path).table("associations"):
        assert "multihoming" not in one["features"]
