# SPDX-License-Identifier: BSD-2-Clause
"""Associations that a capture has from their middle on, over several addresses or through a NAT:
each is whole, and none is another's."""

import random
import tempfile
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.names import Kind, Verdict

from tests.builder import sctp
from tests.builder.talk import A, B, End, Talk, in_ipv4, rows, summary
from tests.captures import COLLECTION, needs_collection

HEARTBEAT, HEARTBEAT_ACK = 4, 5
#: Of both ends, as between MME and eNodeBs.
S1AP = 36412

A2, B2 = replace(A, address="10.0.1.1"), replace(B, address="10.0.1.2")


def heartbeat(information: bytes, kind: int = HEARTBEAT) -> bytes:
    return sctp.chunk(kind, 0, b"\0\1" + (4 + len(information)).to_bytes(2) + information)


def rows_by_frame(path: Path) -> dict[int, tuple[int, str]]:
    """Association and sender of each frame with data or feedback."""
    found = {}
    for row in rows(path, "transmissions"):
        found[row["frame"]] = (row["assoc"], row["dir"])
    for row in rows(path, "sacks"):
        found[row["frame"]] = (row["assoc"], {"a2b": "b2a", "b2a": "a2b"}[row["dir"]])
    return found


# ---- what is seen again as of one association


def early_halves(apart: bool) -> Talk:
    """Two TSNs come late, one after a loop in which it was missed and one that was acknowledged;
    who acknowledges uses other addresses, if `apart`, until the end."""
    talk, b, a = Talk(), (B2 if apart else B), (A2 if apart else A)
    for tsn in (2000, 2001, 2003, 2004):
        talk.say(A, B, sctp.data(tsn), later_us=200)
    talk.say(b, a, sctp.sack(2001, [(2, 3)]), sctp.data(70), later_us=200)
    talk.say(A, B, sctp.data(2002), later_us=50_000)
    talk.say(A, B, sctp.data(2006), later_us=200)
    talk.say(b, a, sctp.sack(2006), sctp.data(71), later_us=200)
    talk.say(A, B, sctp.sack(71), sctp.data(2005), later_us=200)
    talk.say(A, b, heartbeat(b"now"), later_us=200)
    talk.say(b, A, heartbeat(b"now", HEARTBEAT_ACK), later_us=200)
    talk.say(A, B, sctp.data(2007), later_us=200)
    talk.say(b, A, sctp.sack(2007), later_us=200)
    return talk


def test_rows_from_before_the_halves_were_joined_are_those_of_one_association(
    tmp_path: Path,
) -> None:
    at_once = early_halves(apart=False).write(tmp_path)
    expected = {table: rows(at_once, table) for table in ("transmissions", "sacks")}
    apart = early_halves(apart=True).write(tmp_path)
    for table, of_one in expected.items():
        of_halves = rows(apart, table)
        for column in ("frame", "assoc", "dir", *_SEEN[table]):
            assert [row[column] for row in of_halves] == [row[column] for row in of_one], column
    kinds = {row["tsn"]: row["kind"] for row in rows(apart, "transmissions")}
    assert kinds[2002] == kinds[2005] == Kind.RETRANSMISSION


_SEEN = {
    "transmissions": ("tsn", "copy", "first_frame", "prev_frame", "kind"),
    "sacks": ("cum_tsn", "newly_acked", "newly_acked_bytes"),
}


def test_a_joined_half_has_no_row_and_the_association_names_its_number(tmp_path: Path) -> None:
    path = early_halves(apart=True).write(tmp_path)
    (association,) = rows(path, "associations")
    assert (association["assoc"], association["joined"]) == (0, 1)
    assert association["packets"] == 13
    chunks = rows(path, "chunks")
    assert {row["assoc"] for row in chunks if row["frame"] < 11} == {0, 1}
    assert {row["assoc"] for row in chunks if row["frame"] >= 11} == {0}
    (told,) = summary(path).associations
    assert told.b.sacks is not None and told.b.sacks.chunks == 3


def test_an_association_that_was_whole_from_the_start_names_none(tmp_path: Path) -> None:
    path = early_halves(apart=False).write(tmp_path)
    assert [row["joined"] for row in rows(path, "associations")] == [None]


