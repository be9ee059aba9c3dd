# SPDX-License-Identifier: BSD-2-Clause
"""What the sender waited for, under every graph: each interval in its lane, the most of each part
as ground."""

import numpy as np
import pytest
from sctp_rack.limits.shares import PARTS, limited
from sctp_rack.limits.words import LETTERS, NOUNS, SENTENCES
from sctp_rack.names import Limit
from sctp_rack.plots import KINDS, figure, style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer
from sctp_rack.plots.kinds import graph_of
from sctp_rack.plots.limiter import lanes_panel, limits_panel

from tests.plots.transfers import sample

TITLE = "what the sender waited for"


def of(layers: list[Layer], limit: Limit) -> Layer | None:
    return next((one for one in layers if SENTENCES[limit] in one.name), None)


@pytest.mark.parametrize("words", [LETTERS, SENTENCES, NOUNS, style.PATTERNS])
def test_each_limit_reads_in_its_own_way(words: dict[Limit, str]) -> None:
    assert [*words] == [*Limit]
    assert len({*words.values()}) == len(Limit)


@pytest.mark.parametrize("name", ["dcsctp-zero-window", "usrsctp-multihoming", "linux-bulk-loss"])
def test_each_interval_lies_in_the_lane_of_its_limit(name: str) -> None:
    data = Data(sample(name))
    rows = data.direction.table("limits")

    panel = lanes_panel(data)
    layers = [*panel.layers]

    assert sum(map(len, layers)) == len(rows)
    for limit in Limit:
        took = rows.where(limit=limit.value)
        lane = of(layers, limit)
        assert (lane is None) == (len(took) == 0)
        if lane is not None:
            assert lane.x1 is not None
            wanted = (took["end_ns"] - took["begin_ns"]).sum() / 1e9
            assert (lane.x1 - lane.x).sum() == pytest.approx(wanted)
            assert dict(panel.ticks)[float(lane.y[0])] == LETTERS[limit]
            assert len(np.unique(lane.y)) == 1
    lengths = [float((one.x1 - one.x).sum()) for one in layers if one.x1 is not None]
    assert lengths == sorted(lengths, reverse=True)
    heights = [float(one.y[0]) for one in layers]
    assert heights == sorted(heights, reverse=True)


@pytest.mark.parametrize("name", ["dcsctp-zero-window", "usrsctp-multihoming", "linux-bulk-loss"])
def test_the_ground_of_each_part_is_what_the_command_says_of_it(name: str) -> None:
    direction = sample(name)
    data = Data(direction)
    told = limited(direction)
    assert told is not None
    begin, end = ((ns - (direction.begins_ns or 0)) / 1e9 for ns in (told.begin_ns, told.end_ns))
    middles = begin + (end - begin) * (np.arange(PARTS) + 0.5) / PARTS

    layers = [one for one in limits_panel(data).layers if one.shape == "bands"]

    found = [Limit.APPLICATION.value] * PARTS
    for limit in Limit:
        ground = of(layers, limit)
        for at, middle in enumerate(middles.tolist()):
            if ground is None or ground.x1 is None:
                continue
            if ((ground.x <= middle) & (middle < ground.x1)).any():
                found[at] = limit.value
    assert found == told.parts


@pytest.mark.parametrize("kind", KINDS)
def test_every_graph_has_it_below_and_none_alone(kind: str) -> None:
    way = sample("usrsctp-request-response")

    def titles(linked: bool) -> list[str]:
        return [make().title for make in graph_of(way, kind, linked=linked).panels]

    assert any(title.endswith(TITLE) for title in titles(True)[1:])
    assert not any(title.endswith(TITLE) for title in titles(False))


def test_what_two_panels_have_is_once_in_a_legend() -> None:
    drawn = figure(sample("dcsctp-zero-window"), "limits")
    shown = [one.name for one in drawn.data if one.name and one.showlegend is not False]
    groups = {one.name: one.legendgroup for one in drawn.data if one.name}

    assert len({*shown}) == len(shown)
    assert all(one.legendgroup == groups[one.name] for one in drawn.data if one.name)
    assert {one.name for one in drawn.data if one.name} == {*shown}
