# SPDX-License-Identifier: BSD-2-Clause
"""Findings on loss and recovery: from rows by hand, and on the samples."""

import json
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.findings.verdicts import verdict_findings
from sctp_rack.recovery import retransmissions
from sctp_rack.recovery.direction import recovery
from sctp_rack.recovery.round_trips import RoundTrips

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called
from tests.story.rows import MS, again, marked, row_of, tally_of

PATH: dict[str, Any] = row_of(
    "paths", path="a>b", vantage="sender", min_rtt_ns=40 * MS, srtt_ns=42 * MS
)


def found(
    *rows: dict[str, Any],
    marks: tuple[dict[str, Any], ...] = (),
    delayed_ns: int = 240 * MS,
    **path: Any,
) -> list[CaptureFinding]:
    paths = [{**PATH, **path}]
    rtts = {"delayed": RoundTrips([delayed_ns]), "gap": RoundTrips([40 * MS])}
    tally = tally_of(rows, marks, rtts, paths)
    return verdict_findings(0, "a2b", recovery(tally), tally)


def resent(
    frame: int, tsn: int, cause: str, verdict: str, at_ms: float, before_ms: float, **values: Any
) -> dict[str, Any]:
    row = again(frame, tsn, cause, verdict, at_ms, bytes=100, **values)
    return {**row, "waited_ns": int((at_ms - before_ms) * MS)}


def only(findings: list[CaptureFinding]) -> CaptureFinding:
    (finding,) = findings
    return finding


def test_a_storm_names_its_timeout_and_what_it_wasted() -> None:
    storm = only(
        found(
            resent(20, 1, "t3", "needed", 2000, 1000),
            resent(21, 2, "t3_gbn", "spurious", 2001, 1001),
            resent(22, 3, "t3_gbn", "spurious", 2002, 1980),
            marks=(marked(1, 1, 1900, 100),),
        )
    )

    assert (storm.code, storm.severity, storm.frames) == ("spurious_storm", "warning", [20, 21, 22])
    assert (storm.assoc, storm.dir) == (0, "a2b")
    assert storm.text.startswith(
        "Association 0, a to b: the timeout at frame 20 sent 3 chunks again, 2 of them spuriously "
        "(200 bytes)"
    )
    assert storm.text.endswith("than a round trip (section 6.3): 1 of them.")


def test_of_many_storms_those_beyond_the_limit_are_one_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retransmissions, "MOST_STORMS", 2)
    told = found(
        *(
            resent(frame + at, at, "t3_gbn" if at else "t3", "spurious", frame + at, at)
            for frame in range(1000, 6000, 1000)
            for at in range(4)
        )
    )

    assert [(finding.code, finding.frames[0]) for finding in told] == [
        ("spurious_storm", frame) for frame in (1000, 2000, 3000)
    ]
    assert len(told[2].frames) == MOST_FRAMES
    assert "3 more timeouts, not listed one by one, sent 12 chunks again, all" in told[2].text
    assert "spuriously (1,200 bytes)" in told[2].text


def test_two_chunks_are_no_storm_but_go_back_n() -> None:
    finding = only(
        found(
            resent(20, 1, "t3", "needed", 2000, 1000, prev_frame=3),
            resent(21, 2, "t3_gbn", "spurious", 2001, 1001),
            marks=(marked(1, 3, 1050, 950),),
        )
    )

    assert (finding.code, finding.frames) == ("go_back_n_arrived", [21])
    assert "1 chunk that had arrived was sent again after a timeout" in finding.text
    assert finding.text.endswith("RACK-TLP (RFC 8985) probes with one chunk first.")


def test_a_lost_retransmission_says_how_much_earlier_rack_comes() -> None:
    finding = only(
        found(
            resent(20, 1, "t3", "needed", 2000, 1000, copy=3, prev_frame=9),
            marks=(marked(1, 9, 1360, 640, copy=2),),
        )
    )

    assert finding.code == "lost_retransmission_timeout"
    assert finding.text == (
        "Association 0, a to b: 1 retransmission was lost too and waited 1.00 s for T3-rtx; "
        "RACK-TLP (RFC 8985) would have sent 1 of them again 640 ms earlier."
    )


def test_a_tail_loss_says_when_a_probe_goes_out() -> None:
    finding = only(
        found(resent(20, 1, "t3", "needed", 2000, 1000), resent(40, 5, "t3", "needed", 5000, 3900))
    )

    assert (finding.code, finding.frames) == ("tail_loss_timeout", [20, 40])
    assert "was lost 2 times and waited up to 1.10 s for T3-rtx" in finding.text
    assert "about 84.0 ms here" in finding.text


