# SPDX-License-Identifier: BSD-2-Clause
"""Tables of what was true and what was said."""

from collections.abc import Mapping

from bench.accuracy.figures import percent
from bench.accuracy.table import table

_VERDICTS = ("spurious", "needed", "undetermined", "none", "missing")


def verdicts_table(counts: Mapping[tuple[str, str], int]) -> str:
    """`none`: it is not called a retransmission."""
    said = [word for word in _VERDICTS if any(one == word for _, one in counts)]
    rows = []
    for true in sorted({one for one, _ in counts}):
        cells = [counts.get((true, word), 0) for word in said]
        rows.append((true, f"{sum(cells):,}", *(f"{count:,}" if count else "" for count in cells)))
    return table(("", "cases", *(f"`{word}`" if word != "none" else word for word in said)), rows)


def causes_table(counts: Mapping[tuple[str, str], int]) -> str:
    """With the share of each that is named."""
    true = sorted({one for one, _ in counts})
    said = sorted({one for _, one in counts})
    rows = []
    for one in true:
        cells = [counts.get((one, other), 0) for other in said]
        named = percent(counts.get((one, one), 0), sum(cells))
        shown = (f"{count:,}" if count else "" for count in cells)
        rows.append((f"`{one}`", f"{sum(cells):,}", named, *shown))
    return table(("", "cases", "named", *(f"`{one}`" for one in said)), rows)
