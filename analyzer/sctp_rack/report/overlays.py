# SPDX-License-Identifier: BSD-2-Clause
"""Graphs of captures over each other, as before and after: sequence, useful bytes, latency."""

from collections.abc import Mapping
from html import escape

import numpy as np

from sctp_rack import plots
from sctp_rack.association import Direction
from sctp_rack.plots.graph import Graph, Layer, Panel
from sctp_rack.plots.overlaid import LOOKS
from sctp_rack.plots.web import fragment_of
from sctp_rack.report.graphs import Drawn


def overlays(directions: Mapping[str, Direction]) -> list[Drawn]:
    """Of one direction of each capture, by name: what is of a time is shown at first."""
    between = next(iter(directions.values())).seconds
    return [
        Drawn(
            "Data acknowledged over time, each from its first DATA on. A flat stretch is a wait.",
            plots.overlay_fragment(directions, "tsn", name="overlay-tsn", between=between),
        ),
        Drawn(
            "How long messages took: the share that was there after so long.",
            fragment_of(latency_graph(directions), "overlay-latency"),
        ),
        Drawn(
            "Bytes received over time; dotted where spurious copies are counted as well.",
            plots.overlay_fragment(directions, "useful", name="overlay-useful", between=between),
        ),
    ]


def latency_graph(directions: Mapping[str, Direction]) -> Graph:
    """The cumulative distribution of the latency of messages."""
    layers = []
    for number, (name, direction) in enumerate(directions.items()):
        messages = direction.told("messages")
        latency = np.ma.filled(messages["latency_ns"], -1)
        rows = np.argsort(latency, kind="stable")[np.count_nonzero(latency < 0) :]
        share = 100 * np.arange(1, len(rows) + 1) / max(len(rows), 1)
        layers.append(
            Layer(
                *(name, "steps", LOOKS[number % len(LOOKS)], latency[rows] / 1e9),
                share,
                hover=f"<b>{escape(name)}</b><br>%{{y:.1f}} % within %{{x:.4f}} s",
                about=(messages["first_frame"][rows], messages["first_tsn"][rows]),
                picks="frame_tsn",
                group="messages delivered",
            )
        )
    longest = max((float(layer.x.max()) for layer in layers if len(layer)), default=1.0)
    panel = Panel("messages delivered", layers, unit=" %")
    return Graph(
        title=f"Latency: {' and '.join(directions)}",
        panels=[lambda: panel],
        extent=(0.0, 1.02 * longest),
        time="seconds until acknowledged",
    )
