# SPDX-License-Identifier: BSD-2-Clause
"""The section on signalling of docs/accuracy-details.md."""

from bench.accuracy.table import table

from .setting import IP_IDS, TAPS
from .tallies import DIFFERENCES, Invented, Tallies

_HEAD = """## Signalling

Is a pause taken for a loss? Generated signalling (`bench/accuracy/signalling`) of which nothing is
lost, sent again, repeated or overtaken: reports, requests and responses, bursts with pauses as long
as the timers of stacks, typing, procedures; round trips of 1 to 300 ms. Every retransmission
that is claimed is a false one. `python -m bench.accuracy.signalling` looks at a million originals.
"""


def section(tallies: Tallies) -> list[str]:
    """Its parts."""
    total = tallies.total
    rows = [("all", "", *_figures(total))]
    for name in DIFFERENCES:
        rows += [(name, word, *_figures(sums)) for word, sums in tallies.group(name)]
    return [
        _HEAD,
        f"**False retransmissions per million originals: {total.resends_per_million:,.0f}** "
        f"({total.resends:,} of {total.originals:,} in {total.captures:,} captures).\n",
        table(
            (
                "",
                "",
                "originals",
                "retransmissions a million",
                "lost",
                "probes",
                "repeated",
                "findings",
            ),
            rows,
        ),
        "False retransmissions per million originals by IP-ID and tap:\n",
        table(
            ("IP-ID", *TAPS),
            ((ip_id, *(_crossed(tallies, ip_id, tap) for tap in TAPS)) for ip_id in IP_IDS),
        ),
        f"Findings that are more than a note, and the captures that have them: {_findings(total)}."
        "\n",
    ]


def in_short(tallies: Tallies) -> str:
    """What docs/accuracy.md says of it."""
    total = tallies.total
    return (
        "Of generated signalling in which nothing is lost, with pauses as long as stacks' timers "
        "([more](accuracy-details.md#signalling)): **False retransmissions per million originals: "
        f"{total.resends_per_million:,.0f}** ({total.resends:,} of {total.originals:,} in "
        f"{total.captures:,} captures).\n"
    )


def _figures(sums: Invented) -> tuple[str, ...]:
    claimed = (sums.lost, sums.probes, sums.duplicates, sums.findings.total())
    per_million = f"{sums.resends_per_million:,.0f}"
    return (f"{sums.originals:,}", per_million, *(f"{count:,}" for count in claimed))


def _crossed(tallies: Tallies, ip_id: str, tap: str) -> str:
    sums = tallies.crossed.get((ip_id, tap))
    return "–" if sums is None else f"{sums.resends_per_million:,.0f}"


def _findings(total: Invented) -> str:
    counts = (f"`{code}` {count:,}" for code, count in total.findings.most_common())
    return ", ".join(counts) or "none"
