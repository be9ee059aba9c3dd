# SPDX-License-Identifier: BSD-2-Clause
"""Where a graph zooms to: each recovery, with all that was sent in its time."""

from pathlib import Path

import numpy as np
import pytest
import sctp_rack
from sctp_rack.plots import figure
from sctp_rack.plots.data import Data
from sctp_rack.plots.episodes import episodes

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED


@pytest.mark.parametrize("name", ["usrsctp-nth-loss", "pion-reorder-low", "usrsctp-delay-spike"])
def test_a_recovery_is_as_high_as_all_that_was_sent_in_its_time(name: str) -> None:
    data = Data(sctp_rack.read(BUNDLED / f"{name}.sender.pcap").associations[0].a2b)
    sent = data.sent
    odd = sent.is_("kind", "retransmission") | sent.is_("outcome", "lost")
    found = episodes(data)

    assert found and len(found) == len({left for left, *_ in found})
    times = np.sort(sent.time[odd])
    assert all(any(left <= at <= right for left, right, *_ in found) for at in times)
    for left, right, low, high in found:
        near = (sent.time >= left) & (sent.time <= right)
        bottom, top = data.places[near & odd].min(), data.places[near].max() + 1
        margin = max((top - bottom) * 0.12, 1.0)
        assert (low, high) == pytest.approx((bottom - margin, top + margin))


def test_few_tsns_have_a_tick_each_and_none_twice(tmp_path: Path) -> None:
    talk = Talk()
    for tsn in range(1, 4):
        talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(tsn))
    few = figure(sctp_rack.read(talk.write(tmp_path)).associations[0].a2b)
    many = figure(sctp_rack.read().associations[0].a2b)

    assert few.layout.yaxis.dtick == 1 and many.layout.yaxis.dtick is None
    assert few.layout.yaxis.tickformat == many.layout.yaxis.tickformat == ",~f"