# ---- any talk


@dataclass
class Host:
    """One end of an association: its addresses, its tag, where its TSNs begin."""

    addresses: list[str]
    tag: int
    tsn: int

    def end(self, dice: random.Random) -> End:
        return End(dice.choice(self.addresses), S1AP, self.tag)


@dataclass
class Conversation:
    """A client and a server that serves others too; both send, acknowledge, and ask."""

    client: Host
    server: Host
    #: What the client's address is on the other side of a NAT: both sides are captured.
    outside: str | None

    def step(self, talk: Talk, dice: random.Random) -> list[tuple[int, bool]]:
        """Frames, and whether the client sent them."""
        by_client = dice.random() < 0.5
        source, to = (self.client, self.server) if by_client else (self.server, self.client)
        chunks = []
        if dice.random() < 0.4:
            chunks.append(sctp.sack((to.tsn - 1) % 2**32))
        if dice.random() < 0.7 or not chunks:
            chunks.append(sctp.data(source.tsn))
            source.tsn = (source.tsn + 1) % 2**32
        return self._say(talk, dice, by_client, *chunks)

    def ask(self, talk: Talk, dice: random.Random) -> None:
        """A HEARTBEAT over each pair of addresses, and its answer."""
        for own in self.client.addresses:
            for other in self.server.addresses:
                client, server = End(own, S1AP, self.client.tag), End(other, S1AP, self.server.tag)
                information = dice.randbytes(16)
                for source, to, kind in (
                    (client, server, HEARTBEAT),
                    (server, client, HEARTBEAT_ACK),
                ):
                    talk.say(source, to, heartbeat(information, kind))

    def _say(
        self, talk: Talk, dice: random.Random, by_client: bool, *chunks: bytes
    ) -> list[tuple[int, bool]]:
        client, server = self.client.end(dice), self.server.end(dice)
        frames = []
        for address in [client.address] if self.outside is None else [client.address, self.outside]:
            ends = replace(client, address=address), server
            source, to = ends if by_client else ends[::-1]
            frames.append(
                (talk.say(source, to, *chunks, ident=dice.randrange(1, 65536)), by_client)
            )
        return frames


def conversations(dice: random.Random, count: int) -> list[Conversation]:
    server = [f"10.9.0.{1 + i}" for i in range(dice.randint(1, 3))]
    return [
        Conversation(
            client=Host(
                [f"10.{1 + i}.0.{1 + k}" for k in range(dice.randint(1, 3))],
                dice.randrange(1, 2**32),
                dice.randrange(2**32),
            ),
            server=Host(server, dice.randrange(1, 2**32), dice.randrange(2**32)),
            outside=f"192.168.{i}.1" if dice.random() < 0.3 else None,
        )
        for i in range(count)
    ]


@given(seed=st.integers(0, 2**32), count=st.integers(1, 5), steps=st.integers(1, 60))
def test_every_association_is_whole_and_none_is_merged_with_another(
    seed: int, count: int, steps: int
) -> None:
    dice, talk = random.Random(seed), Talk()
    talks = conversations(dice, count)
    said: dict[int, tuple[int, bool]] = {}
    for _ in range(steps):  # the capture begins somewhere: nothing tells the first of these
        which = dice.randrange(count)
        for frame, by_client in talks[which].step(talk, dice):
            said[frame] = (which, by_client)
    for one in talks:
        one.ask(talk, dice)
    with tempfile.TemporaryDirectory() as folder:
        path = talk.write(Path(folder))
        found = rows_by_frame(path)
        numbers = [row["assoc"] for row in rows(path, "associations")]
    assert len(numbers) == count
    places: dict[tuple[int, bool], set[Any]] = defaultdict(set)
    for frame, sender in said.items():
        places[sender].add(found[frame])
    assert all(len(of_one) == 1 for of_one in places.values())
    assert len(set.union(*places.values())) == len(places)
    for which in range(count):
        both = [
            next(iter(places[which, side])) for side in (True, False) if (which, side) in places
        ]
        assert len({assoc for assoc, _ in both}) <= 1


# ---- one tag for both sides


