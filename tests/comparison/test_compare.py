# SPDX-License-Identifier: BSD-2-Clause
"""What `sctp-rack compare` says of two stacks on the same network."""

import json
import math

import numpy as np
import pytest
import sctp_rack
from sctp_rack.comparison.measures import quantiles
from sctp_rack.comparison.most import changed
from sctp_rack.limits.shares import limited_directions
from sctp_rack.limits.words import NOUNS
from sctp_rack.names import Limit
from sctp_rack.wording.rates import rate, signed_percent, signed_points

from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called

WITHOUT, WITH = (BUNDLED / f"pion-tail-loss{end}.sender.pcap" for end in ("-no-rack", ""))


def test_says_what_changed_and_shows_the_table() -> None:
    text = called("compare", WITHOUT, WITH).stdout.decode()

    assert text.startswith(f"A  {WITHOUT}\nB  {WITH}\n\nB  Spurious retransmissions 0 of 16 → ")
    clauses = (
        "9 of 27; T3-rtx timeouts 8 → 0; the slowest hundredth of messages −80.4 % "
        "(1.48 s → 290 ms), the median message as long (41.5 ms); +6.7 % goodput (15.2 kbit/s → "
    )
    assert clauses in " ".join(text.split())
    rows = {line[:38].strip(): line[38:].split() for line in text.splitlines()}
    assert rows["driven by timeouts"] == ["8", "0", "−8"]
    assert rows["p99 of messages"] == ["1.48", "s", "290", "ms", "−80.4", "%"]
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_as_json_has_the_figures_of_each_capture() -> None:
    said = json.loads(called("compare", "--json", WITHOUT, WITH, WITHOUT).stdout)

    assert [one["capture"] for one in said["captures"]] == [str(WITHOUT), str(WITH), str(WITHOUT)]
    first, second, third = said["captures"]
    assert first["timeouts"] == 8 and second["causes"]["as tail loss probes"] == 18
    assert {**third, "capture": None} == {**first, "capture": None}
    assert len(said["verdicts"]) == 2 and said["cautions"]


def test_counts_what_the_summary_counts() -> None:
    compared = sctp_rack.compare({"one": sctp_rack.read(), "same": sctp_rack.read()})

    one = compared.measures[0]
    assert (one.chunks, one.sent_bytes, one.useful_bytes) == (390, 195_000, 180_000)
    assert (one.retransmissions, one.spurious, one.lost) == (30, 9, 21)
    assert sum(one.causes.values()) == 30
    assert one.tsn_latency.count == 360
    assert set().union(*(line.changes[1:] for line in compared.lines)) <= {"±0 %", "±0", ""}
    assert compared.verdicts[0].startswith("As much goodput")


def test_shares_of_the_senders_time_are_lines() -> None:
    """Without RACK-TLP half of the time goes to T3-rtx; with it the application's is nearly all."""
    before, after = (sctp_rack.read(one) for one in (WITHOUT, WITH))

    compared = sctp_rack.compare({"before": before, "after": after})

    group = "What the senders waited for, share of their time"
    lines = {line.label: line for line in compared.lines if line.group == group}
    told = [limited_directions(one)[0] for one in (before, after)]
    for limit in Limit:
        shares = [
            next((share.share for share in one.limits if share.limit == limit), 0) for one in told
        ]
        assert (NOUNS[limit] in lines) == any(shares)
        if any(shares):
            assert lines[NOUNS[limit]].values == pytest.approx(shares)
    firsts = [line.values[0] or 0 for line in lines.values()]
    assert firsts == sorted(firsts, reverse=True)
    assert lines["T3-rtx and its repair"].texts == ["47.9 %", "0.0 %"]


def test_what_changed_most_comes_first_and_not_all_of_one_kind() -> None:
    tables = ("transmissions", "sacks", "messages")
    captures = {one.name: sctp_rack.read(one, tables=tables) for one in (WITHOUT, WITH)}

    most = sctp_rack.compare(captures).most

    assert [(one.label, one.change, one.better) for one in most] == [
        ("waited for T3-rtx", "−100.0 %", True),
        ("driven by timeouts", "−8", True),
        ("p90 of TSNs", "−87.0 %", True),
        ("spurious, of those judged", "+33.3 points", False),
    ]
    assert sctp_rack.compare({"one": sctp_rack.read(), "same": sctp_rack.read()}).most == []


@pytest.mark.parametrize(
    ("before", "after", "least", "factor"),
    [(5, 10, 0, 2), (10, 5, 0, 2), (0, 1, 1, 2), (0, 7, 0, 10), (1, 1e6, 0, 10), (3, 3, 0, 1)],
)
def test_a_change_is_a_factor_that_has_an_end(
    before: float, after: float, least: float, factor: float
) -> None:
    assert changed(before, after, least) == pytest.approx(math.log(factor))
    assert changed(None, after, least) == 0


def test_a_direction_without_data_is_named() -> None:
    done = called("compare", SAMPLE, SAMPLE, "--dir", "b2a")

    assert done.returncode == 2
    assert f"{SAMPLE}: no DATA goes" in done.stderr.decode()


def test_warns_of_captures_from_different_places() -> None:
    text = called("compare", SAMPLE, str(SAMPLE).replace("sender", "receiver")).stdout.decode()

    assert "were not taken at the same place" in text


def test_quantiles_are_times_that_were_measured() -> None:
    found = quantiles(np.arange(1, 101, dtype=np.int64))

    assert (found.p50_ns, found.p90_ns, found.p99_ns, found.max_ns) == (50, 90, 99, 100)
    assert quantiles(np.zeros(0, dtype=np.int64)).p50_ns is None


@pytest.mark.parametrize(
    ("bits_per_second", "text"),
    [
        (812, "812 bit/s"),
        (64_200, "64.2 kbit/s"),
        (999_600, "1.00 Mbit/s"),
        (316_420_000, "316 Mbit/s"),
        (9_996_000_000, "10.0 Gbit/s"),
    ],
)
def test_rates_read_with_three_digits(bits_per_second: float, text: str) -> None:
    assert rate(bits_per_second) == text


def test_changes_have_their_sign() -> None:
    assert [signed_percent(c) for c in (0.349, -0.275, 0.0001, 12.2)] == [
        "+34.9 %",
        "−27.5 %",
        "±0 %",
        "× 13",
    ]
    assert [signed_points(c) for c in (0.031, -0.5, 0.0)] == ["+3.1 points", "−50.0 points", "±0"]
