# SPDX-License-Identifier: BSD-2-Clause
"""Senders that share the scoreboard and what is measured do not disturb each other."""

from sctp_rack.names import RttTag
from sctp_rack.reference.events import DataChunk, RttMeasurement, Transmission
from sctp_rack.reference.profiles import rfc9260
from sctp_rack.reference.tsn import Tsn
from sctp_rack.reference.variants import varied

from tests.model.core_model import CoreModel

MS = 1_000_000


def test_a_timer_does_not_see_the_minimum_of_a_later_one_of_another_sender() -> None:
    model = CoreModel([varied(rfc9260(), {"rto_min": "13000"}), rfc9260()])
    model.feed(RttMeasurement(0, "p", MS, RttTag.HEARTBEAT))
    model.feed(RttMeasurement(20_000 * MS, "p", 4000 * MS, RttTag.HEARTBEAT))
    model.feed(Transmission(1, 20_000 * MS, "p", (DataChunk(Tsn(1), 100),)))
    model.time_passed(40_000 * MS)
    late, early = model.marks

    assert (late[0].time_ns, late[0].min_rtt_ns) == (33_000 * MS, 4000 * MS)
    assert early[0].time_ns < 30_000 * MS
    assert early[0].min_rtt_ns == MS
