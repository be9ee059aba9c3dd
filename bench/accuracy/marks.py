# SPDX-License-Identifier: BSD-2-Clause
"""Whether the replay of a sender marks what the sender itself marked, at the sender's tap.

Asked are the marks of the main data flow: RACK's of pion (by feedback or its timer), third missing
reports and timeouts of usrsctp and dcsctp. A row of the sender's own profile is the same mark when
its TSN is, and its trigger (but for pion, whose log does not tell these apart), within 1 ms.
Timeouts of usrsctp have 11 ms, since its timers tick every 10 ms. Hosts that take their time and
coarse clocks add theirs. Marks of which truth is not sure count neither way, nor do those of what
the tap never saw.
"""

from collections import defaultdict
from collections.abc import Iterable

from bench.accuracy.count import Row
from bench.accuracy.flow import main_direction
from bench.accuracy.tally import Mistake, Tally
from bench.accuracy.truths import Record, Run

_TAP = "sender"
_CLOSE_NS = 1_000_000
_TICK_NS = 10_000_000
_NEVER = 1 << 63


def count_marks(run: Run, rows: Iterable[Row]) -> Tally:
    """`rows` are those of `rack_marks` of the sender's capture."""
    tally, document = Tally(), run.document
    free = defaultdict(list)
    for row in rows:
        if row["profile"] == run.profile and row["trigger"] in _triggers(run) and _flow(run, row):
            free[row["tsn"]].append(row)
    question = tally.questions["marks"]
    offset = document["clock_offset_ns"].get(_TAP, 0)
    for mark in sorted(_marks(run), key=lambda one: not one.get("sure", True)):
        at, slack = mark["t_ns"] + offset, _slack_ns(run, mark)
        near = [
            row
            for row in free[mark["tsn"]]
            if abs(row["time_ns"] - at) <= slack
            and (run.profile == "pion" or row["trigger"] == mark["trigger"])
        ]
        if near:
            free[mark["tsn"]].remove(min(near, key=lambda row: abs(row["time_ns"] - at)))
        if mark.get("sure", True):
            question.right += bool(near)
            question.found += bool(near)
            question.missed += not near
            if not near:
                tally.mistakes.append(_missed(run, mark))
    for row in (one for rows_of_tsn in free.values() for one in rows_of_tsn):
        question.wrong += 1
        tally.mistakes.append(_unfounded(run, row))
    return tally


def _missed(run: Run, mark: Record) -> Mistake:
    """On the last copy that the tap saw before."""
    frame = max(
        record["frames"][_TAP]
        for record in run.document["transmissions"]
        if (record["dir"], record["tsn"]) == (mark["dir"], mark["tsn"])
        and record["frames"][_TAP]
        and record["t_ns"] <= mark["t_ns"]
    )
    true = f"lost, by {mark['trigger']}"
    return Mistake(run.capture(_TAP).name, "mark", frame, mark["tsn"], true, "nothing", "")


def _unfounded(run: Run, row: Row) -> Mistake:
    said = f"lost, by {row['trigger']}"
    name = run.capture(_TAP).name
    return Mistake(name, "mark", row["frame"] or 0, row["tsn"], "nothing", said, "")


def _triggers(run: Run) -> tuple[str, str]:
    return ("ack", "timer") if run.profile == "pion" else ("miss3", "rto")


def _flow(run: Run, row: Row) -> bool:
    """Without the beginning of a run a and b may be the other way round."""
    return "skip_ms" in run.document["capture_options"] or row["dir"] == main_direction(run)


def _marks(run: Run) -> list[Record]:
    """Of the main flow, of transmissions that the tap has seen before."""
    first: dict[tuple[str, int], int] = {}
    for record in run.document["transmissions"]:
        if record["frames"][_TAP]:
            first.setdefault((record["dir"], record["tsn"]), record["t_ns"])
    return [
        mark
        for mark in run.document["stack_marks"]
        if mark["tsn"] is not None
        and mark["dir"] == main_direction(run)
        and mark.get("trigger") in _triggers(run)
        and first.get((mark["dir"], mark["tsn"]), _NEVER) <= mark["t_ns"]
    ]


def _slack_ns(run: Run, mark: Record) -> int:
    document = run.document
    slack = _CLOSE_NS + int(document["capture_options"].get("clock_ns", 0))
    slack += int(document["scenario"].get("host_jitter_us", 0)) * 1000
    return slack + (_TICK_NS if run.profile == "usrsctp" and mark["trigger"] == "rto" else 0)
