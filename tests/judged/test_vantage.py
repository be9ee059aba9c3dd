# SPDX-License-Identifier: BSD-2-Clause
"""What is seen at the receiver's tap has arrived: as sure as it is that the tap is there."""

from pathlib import Path

import pytest

from tests.builder import layers, sctp
from tests.builder.talk import A, B, End, Row, Talk, rows

FIRST = 1000


def _talk(limits: dict[str, int], away_us: int = 200) -> Talk:
    """Close to B by the times; a TSN is sent again after a second, and its only answer is late."""

    def carrier(packet: bytes, source: End, to: End, ident: int) -> bytes:
        frame = layers.ipv4(layers.SCTP, packet, ident=ident, src=source.address, dst=to.address)
        return frame[:8] + bytes([limits["a" if source == A else "b"]]) + frame[9:]

    talk = Talk(carrier)
    talk.handshake_at_sender(away_us=away_us, host_us=100 * away_us)
    for i in range(8):
        talk.say(A, B, sctp.data(FIRST + i), later_us=100 * away_us)
        talk.say(B, A, sctp.sack(FIRST + i), later_us=away_us)
    for _ in range(2):
        talk.say(A, B, sctp.data(FIRST + 8), later_us=500_000)  # its answer may be held back
    talk.say(B, A, sctp.sack(FIRST + 8), later_us=away_us)
    return talk


def _judged(path: Path) -> tuple[Row, Row]:
    (place,) = (row for row in rows(path, "paths") if row["dir"] == "a2b")
    (again,) = (row for row in rows(path, "transmissions") if row["copy"] == 2)
    return place, again


@pytest.mark.parametrize(
    ("limits", "sure"),
    [
        pytest.param({"a": 61, "b": 64}, 5, id="hop limits say the same"),
        pytest.param({"a": 64, "b": 64}, 4, id="hop limits say nothing"),
        pytest.param({"a": 63, "b": 63}, 3, id="hop limits say that it is in between"),
    ],
)
def test_a_verdict_is_as_sure_as_the_place_of_the_tap(
    limits: dict[str, int], sure: int, tmp_path: Path
) -> None:
    place, again = _judged(_talk(limits).write(tmp_path))

    assert (place["vantage"], place["vantage_class"]) == ("receiver", sure)
    assert (again["verdict"], again["evidence"][0]) == ("spurious", "S1")
    assert (again["verdict_class"], again["outcome_class"]) == (sure, sure)


@pytest.mark.parametrize(("away_us", "sure"), [(900, 5), (1100, 4)])
def test_what_takes_longer_than_a_host_may_have_a_bridge_between(
    away_us: int, sure: int, tmp_path: Path
) -> None:
    """A wireless network behind the tap has no router, and loses what passed it."""
    place, again = _judged(_talk({"a": 61, "b": 64}, away_us).write(tmp_path))

    assert (place["vantage"], place["vantage_class"]) == ("receiver", sure)
    assert (again["verdict"], again["verdict_class"]) == ("spurious", sure)
