# SPDX-License-Identifier: BSD-2-Clause
"""The truth of the committed samples agrees with what tshark sees in their captures."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sctp_rack

from bench.accuracy.truths import Run, runs_in
from sample_pcaps.generate import truth
from sample_pcaps.generate.check.seen import Acknowledged, Capture, Frame, frames_of
from sample_pcaps.generate.run import TAPS
from tests.captures import BUNDLED, IN_DTLS

#: The samples are committed: neither changes with the code.
pytestmark = pytest.mark.long

#: In clear; tshark 4.0 finds no SCTP inside DTLS: tests/readers/test_dtls_sample.py looks there.
TRUTHS = sorted(
    path for path in BUNDLED.glob("*.truth.ndjson") if not path.name.startswith(IN_DTLS)
)
each_sample = pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.name.split(".")[0])

#: dcSCTP lists no more gaps (MAX_GAP_ACK_BLOCKS_REPORTED): what is above it leaves out.
MOST_BLOCKS_OF_DCSCTP = 20

Document = dict[str, Any]

FATES = (
    *("delivered", "discarded", "in_flight"),
    *("dropped_before_middle", "dropped_after_middle"),
)

#: TSNs that an acknowledgement leaves out though they had arrived: usrsctp 0.9.5.0 counts one TSN
#: too few where its map spans TSN 0 (sctp_send_sack), and so forgets the newest at a byte's end.
LEFT_OUT_BY_THE_STACK = {("usrsctp-tsn-wrap", 6)}


@cache
def document_of(path: Path) -> Document:
    return truth.read(path)


@cache
def seen_at(path: Path, tap: str) -> list[Frame]:
    return frames_of(Capture(path.with_name(document_of(path)["captures"][tap])))


@each_sample
def test_a_frame_holds_its_tsn_and_no_frame_holds_another(path: Path) -> None:
    document = document_of(path)
    for tap in TAPS:
        told = Counter(
            (record["frames"][tap], record["tsn"])
            for kind in ("transmissions", "network_duplicates", "capture_duplicates")
            for record in document[kind]
            if record["frames"].get(tap) is not None
        )
        seen = Counter((frame.number, tsn) for frame in seen_at(path, tap) for tsn in frame.tsns)

        assert told == seen, tap


@pytest.mark.parametrize("tap", TAPS)
@pytest.mark.parametrize("run", [*runs_in(BUNDLED)], ids=lambda run: run.name)
def test_every_row_of_every_tap_is_in_the_truth_once(run: Run, tap: str) -> None:
    """Of all samples, inside DTLS and in the older form of the truth file, too."""
    capture = sctp_rack.read(run.capture(tap), tables=["transmissions"], keylog=run.keylog)
    rows = Counter((row["frame"], row["tsn"]) for row in capture.transmissions)
    records = [*run.document["transmissions"], *(record for record, _ in run.repeated)]
    told = Counter(
        (record["frames"][tap], record["tsn"]) for record in records if record["frames"].get(tap)
    )

    assert rows == told and set(rows.values()) == {1}


@each_sample
def test_truth_has_an_answer_to_all_that_a_row_says(path: Path) -> None:
    document = document_of(path)
    for record in document["transmissions"]:
        seen = {tap for tap in TAPS if record["frames"][tap] is not None}
        kind = record.get("knowable_kind", dict.fromkeys(TAPS))

        assert record["fate"] in FATES and set(record["knowable_outcome"]) == set(TAPS)
        assert {tap for tap in TAPS if kind[tap] is not None} == (
            seen if record["retransmission"] else set()
        )
        for tap in seen if record["retransmission"] else ():
            assert kind[tap] or record["knowable"][tap] is False
    for record in document["network_duplicates"]:
        assert record["fate"] in FATES


@each_sample
def test_what_was_dropped_is_absent_and_what_arrived_is_there(path: Path) -> None:
    document = document_of(path)
    for record in document["transmissions"]:
        captured = record.get("captured", dict.fromkeys(TAPS, True))
        own, other = (
            ("sender", "receiver") if _is_main(document, record) else ("receiver", "sender")
        )
        here = {tap: record["frames"][tap] is not None or not captured[tap] for tap in TAPS}

        assert here[own]
        assert here[other] == (record["arrive_ns"] is not None) or not captured[other]
        assert (record["arrive_ns"] is None) == (
            record["fate"] in ("dropped_before_middle", "dropped_after_middle", "in_flight")
        )
        if record["fate"] == "dropped_before_middle":
            assert record["frames"]["middle"] is None
        if record["fate"] == "dropped_after_middle":
            assert here["middle"]


@each_sample
def test_acknowledgements_of_the_receiver_agree_with_the_fate(path: Path) -> None:
    """At the tap of the host that gets it, a TSN is acknowledged after its first accepted copy and
    not before. A host that takes its time may send an older acknowledgement in between."""
    document = document_of(path)
    slack_ns = 2000 * document["scenario"]["host_jitter_us"]
    for way, source in (("a2b", "b"), ("b2a", "a")):
        tap = next(tap for tap, host in document["tap_at"].items() if host == source)
        offset_ns = document["clock_offset_ns"].get(tap, 0)
        addresses = _addresses(path, source)
        said = [
            (frame.number, frame.time_ns - offset_ns, frame.acknowledged)
            for frame in seen_at(path, tap)
            if frame.source in addresses and frame.acknowledged is not None
        ]
        for record in _first_accepted(document, way):
            tsn, frame, arrived_ns = record["tsn"], record["frames"][tap], record["arrive_ns"]
            if frame is None:
                continue  # this tap missed it
            before = [ack for number, _, ack in said if number < frame]
            after = [
                ack for number, at, ack in said if number > frame and at >= arrived_ns + slack_ns
            ]

            assert not any(ack.covers(tsn) for ack in before), (way, tsn)
            if (document["name"], tsn) in LEFT_OUT_BY_THE_STACK:
                after = after[1:]
            assert all(ack.covers(tsn) or _is_full(document, ack) for ack in after), (way, tsn)
            assert after or slack_ns, (way, tsn)


def _is_full(document: Document, acknowledged: Acknowledged) -> bool:
    stacks = document["stack"], document.get("receiver_stack")
    return "dcsctp" in stacks and len(acknowledged.blocks) == MOST_BLOCKS_OF_DCSCTP


@each_sample
def test_a_duplicate_is_reported_only_where_copies_arrived(path: Path) -> None:
    document = document_of(path)
    reports = Counter(
        (frame.source, tsn)
        for tap in ("sender", "receiver")
        for frame in seen_at(path, tap)
        if frame.duplicates and document["tap_at"][tap] == _host(path, frame.source)
        for tsn in frame.duplicates
    )
    arrived = Counter(
        ("b" if record["dir"] == "a2b" else "a", record["tsn"])
        for record in document["transmissions"]
        if record["fate"] == "delivered"
    ) + Counter(
        ("b" if record["dir"] == "a2b" else "a", record["tsn"])
        for record in document["network_duplicates"]
    )
    for (source, tsn), count in reports.items():
        repeated = 1 + bool(document["capture_options"].get("capture_dup"))  # the tap's own doing
        assert count <= repeated * (arrived[_host(path, source), tsn] - 1)


@each_sample
def test_a_retransmission_is_spurious_when_an_earlier_copy_was_accepted(path: Path) -> None:
    accepted: set[tuple[str, int]] = set()
    in_flight: set[tuple[str, int]] = set()
    for record in document_of(path)["transmissions"]:
        who = record["dir"], record["tsn"]
        assert record["retransmission"] == (record["copy"] > 1)
        assert record["spurious"] == (
            None if not record["retransmission"] or who in in_flight else who in accepted
        )
        if record["fate"] == "delivered":
            accepted.add(who)
        if record["fate"] == "in_flight":
            in_flight.add(who)


def _first_accepted(document: Document, way: str) -> list[Document]:
    first: dict[int, Document] = {}
    for record in document["transmissions"]:
        if record["dir"] == way and record["fate"] == "delivered":
            earlier = first.setdefault(record["tsn"], record)
            if record["arrive_ns"] < earlier["arrive_ns"]:
                first[record["tsn"]] = record
    return list(first.values())


@each_sample
def test_packets_take_the_path_that_is_told(path: Path) -> None:
    document = document_of(path)
    for tap in TAPS:
        ends = {frame.number: f"{frame.source}>{frame.destination}" for frame in seen_at(path, tap)}
        for record in document["transmissions"]:
            if "path" in record and record["frames"][tap] is not None:
                assert ends[record["frames"][tap]] == record["path"]


def _addresses(path: Path, host: str) -> list[str]:
    """Where they are not told each host has one: the first frame at the tap of a is its INIT."""
    told: dict[str, list[str]] | None = document_of(path).get("addresses")
    if told is not None:
        return told[host]
    taps = {at: tap for tap, at in document_of(path)["tap_at"].items()}
    sources = [frame.source for frame in seen_at(path, taps["a"])]
    return [sources[0] if host == "a" else next(s for s in sources if s != sources[0])]


def _host(path: Path, address: str) -> str:
    return "a" if address in _addresses(path, "a") else "b"


def _is_main(document: Document, record: Document) -> bool:
    return bool(document["tap_at"]["sender"] == record["dir"][0])
