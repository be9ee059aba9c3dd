# SPDX-License-Identifier: BSD-2-Clause
"""What the page on a fleet says: which captures and associations, why, and before and after."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sctp_rack.errors import UsageError
from sctp_rack.fleet.ab import lines, sides
from sctp_rack.fleet.ab_text import LineText, line_texts
from sctp_rack.fleet.dataset import Dataset
from sctp_rack.fleet.named import CAUSES, NAMED, SENT, SUMS, WORST
from sctp_rack.fleet.query import opened, rows
from sctp_rack.names import Verdict
from sctp_rack.report.contents import Figure, Share
from sctp_rack.report.page import page
from sctp_rack.summary.direction_lines import VERDICT
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration

#: Associations and captures that are listed, and of those that are broken or unreadable.
_WORST, _CAPTURES, _UNREAD = 20, 30, 50

#: Tables that the page is made of.
TABLES = ("transmissions", "probes", "associations")

_CLASSES = f"""
SELECT verdict, verdict_class AS class, count(*) AS count
FROM ({SENT}) WHERE kind = 'retransmission' GROUP BY ALL ORDER BY class DESC
"""

_EXTENT = "SELECT count(*) AS captures, min(first_ns) AS first, max(last_ns) AS last FROM captures"


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
        extent, *_ = rows(connection, _EXTENT)
        kept = {row["name"] for row in rows(connection, "SHOW TABLES")}
        if missing := [name for name in TABLES if extent["captures"] and name not in kept]:
            raise UsageError(f"{folder}: the page needs the tables {', '.join(missing)}")
        captures = rows(connection, SUMS)
        causes = rows(connection, CAUSES)
        worst = rows(connection, WORST)
        unread = rows(connection, NAMED["unread"])
        shares = list(_shares(rows(connection, _CLASSES)))
    sums = {name: sum(one[name] for one in captures) for name in _SUMMED}
    before_after, told = list[LineText](), ""
    if asked:
        before, after = sides(captures, **asked)
        before_after = list(line_texts(lines(before, after)))
        told = _told(asked)
    return Fleet(
        folder=Path(folder).resolve().name,
        extent=_extent(extent),
        headline=_headline(sums, captures),
        figures=list(_figures(sums, len(captures), unread)),
        shares=shares,
        before_after=before_after,
        sides=told,
        worst=worst[:_WORST],
        causes=causes,
        captures=captures[:_CAPTURES],
        more=max(len(captures) - _CAPTURES, 0),
        unread=unread[:_UNREAD],
        more_unread=max(len(unread) - _UNREAD, 0),
    )


_SUMMED = (
    *("chunks", "retransmissions", "spurious", "undetermined", "lost", "recoveries", "by_timeout"),
    *("recovery_s", "probes", "spurious_probes", "probes_judged"),
)


def _extent(found: Mapping[str, Any]) -> str:
    times = [found["first"], found["last"]]
    if None in times:
        return many(found["captures"], "capture")
    first, last = (datetime.fromtimestamp(at // 10**9, UTC) for at in times)
    return (
        f"{many(found['captures'], 'capture')}, {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC"
    )


def _headline(sums: Mapping[str, Any], captures: Sequence[Mapping[str, Any]]) -> str:
    if not sums["retransmissions"]:
        return "Nothing was sent again."
    text = (
        f"{sums['spurious']:,} of {many(sums['retransmissions'], 'retransmission')} were spurious."
    )
    having = sum(1 for one in captures if one["spurious"])
    if not having:
        return text
    half, some = 0, 0
    for one in captures:  # the worst come first
        if 2 * half >= sums["spurious"]:
            break
        half, some = half + one["spurious"], some + 1
    of_all = f"{having:,} of {many(len(captures), 'capture')}"
    return f"{text[:-1]}; {of_all} have any, and half are in {some:,}."


def _figures(
    sums: Mapping[str, Any], captures: int, unread: Sequence[Mapping[str, Any]]
) -> Iterator[Figure]:
    chunks, again = sums["chunks"], sums["retransmissions"]
    bad = sum(one["status"] not in ("read", "cut") for one in unread)
    yield Figure(f"{captures:,}", "captures", f"{bad:,} broken or unreadable" if bad else "")
    yield Figure(f"{chunks:,}", "DATA chunks on the wire")
    if not chunks:
        return
    yield Figure(f"{sums['lost']:,}", "lost", f"{100 * sums['lost'] / chunks:.1f} % of them")
    yield Figure(f"{again:,}", "sent again", f"{100 * again / chunks:.1f} %")
    if again:
        open_ = sums["undetermined"]
        note = f"{open_:,} cannot be judged" if open_ else ""
        yield Figure(f"{sums['spurious']:,}", "of these spurious", note)
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


def _told(asked: Mapping[str, Any]) -> str:
    if asked["split"]:
        return f"before and from {asked['split']} on"
    return f"{', '.join(asked['before'])} and {', '.join(asked['after'])}"
