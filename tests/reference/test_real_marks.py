# SPDX-License-Identifier: BSD-2-Clause
"""The reference beside real stacks: the instants at which pion and usrsctp marked a TSN lost."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.names import Kind, Profile, RttTag, SackKind
from sctp_rack.reference.crossing import in_the_senders_order
from sctp_rack.reference.events import (
    DataChunk,
    Event,
    Feedback,
    ForwardTsn,
    Mark,
    RttMeasurement,
    Transmission,
)
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import PROFILES
from sctp_rack.reference.tsn import Tsn
from sctp_rack.reference.vector import feed

from tests.builder.talk import rows
from tests.captures import COLLECTION

MS = 1_000_000
TICK_MS = 10
#: The triggers of which a stack's log tells: pion's fast retransmissions are not marks there.
TRIGGERS = {"pion": ("ack", "timer"), "usrsctp": ("miss3", "rto")}

#: Marks of the stack that are found, missed, and marks of the model that the stack did not make.
EXPECTED = {
    # Two of its packets left within the host's delay of a deadline.
    "pion_host": (34, 0, 2),
    "pion_rack_bulk": (21, 0, 0),
    "pion_reorder": (78, 0, 0),
    "pion_spike": (73, 0, 0),
    "pion_tlp": (13, 0, 0),
    "usr_bidir": (8, 0, 0),
    "usr_bulk_iid": (10, 0, 0),
    "usr_ge_nrsack": (30, 0, 0),
    "usr_host": (9, 0, 0),
    "usr_host_tail": (31, 0, 0),
    "usr_idata_pr": (38, 0, 0),
    "usr_reorder": (14, 0, 0),
    "usr_spike": (162, 0, 0),
    "usr_tail": (33, 0, 0),
    "usr_zero_window": (7, 0, 0),
}


def _blocks(pairs: list[list[int]]) -> tuple[tuple[Tsn, Tsn], ...]:
    return tuple((Tsn(first), Tsn(last)) for first, last in pairs)


def _packets(capture: Path, direction: str) -> Iterator[Transmission]:
    packets: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows(capture, "transmissions"):
        repeated = row["kind"] in (Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE)
        if row["dir"] == direction and not repeated:
            packets[row["frame"]].append(row)
    for frame, chunks in packets.items():
        data = tuple(DataChunk(Tsn(c["tsn"]), c["bytes"], bool(c["flags"] & 8)) for c in chunks)
        yield Transmission(frame, chunks[0]["time_ns"], "p", data)


def _feedback(capture: Path, direction: str) -> Iterator[Feedback]:
    for row in rows(capture, "sacks"):
        if row["dir"] == direction:
            yield Feedback(
                row["frame"],
                row["time_ns"],
                Tsn(row["cum_tsn"]),
                _blocks(row["gaps"]),
                _blocks(row["nr_gaps"]),
                tuple(Tsn(tsn) for tsn in row["dups"]),
                row["a_rwnd"],
                SackKind(row["kind"]),
            )


def _control(capture: Path, source: str, stack: str) -> Iterator[ForwardTsn | RttMeasurement]:
    """What the other chunks tell: FORWARD-TSN, handshake and HEARTBEAT round trips."""
    asked: dict[str, int] = {}
    answers = {"INIT ACK": "INIT", "COOKIE ACK": "COOKIE ECHO", "HEARTBEAT ACK": "HEARTBEAT"}
    for row in rows(capture, "chunks"):
        name, mine, at_ns = row["name"], row["path"].split(">")[0] == source, row["time_ns"]
        if mine and "FORWARD-TSN" in name:
            yield ForwardTsn(row["frame"], at_ns, Tsn(row["value"]["new_cum_tsn"]))
        elif mine and name in (*answers.values(), "INIT ACK"):
            asked.setdefault(name, at_ns)
        elif not mine and (name in answers or name == "COOKIE ECHO"):
            since_ns = asked.pop(answers.get(name, "INIT ACK"), None)
            heartbeat = name == "HEARTBEAT ACK"
            # pion times a HEARTBEAT that carries eight bytes of time, and no others.
            if since_ns is None or (heartbeat and stack == "pion" and row["length"] != 16):
                continue
            tag = RttTag.HEARTBEAT if heartbeat else RttTag.HANDSHAKE
            yield RttMeasurement(at_ns, "p", at_ns - since_ns, tag)


def _replayed(capture: Path, direction: str, stack: str) -> list[Mark]:
    packets = list(_packets(capture, direction))
    (source,) = {
        row["path"].split(">")[0]
        for row in rows(capture, "transmissions")
        if row["dir"] == direction
    }
    events: list[Event] = [*packets, *_feedback(capture, direction)]
    events.sort(key=lambda event: (event.time_ns, getattr(event, "frame", 0)))
    events += _control(capture, source, stack)
    events.sort(key=lambda event: event.time_ns)
    model = RecoveryModel(PROFILES[Profile(stack)]())
    now_ns = 0
    for event in in_the_senders_order(events):
        now_ns = max(now_ns, event.time_ns)
        feed(model, replace(event, time_ns=now_ns))
    model.time_passed(now_ns + 5000 * MS)
    withdrawn = set(model.withdrawn)
    return [mark for mark in model.take_marks() if (mark.tsn, mark.copy) not in withdrawn]


def _compared(truth: dict[str, Any], direction: str, marks: list[Mark]) -> tuple[int, int, int]:
    """Return how many marks were found and missed, and how many there are too many."""
    stack, triggers = truth["stack"], TRIGGERS[truth["stack"]]
    slack_ns = MS + truth["scenario"].get("host_jitter_us", 0) * 1000
    slack_ns += truth["capture_options"].get("clock_ns", 0)
    offset_ns = truth["clock_offset_ns"].get("sender", 0)
    free = [mark for mark in marks if mark.trigger in triggers]
    found = missed = 0
    for real in truth["stack_marks"]:
        if real["dir"] != direction or real["trigger"] not in triggers:
            continue
        early_ns = TICK_MS * MS if real["trigger"] == "rto" else 0
        near = [
            mark
            for mark in free
            if mark.tsn == Tsn(real["tsn"])
            and abs(mark.time_ns - real["t_ns"] - offset_ns) <= slack_ns + early_ns
            and (stack == "pion" or mark.trigger == real["trigger"])
        ]
        found, missed = found + bool(near), missed + (not near)
        if near:
            free.remove(near[0])
    return found, missed, len(free)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_stack_marked_what_its_profile_marks_when_it_does(name: str) -> None:
    path = COLLECTION / "truth" / f"{name}.truth.json"
    if not path.is_file():
        pytest.skip("the captures with ground truth are not present beside the project")
    truth = json.loads(path.read_text())
    direction = "a2b" if truth["tap_at"]["sender"] == "a" else "b2a"
    capture = path.parent / truth["captures"]["sender"]
    marks = _replayed(capture, direction, truth["stack"])

    assert _compared(truth, direction, marks) == EXPECTED[name]
