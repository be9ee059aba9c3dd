# SPDX-License-Identifier: BSD-2-Clause
"""Which timeouts RACK-TLP would have come before, and what probes cost."""

from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.what_if.rack import WithRack
from sctp_rack.what_if.text import rack_lines

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED
from tests.what_if.test_queue import data


def rack_of(name: str) -> tuple[sctp_rack.Capture, WithRack]:
    """Of the data of a."""
    capture = sctp_rack.read(BUNDLED / name)
    found = capture.what_if(nr_sack=False, direction="a2b")
    assert found.nr_sack is None and found.rack is not None
    return capture, found.rack[0]


def test_a_lost_tail_waits_for_t3_where_a_probe_would_have_come() -> None:
    _, found = rack_of("usrsctp-tail-loss.sender.pcap")

    assert found.sender_has_rack == "no" and found.probes is None
    assert found.timeouts == found.needed_timeouts == found.by_probe == 5
    assert found.by_mark == found.saved_by_marks_ns == 0
    for one in found.instead:
        assert one.mark_lead_ns is None and one.needed
        assert one.probe_lead_ns is not None and 0 < one.probe_lead_ns < 1_000_000_000


def test_a_mark_comes_before_a_probe_and_is_what_the_analysis_counts() -> None:
    capture, found = rack_of("usrsctp-multihoming.sender.pcap")

    (marked,) = [one for one in found.instead if one.mark_lead_ns]
    assert marked.probe_lead_ns is None
    recovery = capture.summary.associations[0].a.recovery
    assert recovery is not None
    assert recovery.rack.saved.timeouts == found.by_mark
    assert recovery.rack.saved.total_ns == found.saved_by_marks_ns


def test_a_needless_timeout_is_not_one_that_rack_tlp_would_have_come_before() -> None:
    _, found = rack_of("usrsctp-delay-spike.sender.pcap")

    assert found.timeouts > found.needed_timeouts
    assert all(one.needed for one in found.instead)
    assert found.answered_timeouts == found.answered_by_probe == 0


ROUND_TRIP_MS = 20


def lost_sacks(folder: Path, answer_ms: int) -> WithRack:
    """Two messages whose round trip shows, and one whose SACK is lost and comes so long behind the
    timeout that sends it again."""
    talk = Talk()
    talk.handshake()
    for tsn in (1000, 1001):
        talk.say(A, B, data(tsn, tsn - 1000), later_us=0)
        talk.say(B, A, sctp.sack(tsn), later_us=ROUND_TRIP_MS * 1000)
    talk.say(A, B, data(1002, 2), later_us=0)
    talk.say(A, B, data(1002, 2), later_us=1_000_000)
    talk.say(B, A, sctp.sack(1002, dups=[1002]), later_us=answer_ms * 1000)
    found = sctp_rack.read(talk.write(folder)).what_if(nr_sack=False, direction="a2b").rack
    assert found is not None
    return found[0]


def test_a_timeout_that_brought_lost_feedback_is_one_before_which_a_probe_asks(
    tmp_path: Path,
) -> None:
    found = lost_sacks(tmp_path, ROUND_TRIP_MS + 1)

    assert (found.timeouts, found.needed_timeouts) == (1, 0)
    assert found.answered_timeouts == found.answered_by_probe == len(found.instead) == 1
    assert 0 < found.saved_by_answers_most_ns < 1_000_000_000
    lines = "\n".join(rack_lines(found))
    assert (
        "1 timeout that brought feedback that was lost; a probe was due before 1 of them" in lines
    )


@pytest.mark.parametrize("answer_ms", [ROUND_TRIP_MS // 4, 400])
def test_feedback_that_was_on_its_way_answers_no_timeout(tmp_path: Path, answer_ms: int) -> None:
    found = lost_sacks(tmp_path, answer_ms)

    assert (found.timeouts, found.answered_timeouts, found.instead) == (1, 0, [])


def test_probes_are_counted_with_what_they_did() -> None:
    capture, found = rack_of("pion-tail-loss.sender.pcap")

    assert found.sender_has_rack == "yes" and found.probes is not None
    rows = list(capture.table("probes"))
    assert found.probes.probes == len(rows) == sum(found.probes.outcomes.values())
    bytes_of = {row["frame"]: row["bytes"] for row in capture.transmissions if row["probe"]}
    assert found.probes.bytes == sum(bytes_of.values())
    assert found.probes.share_of_chunks == pytest.approx(len(rows) / len(capture.transmissions))
