# SPDX-License-Identifier: BSD-2-Clause
"""How late messages were: each is there once, and its parts add up."""

import numpy as np
import pytest
import sctp_rack
from sctp_rack.plots.data import Data
from sctp_rack.plots.latency import latency_panel, parts_panel

from tests.captures import BUNDLED
from tests.plots.transfers import sample

NAMES = ["pion-tail-loss-no-rack", "dcsctp-zero-window", "usrsctp-i-data-pr-sctp"]


@pytest.mark.parametrize("name", NAMES)
def test_each_delivered_message_has_its_symbol(name: str) -> None:
    data = Data(sample(name))
    latency = data.direction.table("messages")["latency_ns"]

    layers = [*latency_panel(data).layers]

    heights = np.concatenate([one.y for one in layers])
    assert np.sort(heights) == pytest.approx(np.sort(np.ma.compressed(latency)) / 1e6)


@pytest.mark.parametrize("name", NAMES)
def test_the_parts_of_a_message_add_up_to_its_latency(name: str) -> None:
    for layer in latency_panel(Data(sample(name))).layers:
        parts = np.sum([np.asarray(one) for one in layer.about[-4:]], axis=0)
        assert parts == pytest.approx(layer.y, abs=0.003)


def test_means_of_a_moment_are_those_of_its_messages() -> None:
    data = Data(sample("pion-tail-loss-no-rack"))
    rows = data.rows("messages", time="sent_ns")
    again = next(one for one in parts_panel(data).layers if "sent again" in one.name)
    assert again.x1 is not None

    for begin, end, mean in zip(again.x, again.x1, again.y, strict=True):
        some = (rows.time >= begin) & (rows.time < end) & np.isfinite(rows.floats("latency_ns"))
        assert mean == pytest.approx(rows.floats("recovery_ns")[some].mean() / 1e6)


def test_without_the_table_of_messages_it_says_which_is_missing() -> None:
    path = BUNDLED / "pion-tail-loss.sender.pcap"
    way = sctp_rack.read(path, tables=["transmissions", "sacks", "limits"]).associations[0].a2b

    with pytest.raises(KeyError, match="messages was not read"):
        latency_panel(Data(way))


def test_a_logarithmic_axis_says_200_where_that_is_meant() -> None:
    """Without a format of its own Plotly writes 2 between 100 and 1000."""
    axis = sctp_rack.read().associations[0].a2b.plot("latency").layout.yaxis

    assert (axis.type, axis.dtick, axis.tickformat) == ("log", "D2", "~g")
