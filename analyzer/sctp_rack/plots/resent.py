# SPDX-License-Identifier: BSD-2-Clause
"""Retransmissions in a graph: a letter for the cause, a shape for the verdict, and evidence."""

from collections.abc import Callable, Sequence

import numpy as np

from sctp_rack.names import MEANINGS, Cause, Evidence, Kind, Verdict
from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look, Words
from sctp_rack.plots.layers import Mask, said, sent_bars, texts
from sctp_rack.story.evidence import of_cause, of_verdict
from sctp_rack.wording.causes import NOUN, reason

#: How a verdict reads beside its word of the contract.
VERDICT = {
    Verdict.NEEDED: "needed: no earlier copy had arrived",
    Verdict.SPURIOUS: "spurious: an earlier copy had arrived",
    Verdict.UNDETERMINED: "undetermined: the capture cannot tell",
}


def name_of(cause: Cause, verdict: Verdict) -> str:
    """How retransmissions of this cause and verdict read in a legend."""
    return f"{verdict.value.capitalize()}, sent again {NOUN[cause]} ({style.LETTERS[cause]})"


def look_of(cause: Cause, verdict: Verdict, larger: float = 0) -> Look:
    """How they are drawn."""
    symbol, colour, size = style.VERDICTS[verdict]
    return Look(colour, symbol, size + larger, style.LETTERS[cause], style.INK, width=3)


def resent(data: Data) -> list[Layer]:
    """A bar and a letter for each, one layer for each cause and verdict; what is spurious lies
    above the others, and is told first."""
    sent = data.sent
    again = sent.is_("kind", Kind.RETRANSMISSION)
    layers = []
    for rank, verdict in reversed([*enumerate(style.VERDICTS)]):
        judged = again & sent.is_("verdict", verdict)
        if not judged.any():
            continue
        for cause in style.LETTERS:
            rows = np.flatnonzero(judged & sent.is_("cause", cause))
            if len(rows):
                layers.append(_letters(data, rows, cause, verdict, rank))
    return layers


def _letters(data: Data, rows: Mask, cause: Cause, verdict: Verdict, rank: int) -> Layer:
    sent = data.sent
    trigger = np.ma.asarray(sent.table["trigger_frame"])[rows]
    says = (
        f"sent again {reason(cause, None)}%{{customdata[4]}} (class %{{customdata[5]}})"
        "%{customdata[8]}<br>"
        f"<b>{VERDICT[verdict]}</b> (class %{{customdata[6]}})<br>"
        "%{customdata[7]}"
    ).replace("the feedback before it brought", "feedback brought")
    return sent_bars(
        *(data, rows, name_of(cause, verdict), look_of(cause, verdict), says),
        texts(trigger, lambda frame: f", frame {frame}"),
        sent.numbers("cause_class")[rows].astype(np.uint8),
        sent.numbers("verdict_class")[rows].astype(np.uint8),
        evidence(data, rows, of_verdict, "", "follows from the acknowledgements"),
        evidence(data, rows, of_cause, "<br>", ""),
        group="sent again",
        rank=rank,
    )


def evidence(
    data: Data,
    rows: Mask,
    wanted: Callable[[Sequence[str]], list[Evidence]],
    before: str,
    without: str,
) -> Words:
    """The wanted codes of these rows' evidence in words, one line each, or what to say without."""
    of, codes = data.sent.table.items("evidence")
    meanings = MEANINGS["evidence"]
    by_row: dict[int, list[str]] = {}
    here = np.isin(of, rows)
    for row, code in zip(of[here].tolist(), codes[here].tolist(), strict=True):
        by_row.setdefault(row, []).extend(f"{one}: {meanings[one]}" for one in wanted([code]))
    lines = ["<br>".join(by_row.get(row, ())) for row in rows]
    return said([before + line if line else without for line in lines])
