# SPDX-License-Identifier: BSD-2-Clause
"""A graph as HTML that needs no network: a fragment to embed, and what a page needs once."""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from sctp_rack.plots import style, theme
from sctp_rack.plots.draw import draw
from sctp_rack.plots.graph import Graph, Layer
from sctp_rack.plots.pack import Packer
from sctp_rack.plots.screen import MOST


def head() -> str:
    """What goes once into the head of a page with fragments: styles and scripts, 5 MB."""
    from plotly.offline import get_plotlyjs

    here = files("sctp_rack.plots")
    dark = json.dumps(theme.template(dark=True))
    scripts = "\n".join((here / f"{one}.js").read_text() for one in ("legend", "hover", "refine"))
    return (
        f"<style>{style.custom_properties()}{(here / 'page.css').read_text()}</style>\n"
        f"<script>{get_plotlyjs()}</script>\n"
        f"<script>{scripts}\nsctpRack.dark = {dark};</script>\n"
    )


def fragment_of(graph: Graph, name: str) -> str:
    """The graph for a page whose head has `head()`; `name` is its id there, and must be unique."""
    packer = Packer()
    layers: list[dict[str, Any]] = []

    def seen(layer: Layer, panel: int, traces: Sequence[int]) -> None:
        if len(layer) > MOST.get(layer.shape, len(layer)):
            layers.append({"traces": [*traces], "panel": panel, "rows": packer.layer(layer)})

    figure = draw(graph, seen).to_json()
    detail = {"layers": layers, "columns": packer.columns(), "episodes": graph.episodes}
    merged = bool(detail["layers"])
    drawn = "merged" if merged else "every"
    hint = (
        "What would hide each other is drawn as one: zoom in to tell them apart."
        if merged
        else "Everything is drawn one by one."
    )
    steps = (
        '<nav aria-label="zoom"><button type="button">‹ recovery before</button>'
        '<button type="button">whole</button><button type="button">next recovery ›</button></nav>'
        if detail["episodes"]
        else ""
    )
    identity = escape(name, quote=True)
    return (
        f'<div class="sctp-rack-graph" id="{identity}" data-detail="{drawn}">'
        f"{_head(graph)}{steps}"
        '<div class="drawn"><div class="plot"></div>'
        '<div class="legend" role="group" aria-label="Legend"></div></div>'
        f'<p class="status" role="status">{hint}</p>'
        '<p class="note">Drag to zoom, double-click to see all; click a name to hide or show it, '
        "a mark for its display filter.</p>"
        '<div class="picked" role="status" hidden></div>'
        f'<script type="application/json" class="figure">{_inside(figure)}</script>'
        f'<script type="application/json" class="detail">{_inside(json.dumps(detail))}</script>'
        f"<script>sctpRack.show({_inside(json.dumps(name))})</script></div>\n"
    )


def _head(graph: Graph) -> str:
    """Which file, who sends to whom, and how much was spurious: in words, and as a bar."""
    shares = [(word, count) for word, count in graph.shares if count]
    first, semicolon, then = graph.subtitle.partition("; ")
    first, then = (f"{first}.", f"{then[:1].upper()}{then[1:]}") if semicolon else (first, "")
    keys = "".join(
        f'<li><i class="{word}"></i>{count:,} {word}</li>'
        for word, count in sorted(shares, key=lambda one: one[0] == "lost")
    )
    bar = "".join(
        f'<span class="{word}" style="flex: {count}"></span>'
        for word, count in shares
        if word != "lost"
    )
    parts = [
        f'<p class="who">{escape(graph.title)} <span class="file">{escape(graph.file)}</span></p>',
        f'<p class="says"><b>{escape(first)}</b> {escape(then)}</p>' if first else "",
        f'<div class="share" aria-hidden="true">{bar}</div>' if bar else "",
        f'<ul class="keys" aria-label="Sent again, and lost">{keys}</ul>' if keys else "",
    ]
    return "".join(parts)


def page_of(graph: Graph, name: str = "graph") -> str:
    """A page with one graph."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(': '.join(filter(None, (graph.file, graph.title))))}</title>\n"
        "<style>body { margin: .6rem } @media (prefers-color-scheme: dark) "
        "{ body { background: #16191d; color: #dfe3e8 } }</style>\n"
        f"{head()}</head>\n<body>{fragment_of(graph, name)}</body></html>\n"
    )


def _inside(text: str) -> str:
    """JSON that may stand in a script element."""
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")
