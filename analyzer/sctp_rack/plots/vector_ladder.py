# SPDX-License-Identifier: BSD-2-Clause
"""The worked examples of the recovery model as ladders of packets, beside what the sender keeps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sctp_rack.names import SackKind
from sctp_rack.plots import style
from sctp_rack.plots.vector_graphs import Copy, Story, kept, story
from sctp_rack.reference.events import Feedback
from sctp_rack.reference.vector import Vector


@dataclass(frozen=True)
class Buffer:
    """What the sender keeps at a time: TSNs that may be needed, and those that arrived."""

    at: float
    needed: list[int]
    kept: list[int]


def buffers(vector: Vector) -> list[Buffer]:
    """The retransmission queue of a vector, at each instant at which it changes."""
    drawn = story(vector)
    happened: list[tuple[float, Copy | Feedback]] = [(one.at, one) for one in drawn.copies]
    happened += [(one.time_ns / 1e6, one) for one in drawn.sacks]
    happened.sort(key=lambda one: one[0])  # stable: the order of the vector within an instant
    queue: dict[int, bool] = {}
    found: dict[float, Buffer] = {}
    for at, one in happened:
        if isinstance(one, Copy):
            queue.setdefault(one.tsn, False)
        else:
            _let_go(queue, one)
        found[at] = Buffer(
            at, [t for t, has in queue.items() if not has], [t for t, has in queue.items() if has]
        )
    return list(found.values())


def _let_go(queue: dict[int, bool], sack: Feedback) -> None:
    for tsn in [*queue]:
        blocks = [sack.gaps, sack.nr_gaps]
        gap, non_renegable = (any(a.value <= tsn <= b.value for a, b in one) for one in blocks)
        if tsn <= sack.cum_tsn.value or non_renegable or (gap and kept(sack)):
            del queue[tsn]
        elif gap:
            queue[tsn] = True


def ladder(vector: Vector, room: int = 8) -> Any:
    """A Plotly figure: packets between sender and receiver, beside a send buffer of `room`."""
    import plotly.graph_objects as go

    from sctp_rack.plots import theme

    theme.register()
    drawn = story(vector)
    path = next(iter(vector.data.get("paths", {"p0": {}}).values())) or {}
    way = float(path.get("path_min_rtt", path.get("min_rtt", "100"))) / 2
    traces = [*_packets(drawn, way), *_boxes(buffers(vector), room)]
    times = [one.at for one in drawn.copies] + [one.time_ns / 1e6 for one in drawn.sacks]
    span = max(times) - min(times)
    axis = {"showgrid": False, "showticklabels": False, "ticks": "", "showline": False}
    return go.Figure(
        traces,
        {
            "template": theme.LIGHT,
            "title": {"text": vector.title, "x": 0.01, "subtitle": {"text": vector.data["source"]}},
            "height": int(190 + span / 100 * 27),
            "width": 1000,
            "margin": {"l": 70, "r": 20, "t": 95, "b": 40},
            "xaxis": {**axis, "range": [-0.15 * room - 0.28, 1.3], "fixedrange": True},
            "yaxis": {
                "range": [max(times) + span * 0.03, min(times) - span * 0.05],
                "title": {"text": "milliseconds"},
            },
            "legend": {**theme.LEGEND, "orientation": "h", "y": 0, "yanchor": "top", "x": 0},
            "annotations": [
                _heading(-0.15 * (room + 1) / 2 - 0.1, f"retransmission queue, room for {room}"),
                _heading(0, "sender"),
                _heading(1, "receiver"),
            ],
            "hovermode": "closest",
        },
    )


def _heading(x: float, text: str) -> dict[str, Any]:
    return {
        "x": x,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": -14,
        "text": f"<b>{text}</b>",
        "showarrow": False,
    }


def _packets(drawn: Story, way: float) -> Iterator[dict[str, Any]]:
    data = [one for one in drawn.copies if not one.lost]
    gone = [one for one in drawn.copies if one.lost]
    yield _arrows([(0, c.at, 1, c.at + way) for c in data], "DATA", style.DATA)
    yield _arrows(
        [(0, c.at, 0.55, c.at + 0.55 * way) for c in gone], "lost", style.LOST, "x-thin-open"
    )
    for kind, name, colour in (
        (SackKind.SACK, "SACK", style.ACKED),
        (SackKind.NR_SACK, "NR-SACK", style.ACKED),
    ):
        sacks = [one for one in drawn.sacks if one.kind == kind]
        lines = [(1, s.time_ns / 1e6 - way, 0, s.time_ns / 1e6) for s in sacks]
        if lines:
            yield _arrows(lines, name, colour)
            yield _texts(
                [(1.02, line[1], _words(s)) for line, s in zip(lines, sacks, strict=True)],
                "right",
                colour,
            )
    sent: dict[float, list[str]] = {}
    for one in drawn.copies:
        letter = f" {style.LETTERS[one.cause]}" if one.cause else ""
        sent.setdefault(one.at, []).append(
            f"<b>{one.tsn}{letter}</b>" if one.copy > 1 else str(one.tsn)
        )
    yield _texts([(-0.02, at, " ".join(tsns)) for at, tsns in sent.items()], "left", style.DATA)


def _words(sack: Feedback) -> str:
    """As the paper writes it: S:10;2-4 is the cumulative TSN and the gap blocks' offsets."""
    cum = sack.cum_tsn.value
    blocks = [f"{a.value - cum}-{b.value - cum}" for a, b in (*sack.gaps, *sack.nr_gaps)]
    return ";".join([f"{'N' if sack.kind == SackKind.NR_SACK else 'S'}:{cum}", *blocks])


