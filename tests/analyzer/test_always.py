# SPDX-License-Identifier: BSD-2-Clause
"""What always holds of the tables holds of random talks, of hostile ones, and of every capture."""

import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.always import broken
from tests.analyzer.test_bookkeeping_properties import Said, blocks, talks
from tests.analyzer.test_judging_properties import capture_of, rows_of_talk
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import any_capture, collection, name_of
from tests.readers.rows import rows_of

FORWARD_TSN = 192
FIRST = 1000

#: Near each other; beyond what one SACK, a scoreboard and a ledger reach; in the other half.
offsets = st.one_of(
    st.integers(0, 12),
    st.integers(0, 12),
    st.integers(0, 12),
    st.sampled_from([-300, 100, 1_100, 5_000, 8_300, 66_000, 70_000, 132_000, 300_000, 2**31 + 5]),
)
tsns = st.builds(lambda offset: (FIRST + offset) % 2**32, offsets)
few_tsns = st.lists(tsns, max_size=2)


def forward_tsn(cum: int) -> bytes:
    """RFC 3758 section 3.2."""
    return sctp.chunk(FORWARD_TSN, 0, struct.pack(">I", cum))


chunks = st.one_of(
    st.builds(sctp.data, tsns),
    st.builds(sctp.data, tsns),
    st.builds(sctp.data, tsns),
    st.builds(sctp.sack, tsns, blocks, few_tsns),
    st.builds(sctp.sack, tsns, blocks, few_tsns),
    st.builds(sctp.nr_sack, tsns, blocks, blocks, few_tsns),
    st.builds(forward_tsn, tsns),
    st.builds(sctp.tsn_reset_request, st.integers(0, 1)),
    st.builds(sctp.tsn_reset_response, st.integers(0, 1), tsns, tsns),
    st.builds(lambda tsn: sctp.packet_drop(sctp.packet(sctp.data(tsn))), tsns),
)
packets = st.fixed_dictionaries(
    {
        "from_a": st.sampled_from([True, True, False]),
        "chunks": st.lists(chunks, min_size=1, max_size=3),
        "ident": st.integers(0, 2),
        "later_us": st.sampled_from([0, 0, 10, 999, 50_000, 1_100_000, -2_000]),
        "checksum": st.sampled_from([sctp.crc32c] * 7 + [sctp.wrong]),
    }
)


@st.composite
def hostile(draw: st.DrawFn) -> Talk:
    """Chunks that no stack would send, in any order, with or without a handshake."""
    talk = Talk()
    if draw(st.booleans()):
        talk.handshake()
    for packet in draw(st.lists(packets, max_size=40)):
        said: dict[str, Any] = dict(packet)
        source, to = (A, B) if said.pop("from_a") else (B, A)
        talk.say(source, to, *said.pop("chunks"), **said)
    return talk


@given(talks)
@settings(max_examples=100, deadline=None)
def test_it_holds_of_random_talks(talk: list[Said]) -> None:
    assert broken(rows_of_talk(capture_of(talk, FIRST))) == []


@given(hostile())
@settings(max_examples=200, deadline=None)
def test_it_holds_of_hostile_talks(talk: Talk) -> None:
    assert broken(rows_of_talk(talk)) == []


def _known() -> list[Any]:
    long = [
        pytest.param(path, marks=pytest.mark.long)
        for folder in ("real", "truth")
        for path in collection(folder)
    ]
    return [*any_capture(), *long]


@pytest.mark.parametrize("path", _known(), ids=name_of)
def test_it_holds_of_every_capture(path: Path) -> None:
    assert broken(rows_of(path)) == []