def both_ways(a: End, b: End, first_a: int, first_b: int) -> Talk:
    """Ten packets each way with data, whose feedback is in packets of its own."""
    talk = Talk()
    for i in range(10):
        talk.say(a, b, sctp.data((first_a + i) % 2**32))
        talk.say(b, a, sctp.data((first_b + i) % 2**32))
        talk.say(b, a, sctp.sack((first_a + i) % 2**32))
        talk.say(a, b, sctp.sack((first_b + i) % 2**32))
    return talk


@pytest.mark.parametrize(
    "b",
    [
        pytest.param(End("10.0.0.2", 6000, A.vtag), id="other ports"),
        pytest.param(End("10.0.0.2", A.port, A.vtag), id="other addresses"),
        pytest.param(End(A.address, A.port, A.vtag), id="nothing but the TSNs"),
    ],
)
def test_both_directions_are_told_apart_where_they_have_the_same_tag(
    b: End, tmp_path: Path
) -> None:
    path = both_ways(A, b, 2**32 - 5, 7_000_000).write(tmp_path)
    of_a = [2**32 - 5, 2**32 - 4, 2**32 - 3, 2**32 - 2, 2**32 - 1, 0, 1, 2, 3, 4]
    of_b = list(range(7_000_000, 7_000_010))
    (association,) = rows(path, "associations")
    assert association["vtag_a"] == association["vtag_b"] == A.vtag
    for way, tsns in (("a2b", of_a), ("b2a", of_b)):
        assert [r["tsn"] for r in rows(path, "transmissions") if r["dir"] == way] == tsns
        assert [r["cum_tsn"] for r in rows(path, "sacks") if r["dir"] == way] == tsns
    assert {row["kind"] for row in rows(path, "transmissions")} == {Kind.ORIGINAL}


def translated_halves() -> Talk:
    """A router between two taps makes another address of A's, and takes one off the hop limit."""
    outside = replace(A, address="203.0.113.7")

    def routed(packet: bytes, source: End, to: End, ident: int) -> bytes:
        frame = bytearray(in_ipv4(packet, source, to, ident))
        frame[8] -= (source == outside) or (to == A)
        return bytes(frame)

    talk = Talk(routed)
    for tsn in range(3):
        ident = talk.say(A, B, sctp.data(tsn), ident=100 + tsn)
        talk.say(outside, B, sctp.data(tsn), ident=100 + tsn, later_us=20)
        talk.say(B, outside, sctp.data(9000 + tsn), ident=200 + ident)
        talk.say(B, A, sctp.data(9000 + tsn), ident=200 + ident, later_us=20)
    return talk


def test_the_half_that_goes_to_a_translated_address_is_of_whom_it_was_translated_for(
    tmp_path: Path,
) -> None:
    found = rows_by_frame(translated_halves().write(tmp_path))
    assert {at: each[0] for at, each in found.items()} == dict.fromkeys(range(1, 13), 0)
    assert [found[at][1] for at in range(1, 5)] == ["a2b", "a2b", "b2a", "b2a"]


# ---- captures of others

REAL = COLLECTION / "real"

#: Pairs of frames that are of one association, in the order a and b of it, though no address tells.
ONE = {
    "ctd5g_example_11k.pcapng": [(7056, 7065), (7229, 7231)],
    "open5gs_nonipsec_reg_reorder.pcapng": [(15, 21), (49, 45), (872, 873)],
    "osmoiuh_UPP_RANAP_dupframes.pcap": [(47, 535), (21, 23), (43, 349), (269, 345)],
}


@needs_collection
@pytest.mark.parametrize("name", ONE)
def test_halves_in_real_captures_are_one_association(name: str) -> None:
    found = rows_by_frame(REAL / name)
    for one, other in ONE[name]:
        assert found[one][0] == found[other][0]
        assert found[one][1] != found[other][1]


@needs_collection
def test_reports_in_the_other_half_prove_what_was_spurious() -> None:
    path = REAL / "ctd5g_example_11k.pcapng"
    verdicts = {r["frame"]: r["verdict"] for r in rows(path, "transmissions") if r["verdict"]}
    assert verdicts == {7064: Verdict.SPURIOUS, 7229: Verdict.SPURIOUS}
