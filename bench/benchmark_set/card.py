# SPDX-License-Identifier: BSD-2-Clause
"""The data card of the set: what it is, how it was made, what labels mean, and what it is not."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.accuracy.table import table
from bench.accuracy.truths import TAPS, Run

_CARD = Path(__file__).with_suffix(".md")
_TITLES = ("retransmission", "spurious", "needed", "loss", "probe")


def card(
    runs: list[Run],
    results: Mapping[str, Mapping[str, Mapping[str, Any]]],
    version: str,
    wireshark: str,
) -> str:
    """In Markdown; `results` by tool, stack and tap."""
    return _CARD.read_text(encoding="utf-8").format(
        version=version,
        wireshark=wireshark,
        amounts=_amounts(runs),
        baselines=_baselines(results),
    )


def _amounts(runs: list[Run]) -> str:
    counts: dict[str, Counter[str]] = {}
    for run in runs:
        sums = counts.setdefault(run.stack, Counter())
        sums["runs"] += 1
        for record in run.document["transmissions"]:
            sums["transmissions"] += 1
            sums["again"] += record["retransmission"]
            sums["spurious"] += record["spurious"] is True
            sums["caused"] += bool(record["retransmission"] and record["cause"])
    names = ("runs", "transmissions", "again", "spurious", "caused")
    rows = [
        (stack, *(f"{sums[name]:,}" for name in names)) for stack, sums in sorted(counts.items())
    ]
    head = (
        *("data sender's stack", "runs", "transmissions", "sent again"),
        *("of these spurious", "with a cause"),
    )
    return f"{len(runs):,} runs, {len(runs) * len(TAPS):,} captures:\n\n{table(head, rows)}"


def _baselines(results: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    rows = [
        (tap, tool, *(_figures(found[f"all, {tap}"]["questions"].get(name)) for name in _TITLES))
        for tap in (*TAPS, "all")
        for tool, found in results.items()
    ]
    return table(("tap", "tool", *_TITLES), rows)


def _figures(question: Mapping[str, Any] | None) -> str:
    if question is None or (question["precision"] is None and not question["recall"]):
        return "–"
    return " / ".join(
        "–" if value is None else f"{int(value * 1000) / 10:.1f}"
        for value in (question["precision"], question["recall"])
    )
