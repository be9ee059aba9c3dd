# SPDX-License-Identifier: BSD-2-Clause
"""Panels below and beside the time sequence: what they count, and that their scales show it."""

from pathlib import Path

import numpy as np
import pytest
import sctp_rack
from sctp_rack.names import Dir
from sctp_rack.plots import figure
from sctp_rack.plots.data import Data
from sctp_rack.plots.draw import value_extent
from sctp_rack.plots.graph import Layer, Panel
from sctp_rack.plots.kinds import graph_of
from sctp_rack.plots.room import FLIGHT, flight_panel, rwnd_panel
from sctp_rack.plots.rtt import rtt_panel
from sctp_rack.plots.strip import density_panel, loss_panel, strip_panel

from tests.captures import BUNDLED
from tests.plots.transfers import long_transfer, sample


def by_name(panel: Panel) -> dict[str, Layer]:
    return {layer.name: layer for layer in panel.layers}


@pytest.mark.parametrize("name", [None, "pion-reorder-low", "usrsctp-zero-window"])
def test_the_strip_counts_everything_that_was_lost_or_sent_again(name: str | None) -> None:
    data = Data(sample(name))
    rows = data.direction.transmissions

    found = by_name(strip_panel(data))

    for layer in found.values():
        assert layer.y1 is not None
        verdict = layer.name.removeprefix("Sent again, ")
        wanted = {"outcome": "lost"} if layer.name.startswith("Lost") else {"verdict": verdict}
        assert (layer.y1 - layer.y).sum() == len(rows.where(**wanted))
    assert any(one.startswith("Lost") for one in found)


def test_bars_of_a_moment_stand_on_each_other_with_the_spurious_lowest() -> None:
    found = by_name(strip_panel(Data(sample("pion-reorder-low"))))
    spurious, needed = found["Sent again, spurious"], found["Sent again, needed"]
    assert spurious.y1 is not None

    assert not spurious.y.any()
    tops = dict(zip(spurious.x.tolist(), spurious.y1.tolist(), strict=True))
    both = [at for at in needed.x.tolist() if at in tops]
    assert both
    bottoms = dict(zip(needed.x.tolist(), needed.y.tolist(), strict=True))
    assert all(bottoms[at] >= tops[at] for at in both)


def test_where_nothing_was_lost_or_sent_again_there_is_no_strip() -> None:
    clean = sctp_rack.read(BUNDLED / "usrsctp-request-response.sender.pcap").associations[0]
    ways = [way for way in clean.directions if way.data and not way.retransmissions]

    assert ways and all(not [*strip_panel(Data(way)).layers] for way in ways)


def test_of_more_chunks_than_are_drawn_each_pixel_has_its_loss_rate(tmp_path: Path) -> None:
    large = Data(sctp_rack.read(long_transfer(tmp_path)).associations[0].a2b)
    (rate,), (count,) = loss_panel(large).layers, density_panel(large).layers
    lost, sent = rate.about

    assert sum(lost) == len(large.direction.transmissions.where(outcome="lost")) == 11  # type: ignore[arg-type]
    assert sum(sent) == count.y.sum() == len(large.sent)  # type: ignore[arg-type]
    assert 0 < rate.y.max() <= 100
    assert not [*loss_panel(Data(sample())).layers, *density_panel(Data(sample())).layers]


def test_round_trips_lie_on_a_linear_axis_as_high_as_the_samples() -> None:
    panel = rtt_panel(Data(sample()))
    found = by_name(panel)
    low, high = value_extent(panel)
    shown = np.concatenate([one.y for name, one in found.items() if name.startswith("Measured")])

    assert not panel.log
    assert low == 0 and shown.max() < high < 1.3 * shown.max()
    assert not found["Retransmission timeout (rto)"].shown
    assert found["Smoothed (srtt)"].shown


@pytest.mark.parametrize("panel_of", [flight_panel, rwnd_panel])
def test_a_window_far_above_the_flight_and_the_flight_are_both_seen(panel_of: object) -> None:
    panel: Panel = panel_of(Data(sample()))  # type: ignore[operator]
    flight, window = (
        next(one for one in panel.layers if part in one.name) for part in (FLIGHT, "a_rwnd")
    )
    low, high = value_extent(panel)

    assert panel.log and "logarithmic" in panel.title
    assert window.shown and low <= flight.y.min() and window.y.max() < high
    # Of the axis, the flight takes more than a tenth.
    assert np.log(flight.y.max() / flight.y.min()) > 0.1 * np.log(high / low)
    assert flight.about[1].min() == 0  # type: ignore[union-attr]


def test_a_window_near_the_flight_stays_on_a_linear_axis() -> None:
    panel = flight_panel(Data(sample("usrsctp-zero-window")))

    assert not panel.log
    assert all(one.shown for one in panel.layers)


def test_both_directions_share_a_graph_and_an_axis_of_time() -> None:
    way = sample("usrsctp-both-ways")
    graph = graph_of(way, "both")
    drawn = figure(way, "both")

    assert (way.reverse.name, way.reverse.reverse.name) == (Dir.B2A, Dir.A2B)
    titles = [one.text for one in drawn.layout.annotations]
    assert [text[:6] for text in titles] == 3 * ["a to b"] + 3 * ["b to a"]
    assert " ↔ " in graph.title
    times = [Data(one).sent.time for one in (way, way.reverse)]
    assert graph.extent[0] <= min(t.min() for t in times)
    assert graph.extent[1] >= max(t.max() for t in times)
    assert graph.shares == [("spurious", 0), ("needed", 5), ("undetermined", 0), ("lost", 1)]


def test_a_graph_names_its_file() -> None:
    assert "usrsctp-both-ways.sender.pcap" in figure(sample("usrsctp-both-ways")).layout.title.text


def test_a_still_picture_leaves_out_what_nobody_can_ask_for() -> None:
    names = {one.name for one in figure(sample()).data if one.visible != "legendonly" and one.name}

    assert {one.name for one in figure(sample(), still=True).data if one.name} == names
