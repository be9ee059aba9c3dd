# SPDX-License-Identifier: BSD-2-Clause
"""What the vectors say of causes, verdicts and outcomes, the judge says of captures of them."""

import json
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.binding.session import Session
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.reference.vector import DEFAULT_PATH

from tests.judged.vector_capture import VectorCapture

FOLDER = Path(__file__).parents[1] / "vectors"

#: Whose sender the example has, where that is not the first profile that replays it.
SENDER = {
    "T02": "rfc9260",
    "T45": "rfc9260",
    "T10": "rfc9260",
    "T12": "rfc9260",
    "T15": "rfc9260",
    "T17": "rfc8985",
    "T37": "pion",
}

#: What the judge says otherwise, and why.
ORDER = "the original was overtaken, where nothing else was: it counts as lost (docs/verdicts.md)"
OUTAGE = (
    "the receiver answers at once, and to no copy did: something was held up (S12), the first came"
)
EARLY = "acknowledged so early (S8, S9) it needs no other evidence"
OTHERWISE = {
    "P6": {"verdict": OUTAGE, "evidence": EARLY},
    "T10": {"evidence": EARLY},
    "T11": {"evidence": EARLY},
    "T22": {"cause_class": "the sender's profile is told: it tells the timers apart"},
    "T28": {"verdict": ORDER, "verdict_class": ORDER, "outcome": ORDER},
    "T37": {"cause": "no sender that is replayed has the robust rule"},
}

NOT_JUDGED = {
    "T05a": "nothing is sent again",
    "T40": "a capture that begins in the middle has no warm-up",
    "T42": "associations begin anew: tests/analyzer/test_associations.py",
    "T47": "no stack does early retransmit: such a resend is `fast` or `rack`, in class 2",
}

VECTORS = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))]
JUDGED = [
    vector
    for vector in VECTORS
    if vector["verdicts"]["transmissions"] and vector["id"] not in NOT_JUDGED
]


@pytest.mark.parametrize("vector", JUDGED, ids=lambda vector: vector["id"])
def test_the_judge_says_what_the_vector_says(tmp_path: Path, vector: dict[str, Any]) -> None:
    rows = _judged(tmp_path, vector)
    otherwise = OTHERWISE.get(vector["id"], {})
    for wanted in vector["verdicts"]["transmissions"]:
        [row] = [row for row in rows if _is(row, wanted)]
        for key in ("cause", "verdict", "outcome", "kind", "probe", "probe_class"):
            allowed = {wanted[name] for name in (key, f"{key}_may_be") if name in wanted}
            assert key not in wanted or key in otherwise or row[key] in allowed, (key, row)
        for key in ("cause_class", "verdict_class"):
            if key in wanted and key not in otherwise:
                assert wanted[key] - 1 <= row[key] <= wanted[key], (key, row)
            assert (row[key] or 0) <= wanted.get(f"{key}_at_most", 5), (key, row)
        if "evidence" not in otherwise:
            assert set(wanted.get("evidence", ())) <= set(row["evidence"]), row
        if row["cause_class"] and row["cause_class"] > 2 and "not_cause" in wanted:
            assert row["cause"] != wanted["not_cause"]


def _is(row: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return bool(row["tsn"] == wanted["tsn"] and row["copy"] == wanted["copy"])


def _judged(folder: Path, vector: dict[str, Any]) -> list[dict[str, Any]]:
    tap = vector.get("tap", {})
    profile = SENDER.get(vector["id"]) or (vector["runs"] or [{"profile": "rfc9260"}])[0]["profile"]
    runs = [run for run in vector["runs"] if run["profile"] == profile]
    delays = [run["parameters"].get("max_ack_delay") for run in runs if "parameters" in run]
    delay = next(iter(delays), None)
    paths = vector.get("paths", {DEFAULT_PATH: {}})
    reports = any(run.get("parameters", {}).get("reports_duplicates") != "no" for run in runs)
    path = VectorCapture(vector["events"], paths, reports or not runs).write(folder)
    session = Session(
        str(path),
        ["transmissions"],
        vantage=tap.get("vantage", "sender"),
        loop_ms=float(tap.get("loop_ms", 0)),
        profile=profile,
        max_ack_delay_ms=None if delay is None else float(delay),
    )
    rows = []
    for batch in session.batches():
        columns = columns_of("transmissions", batch)
        for values in zip(*columns.values(), strict=True):
            rows.append(dict(zip(columns, values, strict=True)))
    return rows


def test_a_packet_drop_is_known_as_soon_as_it_passes_the_senders_tap(tmp_path: Path) -> None:
    """Setup: 300 us lie between the PACKET-DROP chunk and what it makes the sender repeat; for the
    handshake its host took 1 ms. Expectation: the cause is told."""
    [vector] = [vector for vector in VECTORS if vector["id"] == "T39"]
    events = [
        {**event, "at": {"52": "50.3", "152": "150.3"}.get(event["at"], event["at"])}
        for event in vector["events"]
    ]
    path = VectorCapture(events, {DEFAULT_PATH: {}}, True).write(tmp_path)
    rows = sctp_rack.read(path).table("transmissions")
    [again] = [row for row in rows if (row["tsn"], row["copy"]) == (12, 2)]

    assert (again["cause"], again["cause_class"]) == ("packet_drop", 5)
    assert (again["verdict"], again["trigger_frame"]) == ("needed", again["frame"] - 1)


def test_a_probe_with_new_data_is_told(tmp_path: Path) -> None:
    """Setup: nothing is told but the sender; its loop is that of its handshake. Expectation: the
    probe is in its table, and in the story of its TSN."""
    [vector] = [vector for vector in VECTORS if vector["id"] == "T20"]
    path = VectorCapture(vector["events"], {DEFAULT_PATH: {}}, True).write(tmp_path)
    capture = sctp_rack.read(path, profile="rfc8985")
    [probe] = capture.table("probes")

    assert (probe["tsn"], probe["kind"], probe["class"]) == (3, "new_data", 3)
    assert probe["outcome"] == "tail_loss_revealed"
    story = capture.explain(tsn=3)
    assert "new data as a tail loss probe" in str(story)


def test_a_burst_at_that_time_is_no_probe(tmp_path: Path) -> None:
    """Setup: two and three packets with new data where T20 has one. Expectation: the application
    wrote them."""
    [vector] = [vector for vector in VECTORS if vector["id"] == "T20"]
    before, after = vector["events"][:3], vector["events"][3:]
    for more in (1, 2):
        burst = [{"at": f"200.{1 + number}", "send": [3 + number]} for number in range(1, 1 + more)]
        path = VectorCapture([*before, *burst, *after], {DEFAULT_PATH: {}}, True).write(tmp_path)

        assert list(sctp_rack.read(path, profile="rfc8985").table("probes")) == []
