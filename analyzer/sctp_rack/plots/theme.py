# SPDX-License-Identifier: BSD-2-Clause
"""The Plotly templates that all graphs follow, for a light and for a dark page."""

from typing import Any

LIGHT, DARK = "sctp_rack", "sctp_rack_dark"

_FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


#: Of each legend: templates know only the first.
LEGEND = {
    "tracegroupgap": 0,
    "grouptitlefont": {"size": 11, "color": "#6b7480"},
    "font": {"size": 11.5},
    "groupclick": "togglegroup",
    "itemsizing": "constant",
    "bgcolor": "rgba(0,0,0,0)",
}


def template(dark: bool) -> dict[str, Any]:
    """The layout of a template."""
    paper, ink, line, grid = (
        ("#16191d", "#dfe3e8", "#5b636d", "#2a2f36")
        if dark
        else ("#ffffff", "#22262b", "#b4bac2", "#e9ecef")
    )
    axis = {
        "gridcolor": grid,
        "linecolor": line,
        "tickcolor": line,
        "zeroline": False,
        "showline": True,
        "ticks": "outside",
        "ticklen": 4,
        "title": {"standoff": 10, "font": {"size": 12}},
        "spikecolor": line,
        "spikethickness": 1,
        "spikedash": "dot",
        "exponentformat": "SI",
    }
    return {
        "layout": {
            "paper_bgcolor": paper,
            "plot_bgcolor": paper,
            "font": {"family": _FONT, "size": 12, "color": ink},
            "title": {
                "font": {"size": 17},
                "subtitle": {"font": {"size": 14, "color": ink}},
            },
            "xaxis": axis,
            "yaxis": axis,
            "hoverlabel": {"bgcolor": paper, "bordercolor": line, "font": {"color": ink}},
        }
    }


def register() -> None:
    """Makes them known to Plotly as `sctp_rack` and `sctp_rack_dark`."""
    import plotly.io as pio

    for name, dark in ((LIGHT, False), (DARK, True)):
        if name not in pio.templates:
            pio.templates[name] = template(dark)
