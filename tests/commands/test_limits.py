# SPDX-License-Identifier: BSD-2-Clause
"""What `sctp-rack limits` says, and which rows it says it of."""

from dataclasses import replace

import pytest
import sctp_rack
from sctp_rack.limits.shares import (
    OF_TIME,
    PARTS,
    TABLES,
    LimitedDirection,
    Share,
    limited_directions,
)
from sctp_rack.limits.text import NO_DATA, limit_lines
from sctp_rack.limits.words import LETTERS
from sctp_rack.names import Limit

from tests.captures import BUNDLED
from tests.commands.called import called

CLOSED = BUNDLED / "usrsctp-zero-window.sender.pcap"


def test_the_longest_limit_comes_first_with_what_it_allows() -> None:
    lines = called("limits", CLOSED).stdout.decode().splitlines()
    assert lines[2].startswith("  W  87.0 %")
    assert "of the time it waited for the peer's window" in lines[2]
    assert "at a round trip of" in lines[2] and "that allows" in lines[2]


def _direction(best_rate: float, limit: str = "peer_window") -> LimitedDirection:
    share = Share(limit, 8 * 10**8, 0.8, 1, 4, 0, 65536, 65536, 0)
    return LimitedDirection(
        assoc=0,
        dir="a2b",
        ends="x - y",
        begin_ns=0,
        end_ns=10**9,
        vantage="sender",
        round_trip_ns=103 * 10**6,
        best_rate=best_rate,
        mean_rate=4e6,
        mean_rate_doubled=6e6,
        mean_rate_doubled_least=5.5e6,
        mean_rate_doubled_most=7e6,
        mean_rate_doubled_by_timer=False,
        send_buffer=131072,
        mean_rate_buffered=7.5e6,
        mean_rate_buffered_least=7.1e6,
        mean_rate_buffered_most=7.9e6,
        mean_rate_buffered_by_timer=True,
        mean_rate_undelayed=8.5e6,
        mean_rate_undelayed_least=8.4e6,
        mean_rate_undelayed_most=8.6e6,
        given_up_tsns=0,
        given_up_share=0.0,
        limits=[share],
        parts=["peer_window"] * PARTS,
    )


def test_a_window_is_named_that_allows_what_the_path_gave_at_best() -> None:
    *_, line = limit_lines([_direction(20e6)])
    assert "(at most 65,536 bytes; at a round trip of 103 ms that allows 5.09 Mbit/s; " in line
    assert "256 KiB would allow what the path gave at best, 20.0 Mbit/s)" in line


def test_twice_the_window_is_predicted_where_the_path_gave_no_more() -> None:
    *_, line = limit_lines([_direction(5e6)])
    assert "twice that predicts 6.00 Mbit/s (5.50 Mbit/s to 7.00 Mbit/s) in all, not 4.00" in line


@pytest.mark.parametrize(("held_ns", "told"), [(10**8, True), (10**8 - 1, False)])
@pytest.mark.parametrize("limit", ["delayed_sack", "send_buffer"])
def test_of_sacks_held_back_it_is_said_what_one_for_each_packet_gives(
    limit: str, held_ns: int, told: bool
) -> None:
    held = Share(limit, 3 * 10**8, 0.3, 1, 4, 0, 1000, None, held_ns)
    *_, line = limit_lines([replace(_direction(20e6), limits=[held])])
    said = (
        "SACKs were held back for 100 ms of it; one for each packet, at once, predicts 8.50 Mbit/s"
    )
    assert (said in line) == told
    assert ("with SCTP_NODELAY" in line) == (told and limit == "delayed_sack")


@pytest.mark.parametrize(("outstanding", "told"), [(1480, True), (1481, False)])
def test_small_data_waits_where_no_congestion_window_is_full(outstanding: int, told: bool) -> None:
    held = Share("delayed_sack", 3 * 10**8, 0.3, 1, 4, 0, outstanding, None, 2 * 10**8)
    *_, line = limit_lines([replace(_direction(20e6), limits=[held])])
    assert ("with SCTP_NODELAY" in line) == told


def test_a_send_buffer_is_named_that_lets_the_sender_go_on() -> None:
    *_, line = limit_lines([_direction(20e6, "send_buffer")])
    assert "(65,536 bytes outstanding at most; at a round trip of 103 ms that allows" in line
    assert (
        "one of 131,072 bytes predicts 7.50 Mbit/s (7.10 Mbit/s to 7.90 Mbit/s, as usrsctp's "
        "T3-rtx may take what waits for a delayed SACK for lost) in all"
    ) in line


def test_a_receiver_that_does_not_read_needs_no_larger_window() -> None:
    capture = sctp_rack.read(CLOSED, tables=["limits", "paths", "windows"])
    (one,) = limited_directions(capture, 0, "a2b")
    assert one.mean_rate_doubled is None
    assert one.best_rate and one.best_rate >= one.mean_rate
    assert any("while the receiver did not read" in line for line in limit_lines([one]))


def test_the_strip_has_a_letter_for_each_part_of_the_time() -> None:
    lines = called("limits", CLOSED).stdout.decode().splitlines()
    assert len(lines[1].strip()) == PARTS and set(lines[1].strip()) <= set(LETTERS.values())
    assert lines[1].count("W") == pytest.approx(0.86 * PARTS, abs=3)