def test_two_chunks_of_one_packet_are_lost_once() -> None:
    rows = [resent(20, tsn, "t3", "needed", 2000, 1000) for tsn in (1, 2)]

    assert "was lost once and waited up to 1.00 s" in only(found(*rows)).text


def test_what_rack_could_see_is_no_tail() -> None:
    row = resent(20, 1, "t3", "needed", 2000, 1000)

    assert found(row, marks=(marked(1, 1, 1100, 900),)) == []


@pytest.mark.parametrize(("cause", "timer"), [("t3", "RTO"), ("tlp", "PTO")])
def test_a_timer_before_a_delayed_sack_is_named(cause: str, timer: str) -> None:
    finding = only(found(resent(20, 1, cause, "spurious", 1100, 1000)))

    assert finding.code == "timer_before_sack"
    assert f"{timer} is shorter than a round trip and the delay" in finding.text
    assert "the soonest after 100 ms" in finding.text
    assert "it was seen to hold a SACK back for 200 ms" in finding.text


def test_what_may_be_no_timer_is_not_called_too_short() -> None:
    """Fast retransmissions were said to be 35 timers, the soonest of 789 us."""
    row = resent(20, 1, "t3", "spurious", 1100, 1000, cause_class=2)

    assert "timer_before_sack" not in [one.code for one in found(row)]


def test_a_timer_that_sent_two_chunks_is_one() -> None:
    rows = [resent(20, tsn, "t3", "spurious", 1100, 1000) for tsn in (1, 2)]
    again = resent(40, 3, "t3", "spurious", 3100, 3000)

    assert "2 timers expired spuriously" in only(found(*rows, again)).text


def test_a_shorter_delay_than_the_rfc_allows_is_not_what_a_timer_is_held_to() -> None:
    """It was told of 90 us that a timer of 100 ms should be longer."""
    row = resent(20, 1, "t3", "spurious", 1100, 1000)
    finding = only(found(row, delayed_ns=40 * MS + 90_000))

    assert "(RFC 9260 lets it hold a SACK back for 200 ms)" in finding.text


def test_a_timer_after_a_delayed_sack_is_not() -> None:
    assert found(resent(20, 1, "t3", "spurious", 1300, 1000)) == []


def test_late_originals_are_reordering_and_repeated_ones_are_not() -> None:
    late, repeated = found(
        resent(20, 1, "fast", "spurious", 100, 50),
        resent(21, 2, "fast", "spurious", 101, 60, copy=3),
        marks=(marked(1, 1, 90, 10, resolution="false_mark"),),
    )

    assert (late.code, late.frames) == ("reordering_retransmits", [20])
    assert "1 chunk was sent again by feedback although it only came late" in late.text
    assert late.text.endswith("would have marked it too, and have marked 1 wrongly in all.")
    assert (repeated.code, repeated.frames) == ("resent_under_way", [21])
    assert repeated.text.endswith("would not have sent it.")


def test_a_receiver_without_duplicate_reports_is_a_note() -> None:
    finding = only(found(dup_capable="no"))

    assert (finding.code, finding.severity) == ("no_duplicate_reports", "note")


def test_needed_ones_that_feedback_repaired_are_no_finding() -> None:
    assert found(resent(20, 1, "fast", "needed", 100, 50), dup_capable="yes") == []


def findings_of(path: Path) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(called("analyze", "--json", path).stdout)["findings"]
    return told


def test_a_capture_without_loss_has_nothing_above_a_note(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1000, 1040):
        talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(tsn))
    told = findings_of(talk.write(tmp_path))

    assert [finding for finding in told if finding["severity"] != "note"] == []


@pytest.mark.parametrize(
    ("sample", "codes"),
    [
        (SAMPLE, {"resent_under_way"}),
        (BUNDLED / "usrsctp-reorder.sender.pcap", {"reordering_retransmits"}),
        (
            BUNDLED / "pion-delay-spike.sender.pcap",
            {"spurious_storm", "no_duplicate_reports", "stall"},
        ),
        (BUNDLED / "usrsctp-nth-loss.sender.pcap", set()),
    ],
    ids=["under way", "reordering", "delay spike", "plain loss"],
)
def test_samples_have_the_findings_of_their_story(sample: Path, codes: set[str]) -> None:
    assert {finding["code"] for finding in findings_of(sample)} == codes


def test_times_of_copies_before_are_found_across_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    import sctp_rack
    from sctp_rack.binding import session

    whole = sctp_rack.read(SAMPLE).findings
    monkeypatch.setattr(session, "_ROWS_IN_A_BATCH", 400)

    assert sctp_rack.read(SAMPLE).findings == whole
