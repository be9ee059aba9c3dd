# SPDX-License-Identifier: BSD-2-Clause
"""Graphs of a direction, and how they are drawn. Needs the extra `plot`.

figure(direction, "tsn")                  # a Plotly figure: show it, change it, write it as PNG
page(direction, "tsn")                    # HTML that works without a network and refines on zoom
head() + fragment(direction, "useful")    # the same for a page of one's own
"""

from collections.abc import Mapping
from typing import Any

from sctp_rack.errors import MissingExtraError
from sctp_rack.plots.drawable import Drawable
from sctp_rack.plots.graph import Between, Graph
from sctp_rack.plots.kinds import KINDS, Unit, graph_of

__all__ = ["KINDS", "Unit", "figure", "fragment", "head", "overlay", "overlay_fragment", "page"]


def figure(
    direction: Drawable,
    kind: str = "tsn",
    *,
    unit: Unit = "tsn",
    linked: bool = True,
    between: Between = (None, None),
    still: bool = False,
) -> Any:
    """A `plotly.graph_objects.Figure` of a direction, with as many marks as a screen can show.

    `kind` is one of `KINDS`. A time-sequence graph (`tsn`) counts TSNs or, with `unit="bytes"`,
    bytes of user data. What the sender waited for is linked below each, and below `tsn` counts of
    what was lost and sent again, round trips, flight and retransmission queue, unless `linked` is
    False. `between` are seconds since
    the first frame of the capture, None for its beginning or its end. In a `still` figure, which
    nobody zooms, bars are a pixel high at least, and what is hidden until it is asked for is left
    out.

    Raises `MissingExtraError` without the extra `plot`, `UsageError` for an unknown kind or unit
    and where there is nothing to draw, `KeyError` where `read` was told to leave a table out.
    """
    graph = _graph(direction, kind, unit=unit, linked=linked, between=between)
    from sctp_rack.plots.draw import draw

    return draw(graph, still=still)


def fragment(
    direction: Drawable,
    kind: str = "tsn",
    *,
    unit: Unit = "tsn",
    linked: bool = True,
    between: Between = (None, None),
    name: str | None = None,
) -> str:
    """The same as HTML for the body of a page whose head has `head()`, with all rows, to be zoomed
    into.

    `name` is the id of its element: unless told, of association, direction and kind.
    """
    graph = _graph(direction, kind, unit=unit, linked=linked, between=between)
    from sctp_rack.plots.web import fragment_of

    return fragment_of(graph, name or _name(direction, kind))


def page(
    direction: Drawable,
    kind: str = "tsn",
    *,
    unit: Unit = "tsn",
    linked: bool = True,
    between: Between = (None, None),
) -> str:
    """A whole HTML page of it, about 5 MB, most of it plotly.js; it loads nothing."""
    graph = _graph(direction, kind, unit=unit, linked=linked, between=between)
    from sctp_rack.plots.web import page_of

    return page_of(graph, _name(direction, kind))


def head() -> str:
    """What goes once into the head of a page with fragments: styles and scripts, 5 MB."""
    _needs_extra()
    from sctp_rack.plots.web import head

    return head()


def overlay(directions: Mapping[str, Drawable], kind: str = "useful", *, title: str = "") -> Any:
    """A Plotly figure of the same lines of several directions, by their names, each from its first
    DATA on.

    Kinds with lines: `tsn` (cumulative TSN), `useful`, `throughput`, `flight`, `rtt` (srtt).
    """
    graph = _overlaid(directions, kind, title)
    from sctp_rack.plots.draw import draw

    return draw(graph)


def overlay_fragment(
    directions: Mapping[str, Drawable],
    kind: str = "useful",
    *,
    title: str = "",
    name: str,
    between: Between = (None, None),
) -> str:
    """The same as HTML, as `fragment`; what is shown at first is `between`, of all together."""
    graph = _overlaid(directions, kind, title, between)
    from sctp_rack.plots.web import fragment_of

    return fragment_of(graph, name)


def _name(direction: Drawable, kind: str) -> str:
    return f"{kind}-{direction.assoc}-{direction.name}"


def _graph(direction: Drawable, kind: str, **how: Any) -> Graph:
    _needs_extra()
    return graph_of(direction, kind, **how)


def _overlaid(
    directions: Mapping[str, Drawable], kind: str, title: str, between: Between = (None, None)
) -> Graph:
    _needs_extra()
    from sctp_rack.plots.overlaid import overlaid

    return overlaid(directions, kind, title, between)


def _needs_extra() -> None:
    try:
        import plotly
        import tsdownsample
    except ModuleNotFoundError as error:
        raise MissingExtraError("graphs need `pip install plotly tsdownsample`") from error
    del plotly, tsdownsample
