# SPDX-License-Identifier: BSD-2-Clause
"""Before and after: the table of the A/B test of RACK-TLP, from sums whose answer is known."""

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from sctp_rack.errors import UsageError
from sctp_rack.fleet.ab import Line, before_after, lines
from sctp_rack.fleet.ab_text import text
from sctp_rack.fleet.rows import SUMMED, schema

#: As at IETF 97: recoveries by timeouts −41 %, time in recovery −23 %, packets +2.6 %, and more
#: than 30 % of the probes spurious.
BEFORE = {"chunks": 10_000, "retransmissions": 0, "by_timeout": 100, "recovery_s": 10.0}
AFTER = {"chunks": 10_260, "retransmissions": 260, "by_timeout": 59, "recovery_s": 7.7}


def captures(figures: dict[str, Any], count: int, **more: Any) -> dict[str, Any]:
    plain = {**dict.fromkeys(SUMMED, 0), "recoveries": 130, **figures, **more}
    return {name: np.full(count, value, np.float64) for name, value in plain.items()}


def together(*sides: dict[str, Any]) -> dict[str, Any]:
    return {name: np.concatenate([side[name] for side in sides]) for name in SUMMED}


def dataset(names: Sequence[str], first_ns: Sequence[int | None]) -> Any:
    """A connection to captures of which one was read for each name."""
    rows = [
        {**dict.fromkeys(SUMMED, 1), "capture": name, "frames": 1, "first_ns": first}
        for name, first in zip(names, first_ns, strict=True)
    ]
    connection = duckdb.connect()
    connection.register("captures", pa.Table.from_pylist(rows, schema("captures")))
    return connection


def by_name(told: list[Line]) -> dict[str, Line]:
    return {one.figure: one for one in told}


def test_the_table_of_the_slides_comes_out() -> None:
    after = captures(AFTER, 12, probes=260, probes_judged=250, spurious_probes=80)
    told = by_name(lines(captures(BEFORE, 12), after))

    def change(figure: str) -> float:
        return round(told[figure].change or 0, 3)

    assert change("recoveries by timeouts, per 100,000 chunks") == -0.41
    assert change("seconds in recovery, per 100,000 chunks") == -0.23
    assert change("chunks sent for each first one") == 0.026
    assert told["share of probes that were spurious"].b == 0.32
    assert told["captures"] == Line("captures", 12, 12)


def test_equal_captures_leave_no_doubt_and_different_ones_do() -> None:
    figure = "recoveries by timeouts, per 100,000 chunks"
    sure = by_name(lines(captures(BEFORE, 12), captures(AFTER, 12)))[figure]
    mixed = together(captures(AFTER, 6), captures(AFTER, 6, by_timeout=200))
    open_ = by_name(lines(captures(BEFORE, 12), mixed))[figure]

    assert sure.low == pytest.approx(-0.41) and sure.high == pytest.approx(-0.41)
    assert open_.low is not None and open_.high is not None
    assert open_.low < 0 < open_.high and open_.low < (open_.change or 0) < open_.high


def test_of_few_captures_nothing_is_said_of_how_sure_a_change_is() -> None:
    told = lines(captures(BEFORE, 9), captures(AFTER, 12))

    assert all(one.low is None and one.high is None for one in told)


def test_many_captures_are_drawn_in_groups_and_leave_as_much_doubt() -> None:
    """Each other one is of another kind, and they come in the order of what they have."""
    figure = "recoveries by timeouts, per 100,000 chunks"

    def width(count: int) -> float:
        kinds = (captures(BEFORE, count, by_timeout=90), captures(BEFORE, count, by_timeout=110))
        told = by_name(lines(captures(BEFORE, 2 * count), together(*kinds)))[figure]
        assert told.low is not None and told.high is not None
        return told.high - told.low

    assert width(1000) == pytest.approx(width(250) / 2, rel=0.15)


def test_an_answer_is_always_the_same() -> None:
    before, after = captures(BEFORE, 12), together(captures(AFTER, 6), captures(BEFORE, 6))

    assert lines(before, after) == lines(before, after)


def test_where_nothing_was_sent_there_is_no_change() -> None:
    nothing = captures(dict.fromkeys(BEFORE, 0), 12)
    told = by_name(lines(nothing, captures(AFTER, 12)))

    assert told["chunks sent for each first one"].change is None
    assert "–" in text(list(told.values()))


def counts(told: list[Line]) -> tuple[float | None, float | None]:
    return told[0].a, told[0].b


def test_a_moment_splits_at_the_first_frame() -> None:
    some = dataset(("0", "1", "2", "3"), (0, 10**9, None, 2 * 10**9))

    assert counts(before_after(some, split="1970-01-01T00:00:01")) == (1, 2)
    assert counts(before_after(some, split="1970-01-01T01:00:01.000001+01:00")) == (2, 1)
    with pytest.raises(UsageError, match="no capture is before"):
        before_after(some, split="1970-01-01")


def test_patterns_fit_names_and_paths() -> None:
    some = dataset(("/a/x.pcap", "/b/x.pcap", "/b/y.pcap", "/y.d/z.pcap"), (0, 0, 0, 0))

    assert counts(before_after(some, before=["/a/*"], after=["y.*"])) == (1, 1)
    assert counts(before_after(some, before=["/a/*", "z*"], after=["/b/?.pcap"])) == (2, 2)
    assert counts(before_after(some, before=["*/x.pcap", "z*"], after=["y.*"])) == (3, 1)
    assert counts(before_after(some, before=["*x.pcap"], after=["*y.d/*"])) == (2, 1)
    with pytest.raises(UsageError, match=r"/b/x\.pcap fits both --before and --after"):
        before_after(some, before=["x.*"], after=["/b/*"])
    with pytest.raises(UsageError, match="no capture is after"):
        before_after(some, before=["x.*"], after=["x"])
