# SPDX-License-Identifier: BSD-2-Clause
"""What a report says of a direction's waits: those of its sender, and those of its messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from sctp_rack.association import Direction
from sctp_rack.latency.by_stream import Late, by_stream
from sctp_rack.limits.shares import limited
from sctp_rack.limits.text import bound
from sctp_rack.limits.words import LETTERS, SENTENCES
from sctp_rack.names import Limit, Vantage
from sctp_rack.plots.data import FIELDS as GRAPH_FIELDS
from sctp_rack.wording.ppids import ppid_text
from sctp_rack.wording.rates import percent

#: Tables that these need.
TABLES = ("limits", "paths", "messages")

#: What a report needs of the rows of tables that may have many, where that is not all.
FIELDS = {
    "rack_state": (*GRAPH_FIELDS["rack_state"], "in_recovery"),
    "messages": (
        *("latency_ns", "sending_ns", "recovery_ns", "blocked_ns"),
        *("assoc", "ppid", "sid", "from", "present"),
    ),
}

#: Likewise where it is of a time.
FIELDS_OF_TIME = {"rack_state": FIELDS["rack_state"]}

#: Streams and protocols that are told.
_STREAMS = 12


@dataclass(frozen=True)
class Wait:
    """One limit of a direction."""

    letter: str
    says: str
    #: What a window allows; empty where it is none.
    bound: str
    share: str
    limit_class: int
    #: Where in the time it was waited for longest: an SVG path, 60 wide and 1 high.
    lane: str


@dataclass(frozen=True)
class LateRow:
    """How late messages of a stream and protocol were."""

    stream: str
    ppid: str
    late: Late


@dataclass(frozen=True)
class Waited:
    """Of one direction."""

    #: Longest first.
    limits: list[Wait]
    #: The latest first, and how many more there are.
    late: list[LateRow]
    more_late: int

    @property
    def most(self) -> str:
        """What limited it most, in words; empty without data."""
        return f"{self.limits[0].share} of the time {self.limits[0].says}" if self.limits else ""


def waited(direction: Direction) -> Waited:
    """Of a direction whose capture has `TABLES`."""
    window = direction.window
    found = limited(direction, window.begin_ns, window.end_ns)
    waits = [
        Wait(
            letter=LETTERS[Limit(share.limit)],
            says=SENTENCES[Limit(share.limit)],
            bound=bound(found, share),
            share=percent(share.share),
            limit_class=share.limit_class,
            lane=_lane(found.parts, share.limit),
        )
        for share in (found.limits if found else ())
        if found
    ]
    late = [] if _behind(direction) else by_stream(direction.told("messages"))
    rows = [_late_row(one, len(late) == 1) for one in late]
    return Waited(waits, rows[:_STREAMS], max(len(rows) - _STREAMS, 0))


def _late_row(late: Late, alone: bool) -> LateRow:
    if late.sid is None and not alone:
        return LateRow("all", "", late)
    return LateRow(str(late.sid), ppid_text(late.ppid), late)


def _behind(direction: Direction) -> bool:
    """Whether the way of the data is not seen, so that latencies would leave losses out."""
    recovery = direction.sender.recovery
    return recovery is not None and {way.vantage for way in recovery.paths} == {Vantage.RECEIVER}


def _lane(parts: Sequence[str], limit: str) -> str:
    path, at = "", 0
    for one, run in groupby(parts):
        wide = len(list(run))
        path += f"M{at} 0h{wide}v1h-{wide}z" if one == limit else ""
        at += wide
    return path
