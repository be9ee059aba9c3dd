# SPDX-License-Identifier: BSD-2-Clause
"""What the page on a fleet says: which captures and associations, why, and before and after."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sctp_rack.errors import UsageError
from sctp_rack.fleet.ab import before_after
from sctp_rack.fleet.ab_text import LineText, line_texts
from sctp_rack.fleet.dataset import Dataset
from sctp_rack.fleet.named import CAUSES, NAMED, SUMS, WORST
from sctp_rack.fleet.query import opened, rows
from sctp_rack.fleet.rows import SUMMED
from sctp_rack.names import Verdict
from sctp_rack.report.contents import Figure, Share, spurious_figure
from sctp_rack.report.page import page
from sctp_rack.summary.direction_lines import VERDICT
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration

#: Associations and captures that are listed, and of those that are broken or unreadable.
_WORST, _CAPTURES, _UNREAD = 20, 30, 50

#: Tables that the page is made of.
TABLES = ("associations",)

_CLASSES = """
SELECT verdict, verdict_class AS class, sum(chunks)::BIGINT AS count
FROM sent WHERE kind = 'retransmission' GROUP BY ALL ORDER BY class DESC
"""

_TOTALS = f"""
SELECT count(*) AS captures, count(frames) AS read, min(first_ns) AS first, max(last_ns) AS last,
  {", ".join(f"coalesce(sum({name}), 0) AS {name}" for name in SUMMED)}
FROM captures
"""

#: Of the captures that have any, the most first: into how many of them half of all fit.
_HALF = """
SELECT count(*) AS having, 1 + count(*) FILTER (2 * so_far < of_all) AS half FROM (
  SELECT sum(spurious) OVER (ORDER BY spurious DESC, capture) AS so_far,
    sum(spurious) OVER () AS of_all
  FROM captures WHERE spurious > 0
)
"""


@dataclass(frozen=True)
class Fleet:
    """A dataset as the page tells of it."""

    folder: str
    extent: str
    headline: str
    figures: list[Figure]
    shares: list[Share]
    #: Empty where nobody asked for before and after.
    before_after: list[LineText]
    sides: str
    worst: list[dict[str, Any]]
    causes: list[dict[str, Any]]
    captures: list[dict[str, Any]]
    more: int
    unread: list[dict[str, Any]]
    more_unread: int


def fleet_page(folder: str, asked: Mapping[str, Any] | None) -> str:
    """The page on the dataset in a folder; `asked` tells before from after (`ab.sides`).

    Raises `UsageError` where the dataset has not the tables that it takes.
    """
    return page("fleet.html", it=_fleet(folder, asked))


def _fleet(folder: str, asked: Mapping[str, Any] | None) -> Fleet:
    with opened(Dataset(folder)) as connection:
        totals, *_ = rows(connection, _TOTALS)
        kept = {row["name"] for row in rows(connection, "SHOW TABLES")}
        if missing := [name for name in TABLES if totals["captures"] and name not in kept]:
            raise UsageError(f"{folder}: the page needs the table {', '.join(missing)}")
        half, *_ = rows(connection, _HALF)
        captures = rows(connection, f"{SUMS} LIMIT {_CAPTURES}")
        causes = rows(connection, CAUSES)
        worst = rows(connection, WORST)
        unread = rows(connection, NAMED["unread"])
        shares = list(_shares(rows(connection, _CLASSES)))
        told = list(line_texts(before_after(connection, **asked))) if asked else []
    return Fleet(
        folder=Path(folder).resolve().name,
        extent=_extent(totals),
        headline=_headline(totals, half),
        figures=list(_figures(totals, unread)),
        shares=shares,
        before_after=told,
        sides=_sides(asked) if asked else "",
        worst=worst[:_WORST],
        causes=causes,
        captures=captures,
        more=totals["read"] - len(captures),
        unread=unread[:_UNREAD],
        more_unread=max(len(unread) - _UNREAD, 0),
    )


def _extent(found: Mapping[str, Any]) -> str:
    times = [found["first"], found["last"]]
    if None in times:
        return many(found["captures"], "capture")
    first, last = (datetime.fromtimestamp(at // 10**9, UTC) for at in times)
    return (
        f"{many(found['captures'], 'capture')}, {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC"
    )


def _headline(totals: Mapping[str, Any], half: Mapping[str, Any]) -> str:
    if not totals["retransmissions"]:
        return "Nothing was sent again."
    again = many(totals["retransmissions"], "retransmission")
    text = f"{totals['spurious']:,} of {again} were spurious"
    if not half["having"]:
        return f"{text}."
    of_all = f"{half['having']:,} of {many(totals['read'], 'capture')}"
    return f"{text}; {of_all} have any, and half are in {half['half']:,}."


def _figures(sums: Mapping[str, Any], unread: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    chunks, again = sums["chunks"], sums["retransmissions"]
    bad = sum(one["status"] not in ("read", "cut") for one in unread)
    yield Figure(
        f"{sums['captures']:,}", "captures", f"{bad:,} broken or unreadable" if bad else ""
    )
    yield Figure(f"{chunks:,}", "DATA chunks on the wire")
    if not chunks:
        return
    yield Figure(f"{sums['lost']:,}", "lost", f"{100 * sums['lost'] / chunks:.1f} % of them")
    yield Figure(f"{again:,}", "sent again", f"{100 * again / chunks:.1f} %")
    if again:
        yield spurious_figure(sums["spurious"], sums["undetermined"], again)
    if sums["recoveries"]:
        note = f"of {sums['recoveries']:,}, which took {duration(int(sums['recovery_s'] * 1e9))}"
        yield Figure(f"{sums['by_timeout']:,}", "recoveries by timeouts", note)
    if sums["probes"]:
        note = f"{sums['spurious_probes']:,} of {sums['probes_judged']:,} spurious"
        yield Figure(f"{sums['probes']:,}", "tail loss probes", note)


def _shares(found: Sequence[Mapping[str, Any]]) -> Iterator[Share]:
    for verdict, word in VERDICT.items():
        classes = [
            (one["class"] or 0, one["count"])
            for one in found
            if (one["verdict"] or Verdict.UNDETERMINED) == verdict
        ]
        yield Share(verdict.value, word, sum(count for _, count in classes), classes)


def _sides(asked: Mapping[str, Any]) -> str:
    if asked["split"]:
        return f"before and from {asked['split']} on"
    return f"{', '.join(asked['before'])} and {', '.join(asked['after'])}"
