# SPDX-License-Identifier: BSD-2-Clause
"""The worked examples of the recovery model as graphs of TSNs over time.

Unlike a capture an example knows what was lost and why something was sent again; the marks are
those of the reference model, replayed.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sctp_rack.names import Cause, Profile, SackKind, Trigger, Verdict
from sctp_rack.plots import style
from sctp_rack.plots.draw import draw
from sctp_rack.plots.graph import Graph, Layer, Look, Panel
from sctp_rack.plots.layers import present, said
from sctp_rack.plots.resent import look_of, name_of
from sctp_rack.reference.events import Event, Feedback, Mark, Transmission
from sctp_rack.reference.vector import Vector, feed
from sctp_rack.wording.durations import duration


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
    drawn = Story()
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
            drawn.sacks.append(event)
        elif isinstance(event, Transmission):
            for chunk in event.chunks:
                tsn = chunk.tsn.value
                count[tsn] += 1
                row = truth.get((tsn, count[tsn]), {})
                cause, verdict = row.get("cause"), row.get("verdict")
                drawn.copies.append(
                    Copy(
                        *(event.time_ns / 1e6, tsn, count[tsn]),
                        lost=bool(raw[event.frame - 1].get("lost")),
                        cause=Cause(cause) if cause else None,
                        verdict=Verdict(verdict) if verdict else None,
                    )
                )
    drawn.marks = _marks(run.events, run)
    return drawn


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
    drawn = story(vector, profile)
    until = np.inf if until_ms is None else until_ms
    shown = Story(
        copies=[one for one in drawn.copies if one.at <= until],
        sacks=[one for one in drawn.sacks if one.time_ns / 1e6 <= until],
        marks=[one for one in drawn.marks if one.time_ns / 1e6 <= until],
    )
    times = [one.at for one in drawn.copies] + [one.time_ns / 1e6 for one in drawn.sacks]
    margin = max((max(times) - min(times)) * 0.06, 1)
    low, high = drawn.tsns[0], drawn.tsns[-1] + 1
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
            subtitle=_rates(drawn),
            panels=[lambda: panel],
            extent=(min(times) - margin, max(times) + margin),
            time="milliseconds",
        )
    )
    figure.update_yaxes(
        tickvals=[tsn + 0.5 for tsn in drawn.tsns], ticktext=[str(tsn) for tsn in drawn.tsns]
    )
    return figure


def _rates(drawn: Story) -> str:
    lost = sum(one.lost for one in drawn.copies)
    return (
        f"{len(drawn.tsns)} TSNs, {len(drawn.copies)} transmissions, {lost} of them lost: "
        f"loss rate {lost} / {len(drawn.tsns)} = {100 * lost / len(drawn.tsns):.0f} % of the TSNs"
    )


def _transmissions(drawn: Story) -> list[Layer]:
    layers = [
        _bars(
            "DATA",
            Look(style.DATA, "square", 9, width=3),
            [c for c in drawn.copies if c.copy == 1],
        )
    ]
    lost = [one for one in drawn.copies if one.lost]
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
                for one in drawn.copies
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


def _acknowledged(drawn: Story, lowest: int) -> list[Layer]:
    sacks = drawn.sacks
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
            [(s, b) for s in sacks if not kept(s) for b in s.gaps],
        ),
        (
            "NR gap block",
            Look(style.NR_GAP, width=5, dash="3px,2px"),
            [(s, b) for s in sacks for b in (*s.nr_gaps, *(s.gaps if kept(s) else ()))],
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


def kept(sack: Feedback) -> bool:
    """What it acknowledges in blocks stays acknowledged."""
    return sack.kind == SackKind.NR_SACK and sack.all_non_renegable


def _ringed(drawn: Story) -> list[Layer]:
    looks = {
        "Marked by time": (style.MARK, "circle-open", (Trigger.ACK, Trigger.TIMER)),
        "Marked by the third missing report": (style.MARK, "hexagon-open", (Trigger.MISS3,)),
        "Marked by T3-rtx": (style.MARK, "octagon-open", (Trigger.RTO,)),
    }
    layers = []
    for name, (colour, symbol, triggers) in looks.items():
        marks = [one for one in drawn.marks if one.trigger in triggers]
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
