# SPDX-License-Identifier: BSD-2-Clause
"""When RACK-TLP would have known, against the sender of a capture; and how that reads."""

from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.recovery.direction import Rack
from sctp_rack.recovery.hindsight import Saved
from sctp_rack.report.probes_due import probes_due
from sctp_rack.report.versus import Known, Versus, versus
from sctp_rack.report.versus_text import hindsight, sentences

from tests.captures import BUNDLED
from tests.comparison.exchange import MS, data, direction, sack


def of(name: str, way: str = "a2b") -> Versus:
    capture = sctp_rack.read(BUNDLED / name)
    found = versus(getattr(capture.associations[0], way))
    assert found
    return found


def test_timeouts_of_a_lost_tail_come_after_a_probe_would_have() -> None:
    one = of("usrsctp-tail-loss.sender.pcap")

    (known,) = one.known
    assert (known.needed, known.by_probe, known.untold) == (10, 10, 0)
    assert 900 * MS < (known.probe_median_ns or 0) < 1100 * MS
    assert (one.probes_due, one.probes) == (10, 0)


def test_fast_retransmits_are_known_earlier_or_at_the_same_time() -> None:
    one = of("usr_ge_nrsack.sender.pcapng")

    (known,) = one.known
    assert (known.needed, known.earlier, known.alike) == (21, 7, 14)
    assert (one.spurious, one.rack.avoided) == (9, 9)


@pytest.mark.parametrize("path", sorted(BUNDLED.glob("*.pcap*")), ids=lambda path: path.name)
def test_every_needed_one_is_counted_once(path: Path) -> None:
    for association in sctp_rack.read(path).associations:
        for way in association.directions:
            if one := versus(way):
                judged = way.transmissions.where(kind="retransmission", verdict="needed")
                assert sum(known.needed for known in one.known) == len(judged)
                assert list(sentences(one)) or not (one.needed or one.spurious)


def test_a_probe_is_due_after_two_round_trips_of_silence(tmp_path: Path) -> None:
    frames = [(100.0 * step, who, make(10 + 2 * step)) for step in range(5) for who, make in STEP]
    frames = [(at + (40 if who == "b" else 0), who, chunk) for at, who, chunk in frames]
    quiet = direction(tmp_path, frames)
    assert len(probes_due(quiet)) == 0

    tail = [(1000.0, "a", data(20)), (1001.0, "a", data(21)), (2001.0, "a", data(20))]
    (due,) = probes_due(direction(tmp_path, [*frames, *tail, (2041.0, "b", sack(21))])).tolist()
    sent = sctp_rack.read(tmp_path / "talk.pcapng").transmissions.where(tsn=21)["time_ns"][0]
    assert due - sent == pytest.approx(80 * MS, abs=2 * MS)


STEP = (("a", data), ("a", lambda tsn: data(tsn + 1)), ("b", lambda tsn: sack(tsn + 1)))


def made(known: list[Known], spurious: int = 0, avoided: int = 0) -> Versus:
    rack = Rack(marks=5, false_marks=0, avoided=avoided, saved=Saved(0, 0, 0))
    return Versus(known, sum(one.needed for one in known), spurious, rack, 0, 0)


def test_sentences_say_how_many_and_when() -> None:
    fast = Known("by fast retransmit", 5, 2, 3 * MS, 9 * MS, 0, None, 2, 1)
    slow = Known("by timeouts", 3, 0, None, None, 2, 800 * MS, 0, 0)

    assert list(sentences(made([fast, slow], 4, 1))) == [
        "Of the 8 needed RACK-TLP would have known of 2 earlier, by 9.0 ms at most; of 2 earlier "
        "by a tail loss probe, by about 800 ms; of 2 at the same time; of 1 later; and of 1 by its "
        "own timeout only.",
        "Of the 4 spurious ones it would not have sent 1.",
    ]
    same = made([Known("by RACK", 1, 0, None, None, 0, None, 1, 0)])
    assert list(sentences(same)) == [
        "RACK-TLP would have known of the one needed at the same time."
    ]
    assert hindsight([same]) == ""
    assert hindsight([same, made([fast])]).startswith("Of the 5 needed")
