# SPDX-License-Identifier: BSD-2-Clause
"""Graphs of captures over each other, as before and after: sequence, useful bytes, latency."""

from collections.abc import Mapping

import numpy as np

from sctp_rack import plots
from sctp_rack.association import Direction
from sctp_rack.comparison.delivery import delivered
from sctp_rack.plots.graph import Graph, Layer, Look, Panel
from sctp_rack.plots.overlaid import COLOURS
from sctp_rack.plots.web import fragment_of
from sctp_rack.report.graphs import Drawn


def overlays(directions: Mapping[str, Direction]) -> list[Drawn]:
    """Of one direction of each capture, by name."""
    return [
        Drawn(
            "Data acknowledged over time, each from its first DATA on. A flat stretch is a wait.",
            plots.overlay_fragment(directions, "tsn", name="overlay-tsn"),
        ),
        Drawn(
            "How long messages took: the share that was there after so long.",
            fragment_of(latency_graph(directions), "overlay-latency"),
        ),
        Drawn(
            "Bytes received over time; dotted where spurious copies are counted as well.",
            plots.overlay_fragment(directions, "useful", name="overlay-useful"),
        ),
    ]


def latency_graph(directions: Mapping[str, Direction]) -> Graph:
    """The cumulative distribution of the latency of messages."""
    layers = []
    for number, (name, direction) in enumerate(directions.items()):
        times = np.sort(delivered([direction]).messages_ns) / 1e9
        share = 100 * np.arange(1, len(times) + 1) / max(len(times), 1)
        layers.append(
            Layer(
                *("messages", "steps", Look(COLOURS[number % len(COLOURS)], width=2)),
                *(times, share),
                hover="%{y:.1f} % within %{x:.4f} s",
                group=name,
            )
        )
    longest = max((float(layer.x.max()) for layer in layers if len(layer)), default=1.0)
    panel = Panel("messages delivered", layers, unit=" %")
    return Graph(
        title=f"Latency: {' and '.join(directions)}",
        panels=[lambda: panel],
        extent=(0.0, 1.02 * longest),
        time="seconds from the first transmission until acknowledged",
    )
