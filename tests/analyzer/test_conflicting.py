# SPDX-License-Identifier: BSD-2-Clause
"""One TSN with different user data, as in traces that were made of log lines: nothing was sent
again there."""

import struct
from pathlib import Path

import pytest
from sctp_rack.findings.find import find
from sctp_rack.names import Finding, Kind

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows, summary
from tests.captures import BUNDLED, collection, needs_collection


def kinds(path: Path) -> list[str]:
    return [row["kind"] for row in rows(path, "transmissions")]


def data(
    tsn: int,
    payload: bytes,
    sid: int = 1,
    ssn: int = 2,
    ppid: int = 51,
    flags: int = 3,
    kind: int = sctp.DATA,
) -> bytes:
    return sctp.chunk(kind, flags, struct.pack(">IHHI", tsn, sid, ssn, ppid) + payload)


SAME = data(7, b"payload!")


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(data(7, b"payload?"), id="bytes"),
        pytest.param(data(7, b"payload"), id="length"),
        pytest.param(data(7, b"payload!", sid=2), id="stream"),
        pytest.param(data(7, b"payload!", ssn=3), id="SSN"),
        pytest.param(data(7, b"payload!", ppid=52), id="PPID"),
        pytest.param(data(7, b"payload!", flags=2), id="fragment"),
        pytest.param(data(7, b"payload!", flags=7), id="order"),
        pytest.param(sctp.i_data(7, b"pay!"), id="I-DATA"),
    ],
)
def test_a_chunk_that_differs_is_no_copy(other: bytes, tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, SAME)
    talk.say(A, B, other, later_us=1_000_000)
    talk.say(A, B, SAME, later_us=1_000_000)  # of which, nobody can tell
    (first, second, third) = rows(talk.write(tmp_path), "transmissions")
    assert [row["kind"] for row in (first, second, third)] == [
        Kind.ORIGINAL,
        Kind.CONFLICTING,
        Kind.CONFLICTING,
    ]
    assert (second["copy"], second["prev_frame"], second["verdict"]) == (1, None, None)
    assert second["outcome"] == "unresolved"


def test_a_copy_may_ask_for_its_sack_at_once(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, SAME)
    talk.say(A, B, data(7, b"payload!", flags=0x0B), later_us=1_000_000)
    assert kinds(talk.write(tmp_path)) == [Kind.ORIGINAL, Kind.RETRANSMISSION]


def test_what_was_taken_for_copies_before_the_first_other_chunk_is_none(tmp_path: Path) -> None:
    talk = Talk()
    for payload in (b"one line", b"one line", b"another."):
        talk.say(A, B, data(0, payload), vtag=0, later_us=1_000_000)
    assert kinds(talk.write(tmp_path)) == [Kind.ORIGINAL, Kind.CONFLICTING, Kind.CONFLICTING]


def test_a_packet_with_a_wrong_checksum_may_hold_anything(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, data(6, b"a right one"))
    talk.say(A, B, data(7, b"payl#ad!"), checksum=sctp.wrong)
    talk.say(A, B, SAME, later_us=1_000_000)
    assert kinds(talk.write(tmp_path)) == [Kind.ORIGINAL, Kind.ORIGINAL, Kind.RETRANSMISSION]


def test_a_log_in_which_every_tag_and_tsn_is_zero_has_a_finding_and_no_retransmission(
    tmp_path: Path,
) -> None:
    talk = Talk()
    for i in range(50):
        source, to = ((A, B), (B, A))[i % 2]
        talk.say(source, to, data(0, b"line %d" % i, ssn=0), vtag=0, ident=1, later_us=1_000_000)
    path = talk.write(tmp_path)
    assert kinds(path).count(Kind.CONFLICTING) == 48
    assert Kind.RETRANSMISSION not in kinds(path)
    told = summary(path)
    assert [one.a.data.tsns for one in told.associations if one.a.data] == [1]
    codes = [finding.code for finding in find(told)]
    assert codes.count(Finding.CONFLICTING_TSNS) == 2
    assert Finding.UNSEEN_TSNS not in codes


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.name) for path in sorted(BUNDLED.glob("*.pcap*"))[:6]]
)
def test_no_stack_sends_another_chunk_under_a_tsn(path: Path) -> None:
    assert Kind.CONFLICTING not in kinds(path)


@needs_collection
def test_in_captures_of_stacks_nothing_conflicts() -> None:
    found = {path.name: kinds(path).count(Kind.CONFLICTING) for path in collection("truth")}
    assert not {name: count for name, count in found.items() if count}
