# SPDX-License-Identifier: BSD-2-Clause
"""Captures that begin in the middle of an association: classes still mean what they say."""

from functools import cache
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.names import Started

from bench.accuracy.begun_later import begun_later
from bench.accuracy.measure import measure_begun_later, together
from bench.accuracy.tally import Tally
from bench.accuracy.truths import TAPS, runs_in
from tests.captures import BUNDLED

RUNS = {run.name: run for run in runs_in(BUNDLED)}


@cache
def measured() -> Tally:
    return together(measure_begun_later(BUNDLED))


#: Without a handshake no cause is surer than 3, and what is left open is no claim.
CLAIMED = {"verdict": (5, 4, 3), "cause": (3, 2), "outcome": (5, 4, 3, 2), "probe": (3, 2)}
PROMISED = {5: 1.0, 4: 0.97, 3: 0.85, 2: 0.60}


@pytest.mark.parametrize("what", CLAIMED)
def test_classes_keep_their_promise(what: str) -> None:
    shares = {of: share for (name, of), share in measured().calibration.items() if name == what}

    assert {of for of, share in shares.items() if share.of} - {1, None} == set(CLAIMED[what])
    for of in CLAIMED[what]:
        assert (shares[of].value or 0) >= PROMISED[of]


def test_the_tap_is_found_without_a_handshake() -> None:
    share = measured().shares["vantage"].value

    assert share is not None
    assert share >= 0.99


def test_what_is_said_to_be_spurious_is() -> None:
    assert measured().questions["spurious"].precision == 1


@pytest.mark.parametrize("tap", TAPS)
def test_every_reader_hands_on_hop_limits(tap: str, tmp_path: Path) -> None:
    """Setup: the capture has no handshake. Expectation: tshark's packets show the same paths."""
    run = begun_later(RUNS["usrsctp-nth-loss"], 0.5, tmp_path)
    own, tshark = (
        sctp_rack.read(run.capture(tap), reader=reader) for reader in ("native", "tshark")
    )

    assert own.associations[0].how_started == Started.MIDDLE
    assert [row["vantage"] for row in own.table("paths")] == [tap]
    assert list(own.table("paths")) == list(tshark.table("paths"))
    assert list(own.transmissions) == list(tshark.transmissions)
