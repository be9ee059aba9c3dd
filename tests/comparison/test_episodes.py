# SPDX-License-Identifier: BSD-2-Clause
"""When a recovery begins and ends, and how long data waited for a timer."""

from itertools import pairwise
from pathlib import Path

import sctp_rack
from sctp_rack.comparison.episodes import Episode, episodes, waited_ns

from tests.captures import BUNDLED
from tests.comparison.exchange import MS, data, direction, sack


def test_a_recovery_ends_when_all_that_was_outstanding_at_its_begin_is_acknowledged(
    tmp_path: Path,
) -> None:
    one = direction(
        tmp_path,
        [
            (0, "a", data(10)),
            (1, "a", data(11)),
            (2, "a", data(12)),
            (3, "a", data(13)),
            (41, "b", sack(9, (11, 11))),
            (42, "b", sack(9, (11, 12))),
            (43, "b", sack(9, (11, 13))),
            (44, "a", data(10)),
            (45, "a", data(14)),
            (84, "b", sack(13)),
            (85, "b", sack(14)),
        ],
    )

    (found,) = episodes(one)
    assert (found.frame, found.end_ns - found.begin_ns) == (8, 40 * MS)
    assert not found.by_timeout
    assert waited_ns(one) == 0


def test_a_capture_without_loss_has_none(tmp_path: Path) -> None:
    assert episodes(direction(tmp_path, [(0, "a", data(10)), (40, "b", sack(10))])) == []


def test_a_recovery_that_never_ends_lasts_as_long_as_the_capture(tmp_path: Path) -> None:
    (found,) = episodes(
        direction(
            tmp_path,
            [
                (0, "a", data(10)),
                (1, "a", data(11)),
                (41, "b", sack(9, (11, 11))),
                (1041, "a", data(10)),
                (1141, "a", data(12)),
            ],
        )
    )

    assert found.end_ns - found.begin_ns == 100 * MS


def recoveries_of(name: str) -> tuple[list[Episode], float]:
    capture = sctp_rack.read(BUNDLED / f"{name}.sender.pcap")
    one = capture.associations[0].a2b
    return episodes(one), waited_ns(one) / 1e9


def test_timeouts_and_what_they_cost_are_told_apart_from_probes() -> None:
    with_timeouts, waited = recoveries_of("pion-tail-loss-no-rack")
    with_probes, not_waited = recoveries_of("pion-tail-loss")

    assert with_timeouts and all(one.by_timeout for one in with_timeouts)
    assert waited > 8 and not_waited == 0
    assert with_probes and not any(one.by_timeout for one in with_probes)
    assert all(a.end_ns <= b.begin_ns for a, b in pairwise(with_probes))