def test_every_limit_has_a_letter_of_its_own() -> None:
    assert len(set(LETTERS.values())) == len(Limit) == len(LETTERS)


def test_shares_are_those_of_the_table() -> None:
    capture = sctp_rack.read(CLOSED, tables=["limits", "paths", "windows"])
    (direction,) = limited_directions(capture, 0, "a2b")
    rows = list(capture.table("limits"))
    for share in direction.limits:
        alike = [row for row in rows if row["limit"] == share.limit]
        assert share.intervals == len(alike)
        assert share.time_ns == sum(row["end_ns"] - row["begin_ns"] for row in alike)
        assert share.bytes == sum(row["bytes"] for row in alike)
    assert sum(share.time_ns for share in direction.limits) == direction.end_ns - direction.begin_ns


def test_all_data_lies_in_the_intervals_of_its_direction() -> None:
    for path in (CLOSED, BUNDLED / "usrsctp-both-ways.middle.pcap"):
        capture = sctp_rack.read(path)
        for name in ("a2b", "b2a"):
            sent = sum(
                row["bytes"]
                for row in capture.table("transmissions").where(dir=name)
                if not str(row["kind"]).endswith("duplicate")
            )
            assert sum(row["bytes"] for row in capture.table("limits").where(dir=name)) == sent


def test_where_dtls_hides_the_data_the_key_log_is_asked_for() -> None:
    for command in ("limits", "whatif"):
        asked = called(command, BUNDLED / "pion-tail-loss-dtls.middle.pcapng")
        assert "`--keylog FILE` decrypts it" in asked.stderr.decode()


def test_where_nothing_was_sent_nothing_limits() -> None:
    assert list(limit_lines([])) == [NO_DATA]
    asked = called("limits", "--dir", "b2a", CLOSED)
    assert asked.returncode == 2 and "no DATA goes b2a" in asked.stderr.decode()


def test_two_times_that_adjoin_come_to_the_whole() -> None:
    capture = sctp_rack.read(CLOSED, tables=(*TABLES, *OF_TIME))
    (whole,) = limited_directions(capture)
    at_s = 5.9
    parts = [
        *limited_directions(capture, end=at_s),
        *limited_directions(capture, begin=at_s),
    ]

    assert [one.end_ns for one in parts] == [parts[1].begin_ns, whole.end_ns]
    assert parts[0].begin_ns == whole.begin_ns
    for share in whole.limits:
        times = [one.time_ns for part in parts for one in part.limits if one.limit == share.limit]
        assert sum(times) == share.time_ns
    assert limited_directions(capture, begin=0.0, end=3600.0) == [whole]
    times_ns = [one.end_ns - one.begin_ns for one in parts]
    moved = sum(one.mean_rate * time_ns for one, time_ns in zip(parts, times_ns, strict=True))
    assert moved == pytest.approx(whole.mean_rate * sum(times_ns))


def test_the_mean_is_of_all_that_was_acknowledged() -> None:
    """Most of it between round trips: a probe's answer, then nothing for as long as a message."""
    capture = sctp_rack.read(BUNDLED / "pion-tail-loss.sender.pcap", tables=TABLES)
    (direction,) = limited_directions(capture)
    flow = capture.summary.associations[0].a.flow

    assert flow is not None and flow.acked_bytes == 44_800
    took_ns = direction.end_ns - direction.begin_ns
    assert direction.mean_rate == pytest.approx(8e9 * 44_800 / took_ns)


def test_a_time_stands_in_the_text_and_so_does_that_nothing_was_under_way() -> None:
    text = called("limits", CLOSED, "--from", 0.5, "--to", 2).stdout.decode()
    assert "a to b: 1.50 s from second 0.500 to 2.000 of the capture" in " ".join(text.split())
    assert "  W  100.0 % of the time it waited for the peer's window" in text

    late = called("limits", CLOSED, "--from", 3600)
    assert (late.returncode, late.stdout) == (0, b"No data was under way at that time.\n")


def test_within_a_single_wait_for_a_sack_no_rate_is_predicted() -> None:
    """Setup: a part of a wait, all of which the SACK was held back. Expectation: that is said."""
    sample = BUNDLED / "linux-delay-spike.sender.pcap"
    capture = sctp_rack.read(sample)
    first_ns = capture.summary.first_time_ns or 0
    waits = (
        row
        for row in capture.table("limits")
        if row["end_ns"] - row["begin_ns"] == row["held_ns"] > 0
    )
    wait = next(waits)
    ends = (wait["begin_ns"] - first_ns + 10**7, wait["end_ns"] - first_ns - 10**7)
    done = called("limits", sample, "--from", ends[0] / 1e9, "--to", ends[1] / 1e9)
    assert done.returncode == 0
    assert b"SACKs were held back for 147 ms of it); class 4" in b" ".join(done.stdout.split())


def test_what_was_given_up_is_said_of_all_of_the_time() -> None:
    sample = BUNDLED / "usrsctp-i-data-pr-sctp.sender.pcap"
    said = called("limits", sample).stdout.decode()
    assert "4 TSNs (3.3 %) given up with FORWARD-TSN" in said
    of_a_part = called("limits", sample, "--from", "1").stdout.decode()
    assert "given up" not in of_a_part
    assert "given up" not in called("limits", CLOSED).stdout.decode()
