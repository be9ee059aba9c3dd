# SPDX-License-Identifier: BSD-2-Clause
"""Whether a chunk is an original, a retransmission or a duplicate, against the truth of captures of
real stacks: always right at the sender's tap; elsewhere never wrong where it says so."""

import json
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.readers.choose import open_reader

from tests.captures import BUNDLED, COLLECTION, needs_collection

Chunk = tuple[int, int]


def kinds_of(capture: Path, keylog: str | None) -> dict[Chunk, str]:
    keys = str(capture.with_name(keylog)) if keylog else None
    source = open_reader(str(capture), keylog=keys)
    session = Session(str(capture), ["transmissions"], source=source, keylog=keys)
    kinds: dict[Chunk, str] = {}
    for batch in session.batches():
        rows = columns_of("transmissions", batch)
        for frame, tsn, kind in zip(rows["frame"], rows["tsn"], rows["kind"], strict=True):
            kinds[frame, tsn] = "original" if kind == "reordered" else kind
    return kinds


def truth_of(path: Path, tap: str) -> dict[Chunk, str]:
    truth = json.loads(path.read_text())
    kinds = {
        (sent["frames"][tap], sent["tsn"]): (
            "retransmission" if sent["retransmission"] else "original"
        )
        for sent in truth["transmissions"]
        if sent["frames"].get(tap)
    }
    for kind in ("network_duplicate", "capture_duplicate"):
        for one in truth.get(f"{kind}s", []):
            if one["frames"].get(tap):
                kinds[one["frames"][tap], one["tsn"]] = kind
    return kinds


def check(path: Path) -> None:
    told = json.loads(path.read_text())
    captures = told["captures"]
    assert "sender" in captures
    for tap, capture in captures.items():
        ours, truth = (
            kinds_of(path.with_name(Path(capture).name), told.get("keylog")),
            truth_of(path, tap),
        )

        assert ours.keys() == truth.keys()
        wrong = {chunk: kind for chunk, kind in ours.items() if truth[chunk] != kind}
        # A lost tail that is sent again leaves no gap at a tap that never saw it the first time.
        assert all(
            (kind, truth[chunk]) == ("original", "retransmission") for chunk, kind in wrong.items()
        )
        assert tap != "sender" or not wrong


def test_kinds_of_the_bundled_capture_are_right_at_every_tap() -> None:
    check(BUNDLED / "usr_ge_nrsack.truth.json")


@needs_collection
@pytest.mark.parametrize(
    "path", sorted((COLLECTION / "truth").glob("*.truth.json")), ids=lambda path: path.name
)
def test_kinds_are_right_at_the_sender_and_never_a_false_alarm_elsewhere(path: Path) -> None:
    check(path)