def _arrows(
    lines: Sequence[tuple[float, float, float, float]],
    name: str,
    colour: str,
    symbol: str = "arrow",
) -> dict[str, Any]:
    x = [value for line in lines for value in (line[0], line[2], None)]
    y = [value for line in lines for value in (line[1], line[3], None)]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": x,
        "y": y,
        "line": {"color": colour, "width": 1.6},
        "marker": {
            "symbol": symbol,
            "size": [0, 11, 0] * len(lines),
            "color": colour,
            "angleref": "previous" if symbol == "arrow" else "up",
            "line": {"color": colour, "width": 2.5 if symbol != "arrow" else 0},
        },
        "hovertemplate": f"{name} at %{{y}} ms<extra></extra>",
    }


def _texts(texts: list[tuple[float, float, str]], side: str, colour: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "text",
        "showlegend": False,
        "hoverinfo": "skip",
        "x": [one[0] for one in texts],
        "y": [one[1] for one in texts],
        "text": [one[2] for one in texts],
        "textposition": f"middle {side}",
        "textfont": {"size": 11, "color": colour},
    }


def _boxes(states: list[Buffer], room: int) -> Iterator[dict[str, Any]]:
    """A row of boxes for each state of the buffer, drawn where it changed."""
    cells: dict[str, list[tuple[float, float, str]]] = {"needed": [], "kept": [], "free": []}
    for state in states:
        held = sorted([*((t, "needed") for t in state.needed), *((t, "kept") for t in state.kept)])
        for number in range(max(room, len(held))):
            x = -0.15 * (room - number) - 0.2
            tsn, what = held[number] if number < len(held) else ("", "free")
            cells[what].append((x, state.at, str(tsn)))
    looks = {
        "needed": ("may still be needed", style.DATA, "square", "white"),
        "kept": ("kept although it arrived", "#c9ced4", "square", style.INK),
        "free": ("free", style.ACKED, "square-open", style.ACKED),
    }
    for what, (name, colour, symbol, ink) in looks.items():
        yield {
            "type": "scatter",
            "mode": "markers+text" if what != "free" else "markers",
            "name": name,
            "x": [cell[0] for cell in cells[what]],
            "y": [cell[1] for cell in cells[what]],
            "text": [cell[2] for cell in cells[what]],
            "textfont": {"color": ink, "size": 10},
            "marker": {"symbol": symbol, "size": 21, "color": colour, "line": {"width": 1}},
            "hovertemplate": f"{name}: %{{text}}<extra></extra>",
        }
