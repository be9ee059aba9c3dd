# SPDX-License-Identifier: BSD-2-Clause
"""Which association a row belongs to, which way its data goes, which copy it is, what it newly
acknowledges: in small captures that are built here, and in captures whose truth is known."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.names import Kind
from sctp_rack.summary.summary import Association, Data

from tests.builder import sctp
from tests.builder.talk import (
    ABORT,
    COOKIE_ECHO,
    INIT_ACK,
    LINKTYPE_SCTP,
    REFLECTED,
    SHUTDOWN_ACK,
    SHUTDOWN_COMPLETE,
    A,
    B,
    End,
    Row,
    Talk,
    bare,
    in_udp,
    init,
    rows,
    shutdown,
    summary,
)
from tests.captures import COLLECTION, collection, name_of, needs_collection


def picked(path: Path, table: str, *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in columns) for row in rows(path, table)]


def lives(path: Path) -> list[tuple[str, str]]:
    return [(one.how_started, one.how_ended) for one in summary(path).associations]


def only_association(path: Path) -> Association:
    (association,) = summary(path).associations
    return association


# ---- copies and acknowledgements


def duplicates_in(data: Data) -> int:
    """Chunks in a packet that the network or the capture repeats."""
    return sum(data.kinds.get(kind, 0) for kind in (Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE))


def test_copies_are_numbered_with_the_frames_of_the_first_and_the_one_before(
    tmp_path: Path,
) -> None:
    talk = Talk()
    for tsn in (7, 8, 7, 7, 8):
        talk.say(A, B, sctp.data(tsn))
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "frame", "tsn", "copy", "first_frame", "prev_frame") == [
        (1, 7, 1, 1, None),
        (2, 8, 1, 2, None),
        (3, 7, 2, 1, 1),
        (4, 7, 3, 1, 3),
        (5, 8, 2, 2, 2),
    ]
    data = only_association(path).a.data
    assert data and (data.chunks, data.tsns, data.repeated, duplicates_in(data)) == (5, 2, 3, 0)


def test_a_packet_that_was_captured_twice_is_no_copy(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, sctp.data(7), ident=40)
    talk.say(A, B, sctp.data(7), ident=40, later_us=3)
    talk.say(A, B, sctp.data(7), ident=40, later_us=90_000)
    talk.say(A, B, sctp.data(7), ident=41)
    talk.say(A, B, sctp.data(8), ident=0)
    talk.say(A, B, sctp.data(8), ident=0, later_us=999)
    talk.say(A, B, sctp.data(8), ident=0, later_us=1000)
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "copy", "prev_frame") == [
        *((1, None), (1, 1), (1, 1), (2, 1)),
        *((1, None), (1, 5), (2, 5)),
    ]
    data = only_association(path).a.data
    assert data and (data.chunks, data.repeated, duplicates_in(data)) == (4, 2, 3)


def test_packets_with_checksum_zero_are_told_apart_by_their_bytes(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, sctp.data(7), ident=40, checksum=sctp.zero)
    talk.say(A, B, sctp.data(7), ident=40, checksum=sctp.zero)
    talk.say(A, B, sctp.data(8), ident=41, checksum=sctp.zero)
    talk.say(A, B, sctp.data(7), ident=42, checksum=sctp.zero)

    assert picked(talk.write(tmp_path), "transmissions", "copy") == [(1,), (1,), (1,), (2,)]


def test_a_sack_shows_what_it_newly_acknowledges_by_chunks_and_bytes(tmp_path: Path) -> None:
    talk = Talk()
    for tsn in range(10):
        talk.say(A, B, sctp.data((0xFFFFFFFB + tsn) % 2**32, bytes(10 + tsn)))
    talk.say(B, A, sctp.sack(0xFFFFFFFC, [(2, 3)]))  # 0xfffffffe and 0xffffffff
    talk.say(B, A, sctp.sack(0xFFFFFFFC, [(2, 4)]))  # and 0
    talk.say(B, A, sctp.sack(0xFFFFFFFC, [(2, 4)]))
    talk.say(B, A, sctp.nr_sack(0xFFFFFFFD, [(5, 5)], [(4, 4)]))  # 0xfffffffd, 2, 1
    talk.say(B, A, shutdown(3))
    talk.say(A, B, sctp.sack(3))  # acknowledges the other direction, which has no data
    path = talk.write(tmp_path)

    assert picked(path, "sacks", "kind", "dir", "newly_acked", "newly_acked_bytes") == [
        ("sack", "a2b", 4, 10 + 11 + 13 + 14),
        ("sack", "a2b", 1, 15),
        ("sack", "a2b", 0, 0),
        ("nr_sack", "a2b", 3, 12 + 17 + 16),
        ("shutdown", "a2b", 1, 18),
        ("sack", "b2a", 0, 0),
    ]
    data = only_association(path).a.data
    assert data and (data.acked, data.acked_bytes) == (9, sum(range(10, 19)))


def test_a_packet_with_a_sack_and_data_acknowledges_one_way_and_sends_the_other(
    tmp_path: Path,
) -> None:
    talk = Talk()
    talk.say(A, B, sctp.data(7))
    talk.say(B, A, sctp.sack(7), sctp.data(900))
    path = talk.write(tmp_path)

    assert picked(path, "sacks", "dir", "newly_acked") == [("a2b", 1)]
    assert picked(path, "transmissions", "dir", "tsn") == [("a2b", 7), ("b2a", 900)]


# ---- associations


def test_a_whole_life_is_one_association_from_the_sender_of_the_init(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake(B, A)
    talk.say(A, B, sctp.data(7))
    talk.say(B, A, sctp.sack(7))
    talk.say(A, B, shutdown(0))
    talk.say(B, A, sctp.chunk(SHUTDOWN_ACK, 0, b""))
    talk.say(A, B, sctp.chunk(SHUTDOWN_COMPLETE, 0, b""))
    path = talk.write(tmp_path)

    assert {row["assoc"] for row in rows(path, "chunks")} == {0}
    assert picked(path, "transmissions", "dir", "path") == [("b2a", "10.0.0.1>10.0.0.2")]
    association = only_association(path)
    assert (association.how_started, association.how_ended) == ("handshake", "shutdown")
    assert (association.a.addresses, association.a.port, association.a.vtag) == (
        [B.address],
        B.port,
        B.vtag,
    )
    assert (association.b.addresses, association.b.port, association.b.vtag) == (
        [A.address],
        A.port,
        A.vtag,
    )
    assert (association.first_frame, association.last_frame, association.packets) == (1, 9, 9)
    assert association.features == []


def test_a_capture_from_the_middle_starts_with_who_is_seen_first(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(B, A, sctp.sack(6))
    talk.say(A, B, sctp.data(7))
    talk.say(B, A, sctp.sack(7))
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "assoc", "dir") == [(0, "b2a")]
    assert picked(path, "sacks", "assoc", "dir", "newly_acked") == [(0, "b2a", 0), (0, "b2a", 1)]
    assert lives(path) == [("middle", "open")]


def test_a_restart_ends_the_association_before_it(tmp_path: Path) -> None:
    talk = Talk()
    again_a, again_b = replace(A, vtag=0xA1), replace(B, vtag=0xB1)
    talk.handshake()
    talk.say(A, B, sctp.data(7))
    talk.handshake(again_a, again_b)
    talk.say(again_a, again_b, sctp.data(7))
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "assoc", "copy", "first_frame") == [(0, 1, 5), (1, 1, 10)]
    assert lives(path) == [("handshake", "restarted"), ("restart", "open")]


def test_crossing_inits_are_one_association(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, init(B), vtag=0)
    talk.say(B, A, init(B, INIT_ACK))
    talk.say(A, B, init(A, INIT_ACK))
    talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"))
    talk.say(B, A, sctp.data(7))
    path = talk.write(tmp_path)

    assert lives(path) == [("collision", "open")]
    assert picked(path, "transmissions", "dir") == [("b2a",)]


def test_an_init_that_nobody_answers_is_said_to_be_unanswered(tmp_path: Path) -> None:
    talk = Talk()
    for _ in range(3):
        talk.say(A, B, init(A), vtag=0)

    assert lives(talk.write(tmp_path)) == [("handshake", "unanswered")]


@pytest.mark.parametrize("reflected", [False, True])
def test_an_abort_ends_the_association_with_either_tag(tmp_path: Path, reflected: bool) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(B, A, sctp.chunk(ABORT, reflected * REFLECTED, b""), vtag=(B if reflected else A).vtag)
    talk.handshake()  # with the same tags

    assert lives(talk.write(tmp_path)) == [("handshake", "abort"), ("handshake", "open")]


def test_one_address_and_one_port_at_both_ends_are_told_apart_by_the_tags(tmp_path: Path) -> None:
    one, other = End("127.0.0.1", 36412, 1111), End("127.0.0.1", 36412, 2222)
    talk = Talk()
    talk.handshake(one, other)
    talk.say(other, one, sctp.data(7))
    talk.say(one, other, sctp.sack(7))
    talk.say(one, other, sctp.data(7))
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "assoc", "dir", "copy") == [(0, "b2a", 1), (0, "a2b", 1)]
    assert picked(path, "sacks", "dir", "newly_acked") == [("b2a", 1)]


def test_where_every_tag_is_zero_the_addresses_and_ports_decide(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, sctp.data(0), vtag=0)
    talk.say(B, A, sctp.data(0), vtag=0)
    talk.say(A, B, sctp.data(0), vtag=0)
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "assoc", "dir", "copy") == [
        (0, "a2b", 1),
        (0, "b2a", 1),
        (0, "a2b", 2),
    ]


def test_other_addresses_with_the_right_tag_are_multihoming(tmp_path: Path) -> None:
    elsewhere_a, elsewhere_b = replace(A, address="10.1.0.1"), replace(B, address="10.1.0.2")
    talk = Talk()
    talk.say(A, B, init(A, addresses=["10.0.0.1", "10.2.0.1"]), vtag=0)
    talk.say(B, A, init(B, INIT_ACK))
    talk.say(A, B, sctp.data(7))
    talk.say(elsewhere_a, elsewhere_b, sctp.data(7))
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "assoc", "copy", "path") == [
        (0, 1, "10.0.0.1>10.0.0.2"),
        (0, 2, "10.1.0.1>10.1.0.2"),
    ]
    association = only_association(path)
    assert association.a.addresses == ["10.0.0.1", "10.2.0.1", "10.1.0.1"]
    assert association.b.addresses == ["10.0.0.2", "10.1.0.2"]
    assert association.features == ["multihoming"]


def test_a_feature_is_what_was_used_or_what_both_sides_support(tmp_path: Path) -> None:
    talk = Talk(in_udp)
    talk.say(A, B, init(A, extensions=bytes([130, 192, 15])), vtag=0)
    talk.say(B, A, init(B, INIT_ACK, extensions=bytes([192, 193])))
    talk.say(A, B, sctp.i_data(7))
    talk.say(B, A, sctp.nr_sack(7))

    association = only_association(talk.write(tmp_path))
    assert association.features == ["udp", "i_data", "nr_sack", "forward_tsn"]


def test_without_addresses_the_path_names_the_sides(tmp_path: Path) -> None:
    talk = Talk(bare, LINKTYPE_SCTP)
    talk.handshake()
    talk.say(A, B, sctp.data(7))
    talk.say(B, A, sctp.sack(7), sctp.data(900))
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "dir", "path") == [("a2b", "a>b"), ("b2a", "b>a")]
    assert picked(path, "sacks", "dir", "path", "newly_acked") == [("a2b", "b>a", 1)]
    association = only_association(path)
    assert (association.a.addresses, association.b.addresses) == ([], [])


def test_one_broken_tsn_loses_nothing_and_a_new_numbering_is_followed(tmp_path: Path) -> None:
    talk = Talk()
    for tsn in (1, 2, 3_000_000_000, 1, 3):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(3))
    for tsn in (2_000_000_000, 2_000_000_001, 2_000_000_000):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(2_000_000_001))
    path = talk.write(tmp_path)

    assert picked(path, "transmissions", "copy", "first_frame") == [
        *((1, 1), (1, 2), (1, 3), (2, 1), (1, 5)),
        *((1, 7), (1, 8), (2, 7)),
    ]
    assert picked(path, "sacks", "newly_acked") == [(3,), (2,)]
    data = only_association(path).a.data
    assert data and data.jumps == 1


# ---- captures whose truth is known


@dataclass(frozen=True)
class Tap:
    """A capture of a run, and what is true of its frames there."""

    name: str
    path: Path
    truth: dict[str, Any]

    def sent(self) -> dict[tuple[int, int], tuple[str, int]]:
        """By frame and TSN what a sender sent: its direction, and which copy this tap sees."""
        found: dict[tuple[int, int], tuple[str, int]] = {}
        copies: dict[tuple[str, int], int] = defaultdict(int)
        seen = [t for t in self.truth["transmissions"] if t["frames"].get(self.name)]
        for one in sorted(seen, key=lambda one: one["frames"][self.name]):
            copies[one["dir"], one["tsn"]] += 1
            copy = copies[one["dir"], one["tsn"]]
            found[one["frames"][self.name], one["tsn"]] = one["dir"], copy
        return found

    def repeated(self) -> Iterator[tuple[int, int, int]]:
        """Frame and TSN of each duplicate, and the frame that it repeats."""
        frames = {
            (one["dir"], one["tsn"], one["copy"]): one["frames"].get(self.name)
            for one in self.truth["transmissions"]
        }
        duplicates = self.truth["network_duplicates"] + self.truth.get("capture_duplicates", [])
        for one in duplicates:
            frame = one["frames"].get(self.name)
            original = one.get("first_frame") or frames[one["dir"], one["tsn"], one["copy"]]
            if frame and original:
                yield frame, one["tsn"], original


def taps() -> list[Tap]:
    """Every tap of every run whose packets can be read without keys."""
    found = []
    for path in sorted((COLLECTION / "truth").glob("*.truth.json")):
        truth = json.loads(path.read_text())
        if truth["encapsulation"] != "dtls":
            found += [Tap(k, path.parent / v, truth) for k, v in truth["captures"].items()]
    return found


@pytest.fixture(params=taps(), ids=lambda tap: tap.path.name)
def tap(request: pytest.FixtureRequest) -> Tap:
    found: Tap = request.param
    return found


def by_place(path: Path) -> dict[tuple[int, int], Row]:
    return {(row["frame"], row["tsn"]): row for row in rows(path, "transmissions")}


@needs_collection
def test_every_transmission_has_its_true_copy_and_direction(tap: Tap) -> None:
    found = by_place(tap.path)
    sent = tap.sent()

    assert {place: (found[place]["dir"], found[place]["copy"]) for place in sent} == sent
    assert {row["assoc"] for row in found.values()} == {0}
    assert len(summary(tap.path).associations) == 1


@needs_collection
def test_a_duplicate_has_the_copy_of_what_it_repeats(tap: Tap) -> None:
    found = by_place(tap.path)
    repeated = list(tap.repeated())

    for frame, tsn, original in repeated:
        assert found[frame, tsn]["copy"] == found[original, tsn]["copy"]
        assert found[frame, tsn]["first_frame"] == found[original, tsn]["first_frame"]
    sides = [side.data for one in summary(tap.path).associations for side in (one.a, one.b)]
    assert sum(duplicates_in(data) for data in sides if data) == len(found) - len(tap.sent())


def covers(sack: Row, tsn: int) -> bool:
    blocks = [*sack["gaps"], *sack["nr_gaps"]]
    return (sack["cum_tsn"] - tsn) % 2**32 < 2**31 or any(
        (tsn - first) % 2**32 <= (last - first) % 2**32 for first, last in blocks
    )


@needs_collection
@pytest.mark.parametrize("direction", ["a2b", "b2a"])
def test_every_tsn_is_newly_acknowledged_by_the_first_sack_that_covers_it(
    tap: Tap, direction: str
) -> None:
    events = [*rows(tap.path, "transmissions"), *rows(tap.path, "sacks")]
    sizes: dict[int, int] = {}
    waiting: set[int] = set()  # between the TSNs seen, also those that the tap missed
    highest = None
    newly: list[int] = []
    for row in sorted(events, key=lambda row: (row["frame"], row["chunk"])):
        if row["dir"] != direction:
            continue
        if "tsn" in row:
            tsn = row["tsn"]
            ahead = 1 if highest is None else (tsn - highest + 2**31) % 2**32 - 2**31
            waiting |= {(tsn - i) % 2**32 for i in range(ahead)}
            highest = tsn if ahead > 0 else highest
            sizes[tsn] = row["bytes"]
            continue
        covered = {tsn for tsn in waiting if covers(row, tsn)}
        waiting -= covered
        seen = covered & sizes.keys()
        newly += seen
        assert row["newly_acked"] == len(seen)
        assert row["newly_acked_bytes"] == sum(sizes[tsn] for tsn in seen)

    association = only_association(tap.path)
    data = (association.a if direction == "a2b" else association.b).data
    assert len(newly) == len(set(newly)) == (data.acked if data else 0)
    if "capture_loss" not in tap.truth["capture_options"]:
        sacks = [row for row in events if "cum_tsn" in row and row["dir"] == direction]
        assert len(newly) == sum(any(covers(row, tsn) for row in sacks) for tsn in sizes)


# ---- captures of others

#: Associations, and why not one; chunks that carry a TSN seen before: sent again, and duplicates.
WILD: dict[str, tuple[int, int, int, str]] = {
    "arkime_m3ua_synthetic.pcap": (
        *(18, 0, 4),
        "14 pairs of ends, all of one IP-ID; for four of them a handshake comes backwards, so that "
        "its INIT is a new attempt; all of that is there twice, 0.1 ms apart",
    ),
    "freediameter_capture.cap": (4, 0, 0, "three INITs to ends that do not answer"),
    "magma_gx_gy_combined_03_9if.pcapng": (7, 0, 0, "seven pairs of ends, none with its INIT"),
    "magma_nsa_connection_sll.pcapng": (1, 0, 0, ""),
    "pcapflowlab_mpls.pcap": (1, 0, 0, ""),
    "pcapflowlab_vlan.pcap": (1, 0, 0, ""),
    "pcapplusplus_SctpAllPackets.pcap": (
        *(3, 0, 0),
        "three pairs of ports; chunks are made by hand, and DATA and I-DATA with one TSN differ",
    ),
    "pcapplusplus_SctpExamplePackets.pcap": (2, 0, 0, "one over IPv4 and one over IPv6"),
    "sigtrannet_end-to-end.pcap": (1, 0, 0, ""),
    "spindump_sctp_medium.pcap": (2, 0, 0, "a HEARTBEAT with an old tag, then a handshake"),
    "spindump_sctp_short_lo.pcap": (1, 0, 0, ""),
    "spindump_sctp_snap128.pcap": (1, 0, 0, ""),
    "spindump_sctp_two_addr.pcap": (2, 0, 0, "two handshakes"),
    "suricata_decode-sctp-01.pcap": (1, 0, 0, ""),
    "suricata_sctp-keywords.pcap": (2, 0, 0, "two peers, one without its INIT"),
    "tcpdump_forces3.pcap": (6, 0, 0, "six handshakes"),
    "tcpdump_isup_bigendian.pcap": (1, 0, 0, ""),
    "tcpdump_pr995_asconf.pcap": (1, 0, 0, ""),
    "tcpdump_pr995_i-data.pcap": (1, 0, 0, ""),
    "tcpdump_pr995_pad.pcap": (1, 0, 0, ""),
    "tcpdump_pr995_re-config.pcap": (1, 0, 0, ""),
    "zeek_communityid_sctp.pcap": (1, 0, 0, ""),
}


@needs_collection
@pytest.mark.parametrize("path", collection("wild"), ids=name_of)
def test_real_captures_have_their_associations_and_copies(path: Path) -> None:
    associations, again, duplicates, _ = WILD[path.name]
    found = summary(path).associations
    data = [side.data for one in found for side in (one.a, one.b) if side.data]

    assert len(found) == associations
    assert sum(row["copy"] > 1 for row in rows(path, "transmissions")) == again
    assert sum(duplicates_in(one) for one in data) == duplicates
