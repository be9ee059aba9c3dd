# SPDX-License-Identifier: BSD-2-Clause
"""Recoveries that are gathered while rows come are those that `compare` counts."""

from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.capture import read
from sctp_rack.comparison.episodes import episodes
from sctp_rack.comparison.measures import TABLES as COMPARED
from sctp_rack.fleet.recoveries import TABLES, Recoveries, Recovery

from tests.captures import BUNDLED


def gathered(path: Path, rows_at_once: int | None = None) -> list[Recovery]:
    recoveries = Recoveries()
    for batch in Session(str(path), TABLES, rows_at_once=rows_at_once).batches():
        recoveries.add(batch)
    return list(recoveries.rows())


@pytest.mark.parametrize(
    "path", sorted(BUNDLED.glob("*.sender.pcap*"))[::4], ids=lambda one: one.stem
)
def test_recoveries_are_those_of_compare(path: Path) -> None:
    compared = [
        Recovery(way.assoc, way.name, one.frame, one.begin_ns, one.end_ns, one.by_timeout)
        for association in read(path, tables=COMPARED).associations
        for way in association.directions
        for one in episodes(way)
    ]

    assert gathered(path) == compared
    assert gathered(path, rows_at_once=16) == compared
