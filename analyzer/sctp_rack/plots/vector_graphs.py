# SPDX-License-Identifier: BSD-2-Clause
"""The worked examples of the recovery model as graphs: TSNs over time, and a ladder of packets.

Unlike a capture an example knows what was lost and why something was sent again; the marks are
those of the reference model, replayed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sctp_rack.durations import duration
from sctp_rack.names import Cause, Profile, SackKind, Trigger, Verdict
from sctp_rack.plots import style
from sctp_rack.plots.draw import draw
from sctp_rack.plots.graph import Graph, Layer, Look, Panel
from sctp_rack.plots.layers import present, said
from sctp_rack.plots.resent import look_of, name_of
from sctp_rack.reference.events import Event, Feedback, Mark, Transmission
from sctp_rack.reference.vector import Vector, feed


@dataclass(frozen=True)
class Copy:
    """One transmission of a TSN; times are milliseconds."""

    at: float
    tsn: int
    copy: int
    lost: bool
    cause: Cause | None
    verdict: Verdict | None


@dataclass
class Story:
    """What a vector tells: copies, acknowledgements, marks."""

    copies: list[Copy] = field(default_factory=list)
    sacks: list[Feedback] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    @property
    def tsns(self) -> list[int]:
        """Each once, lowest first."""
        return sorted({one.tsn for one in self.copies})


def story(vector: Vector, profile: Profile | None = None) -> Story:
    """The events of a vector, and the marks of its first run, or of the one with this profile."""
    run = next((one for one in vector.runs if profile in (None, one.profile)), None)
    if run is None:
        raise ValueError(f"{vector.name} has no run of {profile}")
    told = Story()
    truth = {
        (row["tsn"], row["copy"]): row
        for row in vector.data.get("verdicts", {}).get("transmissions", [])
    }
    raw = next(
        (
            one["events"]
            for one in vector.data["runs"]
            if one["profile"] == run.profile and "events" in one
        ),
        vector.data["events"],
    )
    count: Counter[int] = Counter()
    for event in run.events:
        if isinstance(event, Feedback):
            told.sacks.append(event)
        elif isinstance(event, Transmission):
            for chunk in event.chunks:
                tsn = chunk.tsn.value
                count[tsn] += 1
                row = truth.get((tsn, count[tsn]), {})
                cause, verdict = row.get("cause"), row.get("verdict")
                told.copies.append(
                    Copy(
                        *(event.time_ns / 1e6, tsn, count[tsn]),
                        lost=bool(raw[event.frame - 1].get("lost")),
                        cause=Cause(cause) if cause else None,
                        verdict=Verdict(verdict) if verdict else None,
                    )
                )
    told.marks = _marks(run.events, run)
    return told


def _marks(events: list[Event], run: Any) -> list[Mark]:
    model = run.model()
    for event in events:
        last = event.time_ns - 1 if isinstance(event, Feedback) else event.time_ns
        model.time_passed(last)
        feed(model, event)
    if run.until_ns is not None:
        model.time_passed(run.until_ns)
    marks: list[Mark] = model.take_marks()
    return marks


def sequence(vector: Vector, profile: Profile | None = None, until_ms: float | None = None) -> Any:
    """A Plotly figure of TSNs over time; with `until_ms` only what came before."""
    told = story(vector, profile)
    until = np.inf if until_ms is None else until_ms
    shown = Story(
        copies=[one for one in told.copies if one.at <= until],
        sacks=[one for one in told.sacks if one.time_ns / 1e6 <= until],
        marks=[one for one in told.marks if one.time_ns / 1e6 <= until],
    )
    times = [one.at for one in told.copies] + [one.time_ns / 1e6 for one in told.sacks]
    margin = max((max(times) - min(times)) * 0.06, 1)
    low, high = told.tsns[0], told.tsns[-1] + 1
    panel = Panel(
        "TSN",
        [*_acknowledged(shown, low), *_transmissions(shown), *_ringed(shown)],
        extent=(low - 0.3, high + 0.4),
        weight=0.8,
        whole=True,
    )
    figure = draw(
        Graph(
            title=vector.title,
            subtitle=_rates(told),
            panels=[lambda: panel],
            extent=(min(times) - margin, max(times) + margin),
            time="milliseconds",
        )
    )
    figure.update_yaxes(
        tickvals=[tsn + 0.5 for tsn in told.tsns], ticktext=[str(tsn) for tsn in told.tsns]
    )
    return figure


def _rates(told: Story) -> str:
    lost = sum(one.lost for one in told.copies)
    return (
        f"{len(told.tsns)} TSNs, {len(told.copies)} transmissions, {lost} of them lost: "
        f"loss rate {lost} / {len(told.tsns)} = {100 * lost / len(told.tsns):.0f} % of the TSNs"
    )


def _transmissions(told: Story) -> list[Layer]:
    layers = [
        _bars(
            "DATA",
            Look(style.DATA, "square", 9, width=3),
            [c for c in told.copies if c.copy == 1],
        )
    ]
    lost = [one for one in told.copies if one.lost]
    cross = Look(style.LOST, "x-thin-open", 27, width=3)
    layers.append(
        Layer(
            *(
                "Lost",
                "points",
                cross,
                np.array([c.at for c in lost]),
                np.array([c.tsn + 0.5 for c in lost]),
            ),
            hover="lost",
            group="lost",
        )
    )
    for cause in style.LETTERS:
        for verdict in style.VERDICTS:
            again = [
                one
                for one in told.copies
                if one.copy > 1
                and (one.cause or Cause.UNKNOWN) == cause
                and (one.verdict or Verdict.UNDETERMINED) == verdict
            ]
            layers.append(_bars(name_of(cause, verdict), look_of(cause, verdict, 4), again))
    return present(*layers)


def _bars(name: str, look: Look, copies: list[Copy]) -> Layer:
    tsns = np.array([one.tsn for one in copies], dtype=np.float64)
    return Layer(
        *(name, "bars", look, np.array([one.at for one in copies]), tsns),
        y1=tsns + 1,
        hover="TSN %{customdata[0]}, copy %{customdata[1]}, at %{x} ms",
        about=(tsns.astype(np.int64), np.array([one.copy for one in copies], dtype=np.int64)),
        group="sent" if name == "DATA" else "sent again",
    )


def _acknowledged(told: Story, lowest: int) -> list[Layer]:
    sacks = told.sacks
    at = np.array([one.time_ns / 1e6 for one in sacks])
    cum = np.array([one.cum_tsn.value + 1 for one in sacks], dtype=np.float64)
    steps = Layer(
        *("Cumulative TSN", "steps", Look(style.ACKED, width=2.5), at, np.maximum(cum, lowest)),
        hover="acknowledged up to %{y} at %{x} ms",
        group="acknowledged",
    )
    layers = [steps]
    for name, look, blocks in (
        (
            "Gap block",
            Look(style.GAP, width=4),
            [(s, b) for s in sacks if not _kept(s) for b in s.gaps],
        ),
        (
            "NR gap block",
            Look(style.NR_GAP, width=5, dash="3px,2px"),
            [(s, b) for s in sacks for b in (*s.nr_gaps, *(s.gaps if _kept(s) else ()))],
        ),
    ):
        first = np.array([block[0].value for _, block in blocks], dtype=np.float64)
        layers.append(
            Layer(
                *(name, "bars", look, np.array([s.time_ns / 1e6 for s, _ in blocks]), first),
                y1=np.array([block[1].value + 1 for _, block in blocks], dtype=np.float64),
                hover=f"{name} at %{{x}} ms",
                group="acknowledged",
            )
        )
    return present(*layers)


def _kept(sack: Feedback) -> bool:
    return sack.kind == SackKind.NR_SACK and sack.all_non_renegable


def _ringed(told: Story) -> list[Layer]:
    looks = {
        "Marked by time": (style.MARK, "circle-open", (Trigger.ACK, Trigger.TIMER)),
        "Marked by the third missing report": (style.MARK, "hexagon-open", (Trigger.MISS3,)),
        "Marked by T3-rtx": (style.MARK, "octagon-open", (Trigger.RTO,)),
    }
    layers = []
    for name, (colour, symbol, triggers) in looks.items():
        marks = [one for one in told.marks if one.trigger in triggers]
        windows = [one.reo_wnd_ns or 0 for one in marks]
        layers.append(
            Layer(
                *(name, "points", Look(colour, symbol, 23, width=2.5)),
                *(
                    np.array([one.time_ns / 1e6 for one in marks]),
                    np.array([m.tsn.value + 0.5 for m in marks]),
                ),
                hover="copy %{customdata[0]} marked lost at %{x} ms%{customdata[1]}",
                about=(
                    np.array([one.copy for one in marks], dtype=np.int64),
                    said([f", reordering window {duration(w)}" if w else "" for w in windows]),
                ),
                group="what loss detection would say",
            )
        )
    return present(*layers)


@dataclass(frozen=True)
class Buffer:
    """What the sender keeps at a time: TSNs that may be needed, and those that arrived."""

    at: float
    needed: list[int]
    kept: list[int]


def buffers(vector: Vector) -> list[Buffer]:
    """The retransmission queue of a vector, at each instant at which it changes."""
    told = story(vector)
    happened: list[tuple[float, Copy | Feedback]] = [(one.at, one) for one in told.copies]
    happened += [(one.time_ns / 1e6, one) for one in told.sacks]
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
        if tsn <= sack.cum_tsn.value or non_renegable or (gap and _kept(sack)):
            del queue[tsn]
        elif gap:
            queue[tsn] = True


def ladder(vector: Vector, room: int = 8) -> Any:
    """A Plotly figure: packets between sender and receiver, beside a send buffer of `room`."""
    import plotly.graph_objects as go

    from sctp_rack.plots import theme

    theme.register()
    told = story(vector)
    path = next(iter(vector.data.get("paths", {"p0": {}}).values())) or {}
    way = float(path.get("path_min_rtt", path.get("min_rtt", "100"))) / 2
    traces = [*_packets(told, way), *_boxes(buffers(vector), room)]
    times = [one.at for one in told.copies] + [one.time_ns / 1e6 for one in told.sacks]
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


def _packets(told: Story, way: float) -> Iterator[dict[str, Any]]:
    data = [one for one in told.copies if not one.lost]
    gone = [one for one in told.copies if one.lost]
    yield _arrows([(0, c.at, 1, c.at + way) for c in data], "DATA", style.DATA)
    yield _arrows(
        [(0, c.at, 0.55, c.at + 0.55 * way) for c in gone], "lost", style.LOST, "x-thin-open"
    )
    for kind, name, colour in (
        (SackKind.SACK, "SACK", style.ACKED),
        (SackKind.NR_SACK, "NR-SACK", style.ACKED),
    ):
        sacks = [one for one in told.sacks if one.kind == kind]
        lines = [(1, s.time_ns / 1e6 - way, 0, s.time_ns / 1e6) for s in sacks]
        if lines:
            yield _arrows(lines, name, colour)
            yield _texts(
                [(1.02, line[1], _words(s)) for line, s in zip(lines, sacks, strict=True)],
                "right",
                colour,
            )
    sent: dict[float, list[str]] = {}
    for one in told.copies:
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
