# SPDX-License-Identifier: BSD-2-Clause
"""What always holds of the tables, whatever the capture was: "What always holds" of docs/tables.md.

Each rule is a function that gives a sentence for every row that breaks it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.readers.rows import Rows

Row = dict[str, Any]
Broken = Iterator[str]

DUPLICATES = {"network_duplicate", "capture_duplicate"}
#: Evidence on which `spurious` may be certain: both copies at the receiver, the acknowledgement
#: before this copy, or two independent signs.
CERTAIN = ({"S1"}, {"S2"}, {"S17"}, {"S8", "S3"}, {"S8", "S4"}, {"S8", "S5"})
#: A mark is called right or wrong where the fate of the marked copy is at least so sure.
LIKELY = 3
#: The U bit (RFC 9260 section 3.3.1).
UNORDERED = 0x04


def broken(rows: Rows) -> list[str]:
    """Every rule that does not hold, with the row."""
    return [f"{rule.__name__}: {each}" for rule in RULES for each in rule(rows)]


def _place(row: Row) -> tuple[int, int]:
    return row["frame"], row["chunk"]


def _half(row: Row) -> tuple[int, str]:
    return row["assoc"], row["dir"]


def _told(row: Row, *names: str) -> str:
    shown = ("frame", "chunk", "assoc", "dir", "tsn", "copy", "kind", *names)
    return str({name: row[name] for name in shown if name in row})


def _unless(holds: bool, row: Row, *names: str) -> Broken:
    if not holds:
        yield _told(row, *names)


def _are_bounds(row: Row, low: str, high: str, count: str) -> Broken:
    """Observations say that a value lies between two, one of which may be open."""
    lo, hi = row[low], row[high]
    yield from _unless(lo is None or hi is None or lo <= hi, row, low, high)
    yield from _unless(
        (row[count] > 0) == (lo is not None or hi is not None), row, low, high, count
    )


def _all_or_none(row: Row, *names: str) -> bool:
    return len({row[name] is None for name in names}) == 1


def _frames_of(rows: Iterable[Row]) -> dict[tuple[int, str], set[int]]:
    frames: dict[tuple[int, str], set[int]] = defaultdict(set)
    for row in rows:
        frames[_half(row)].add(row["frame"])
    return frames


def _sent(rows: Rows) -> list[Row]:
    return [row for row in rows["transmissions"] if row["assoc"] is not None]


def covers(sack: Row, tsn: int) -> bool:
    """By its cumulative TSN or a block."""
    if (sack["cum_tsn"] - tsn) % 2**32 < 2**31:
        return True
    return any(
        (tsn - first) % 2**32 <= (last - first) % 2**32 < 2**31
        for first, last in [*sack["gaps"], *sack["nr_gaps"]]
    )


# ---- every table


def rows_are_sorted_by_frame_and_chunk_which_is_unique(rows: Rows) -> Broken:
    for table in ("transmissions", "sacks", "chunks"):
        places = [_place(row) for row in rows[table]]
        if places != sorted(set(places)):
            yield table


def a_class_is_one_to_five(rows: Rows) -> Broken:
    for table, all_rows in rows.items():
        for row in all_rows:
            for name, value in row.items():
                if name == "class" or name.endswith("_class"):
                    yield from _unless(
                        value is None or 1 <= value <= 5, row | {"kind": table}, name
                    )


# ---- transmissions


def only_retransmissions_have_cause_and_verdict_and_all_of_them_have(rows: Rows) -> Broken:
    names = ("cause", "cause_class", "verdict", "verdict_class")
    for row in _sent(rows):
        again = row["kind"] == "retransmission"
        yield from _unless(all((row[name] is not None) == again for name in names), row, *names)
        yield from _unless(again or row["trigger_frame"] is None, row, "trigger_frame")


def each_transmission_has_an_outcome(rows: Rows) -> Broken:
    for row in _sent(rows):
        has = row["outcome"] is not None and row["outcome_class"] is not None
        yield from _unless(has, row, "outcome", "outcome_class")


def a_word_and_its_class_come_together(rows: Rows) -> Broken:
    for row in rows["transmissions"]:
        for name in ("cause", "probe", "verdict", "outcome"):
            yield from _unless(_all_or_none(row, name, f"{name}_class"), row, name, f"{name}_class")


def without_an_association_nothing_is_judged(rows: Rows) -> Broken:
    for row in rows["transmissions"]:
        judged = ("copy", "cause", "verdict", "outcome", "probe", "acked_frame", "resolved_frame")
        if row["assoc"] is None:
            yield from _unless(all(row[name] is None for name in judged), row, *judged)


def frames_of_earlier_copies_are_not_behind(rows: Rows) -> Broken:
    for row in _sent(rows):
        order = (row["first_frame"] or 0) <= (row["prev_frame"] or row["frame"]) <= row["frame"]
        yield from _unless(order, row, "first_frame", "prev_frame")


def copies_of_a_tsn_are_counted(rows: Rows) -> Broken:
    """1, 2, 3, …, anew with each `first_frame`, which forgotten ones do not have. What is told by
    the replay to be repeated by the network keeps its number."""
    last: dict[tuple[Any, ...], int] = {}
    for row in _sent(rows):
        if row["first_frame"] is None:
            yield from _unless(row["copy"] == 2 and row["kind"] == "retransmission", row)
            continue
        of = (*_half(row), row["tsn"], row["first_frame"])
        if row["kind"] in DUPLICATES and row["copy"] != last.get(of, 0) + 1:
            yield from _unless(row["copy"] in (1, last.get(of)), row, "first_frame")
        else:
            yield from _unless(row["copy"] in (1, last.get(of, 0) + 1), row, "first_frame")
            last[of] = row["copy"]
        first = row["copy"] == 1 and row["kind"] not in DUPLICATES
        yield from _unless((row["first_frame"] == row["frame"]) or not first, row, "first_frame")


def what_triggered_it_came_before_it(rows: Rows) -> Broken:
    feedback = _frames_of(row for row in rows["sacks"] if row["assoc"] is not None)
    drops = {row["frame"] for row in rows["chunks"] if row["name"] == "PKTDROP"}
    for row in _sent(rows):
        trigger = row["trigger_frame"]
        if trigger is None:
            continue
        yield from _unless(trigger < row["frame"], row, "cause", "trigger_frame")
        yield from _unless(trigger in feedback[_half(row)] | drops, row, "cause", "trigger_frame")


def what_acknowledged_it_covers_it(rows: Rows) -> Broken:
    sacks: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for sack in rows["sacks"]:
        sacks[sack["assoc"], sack["dir"], sack["frame"]].append(sack)
    for row in _sent(rows):
        if row["acked_frame"] is None:
            yield from _unless(row["acked_time_ns"] is None, row, "acked_time_ns")
            continue
        there = sacks[*_half(row), row["acked_frame"]]
        holds = any(
            covers(sack, row["tsn"]) and sack["time_ns"] == row["acked_time_ns"] for sack in there
        )
        yield from _unless(holds, row, "acked_frame", "acked_time_ns")


def what_reported_it_as_a_duplicate_has_its_tsn(rows: Rows) -> Broken:
    reports = {
        (sack["assoc"], sack["dir"], sack["frame"], tsn)
        for sack in rows["sacks"]
        for tsn in sack["dups"]
    }
    for row in _sent(rows):
        frame = row["dup_frame"]
        if frame is not None:
            holds = row["kind"] == "retransmission" and frame >= row["frame"]
            holds = holds and (*_half(row), frame, row["tsn"]) in reports
            yield from _unless(holds, row, "kind", "dup_frame")


def what_has_arrived_was_acknowledged_or_seen_to_arrive(rows: Rows) -> Broken:
    for row in _sent(rows):
        if row["outcome"] == "acked":
            yield from _unless(row["acked_frame"] is not None, row, "outcome", "outcome_class")


def nothing_is_resolved_before_it_was_seen(rows: Rows) -> Broken:
    for row in _sent(rows):
        at = row["resolved_frame"]
        if at is None:
            continue
        yield from _unless(at >= row["frame"], row, "resolved_frame", "outcome")
        yield from _unless(row["verdict"] is None, row, "resolved_frame", "verdict")
        yield from _unless(row["outcome"] != "unresolved", row, "resolved_frame", "outcome")
        if row["outcome"] == "acked":
            yield from _unless(
                at >= (row["acked_frame"] or 0), row, "resolved_frame", "acked_frame"
            )


def a_verdict_is_not_surer_than_its_evidence(rows: Rows) -> Broken:
    for row in _sent(rows):
        evidence, verdict, sure = set(row["evidence"] or ()), row["verdict"], row["verdict_class"]
        names = ("verdict", "verdict_class", "evidence", "acked_frame")
        if verdict is None:
            yield from _unless(not any(one[0] == "S" for one in evidence), row, *names)
        elif verdict == "spurious":
            grounds = any(codes <= evidence for codes in CERTAIN)
            yield from _unless(sure < 5 or grounds, row, *names)
        else:
            most = 4 if verdict == "needed" else 2
            yield from _unless(sure <= most, row, *names)
        if evidence & {"S2", "S17"} and row["assoc"] is not None:
            before = row["acked_frame"] is not None and row["acked_frame"] <= row["frame"]
            yield from _unless(before, row, *names)


def a_cause_that_is_not_known_is_a_guess(rows: Rows) -> Broken:
    for row in _sent(rows):
        if row["cause"] == "unknown":
            yield from _unless(row["cause_class"] == 1, row, "cause", "cause_class")


def a_probe_is_what_it_says(rows: Rows) -> Broken:
    for row in _sent(rows):
        if row["probe"] == "retransmission":
            yield from _unless(row["cause"] == "tlp", row, "probe", "cause")
        elif row["probe"] == "new_data":
            yield from _unless(row["kind"] == "original", row, "probe")
        yield from _unless(row["cause"] != "tlp" or row["probe"] is not None, row, "probe", "cause")


# ---- sacks


def what_a_sack_says_of_itself_fits(rows: Rows) -> Broken:
    for row in rows["sacks"]:
        yield from _unless(_all_or_none(row, "rtt_ns", "rtt_tag"), row, "rtt_ns", "rtt_tag")
        yield from _unless((row["rtt_ns"] or 0) >= 0, row, "rtt_ns")
        took_back = bool(row["reneged"]) == (row["reneged_class"] is not None)
        yield from _unless(took_back, row, "reneged", "reneged_class")
        if row["assoc"] is None or row["repeats"] is not None:
            continue
        needed, queued = row["rtxq_necessary_bytes"], row["rtxq_bytes"]
        yield from _unless(needed <= queued, row, "rtxq_bytes", "rtxq_necessary_bytes")
        yield from _unless(needed == row["outstanding_bytes"], row, "outstanding_bytes")
        for tsn in row["reneged"]:
            yield from _unless(not covers(row, tsn), row, "cum_tsn", "reneged")


def each_round_trip_of_a_sack_is_a_sample(rows: Rows) -> Broken:
    samples = {
        (*_half(row), row["frame"], row["rtt_ns"], row["tag"]) for row in rows["rtt_samples"]
    }
    for row in rows["sacks"]:
        if row["rtt_ns"] is not None:
            sample = (*_half(row), row["frame"], row["rtt_ns"], row["rtt_tag"])
            yield from _unless(sample in samples, row, "rtt_ns", "rtt_tag")


def each_sack_has_its_states(rows: Rows) -> Broken:
    sacks = [_place(row) for row in rows["sacks"]]
    states = [_place(row) for row in rows["rack_state"]]
    if states[:: max(1, len(states) // max(1, len(sacks)))] != sacks:
        yield f"{len(sacks)} sacks, {len(states)} states"


# ---- sums


def counts_are_those_of_the_rows(rows: Rows) -> Broken:
    counted: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    tsns: dict[tuple[Any, ...], set[int]] = defaultdict(set)
    for row in _sent(rows):
        for what in ("kind", "cause", "verdict", "outcome"):
            if what != "kind" and row["kind"] in DUPLICATES:
                continue
            if row[what] is not None:
                of = (*_half(row), what, row[what])
                counted[of] += Counter(transmissions=1, bytes=row["bytes"])
                tsns[of].add(row["tsn"])
    for row in rows["counts"]:
        of = (*_half(row), row["what"], row["name"])
        same = all(row[name] == counted[of][name] for name in ("transmissions", "bytes"))
        between = len(tsns[of]) <= row["tsns"] <= row["transmissions"]
        yield from _unless(same and between, row, "what", "name", "transmissions", "tsns", "bytes")
    words = [(*_half(row), row["what"], row["name"]) for row in rows["counts"]]
    if len(words) != len(set(words)) or set(words) != set(counted):
        yield "words"


def associations_add_up(rows: Rows) -> Broken:
    sums: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for row in _sent(rows):
        if row["kind"] not in DUPLICATES:
            sums[_half(row)] += Counter(chunks=1, bytes=row["bytes"])
    told = [row[name] for row in rows["associations"] for name in ("assoc", "joined")]
    told = sorted(number for number in told if number is not None)
    for row in rows["associations"]:
        number = row["assoc"]
        yield from _unless(told == list(range(len(told))), row, "joined")
        yield from _unless(row["first_frame"] <= row["last_frame"], row, "first_frame")
        for way in ("a2b", "b2a"):
            for name in ("chunks", "bytes"):
                same = row[f"{name}_{way}"] == sums[number, way][name]
                yield from _unless(same, row, f"{name}_{way}")
            acked = row[f"acked_bytes_{way}"] <= row[f"bytes_{way}"]
            yield from _unless(acked, row, f"acked_bytes_{way}", f"bytes_{way}")
            for name in (f"rtxq_util_{way}", f"rtxq_util_loss_{way}"):
                yield from _unless(row[name] is None or 0 <= row[name] <= 1, row, name)


def lost_tsns_are_those_with_a_lost_copy(rows: Rows) -> Broken:
    """A copy that is marked so, or one before the tap without which the first one seen was needed.

    Where TSNs are numbered anew, one is counted once or twice.
    """
    lost: dict[tuple[int, str], set[tuple[int, int | None]]] = defaultdict(set)
    for row in _sent(rows):
        unseen = row["copy"] == 1 and row["verdict"] == "needed"
        if row["outcome"] == "lost" or unseen:
            lost[_half(row)].add((row["tsn"], row["first_frame"]))
    for row in rows["associations"]:
        for way in ("a2b", "b2a"):
            name, those = f"lost_tsns_{way}", lost[row["assoc"], way]
            holds = len({tsn for tsn, _ in those}) <= row[name] <= len(those)
            yield from _unless(holds, row | {"rows": len(those)}, name, "rows")


# ---- paths, marks, probes, storms


def paths_are_told_once(rows: Rows) -> Broken:
    paths = [(*_half(row), row["path"]) for row in rows["paths"]]
    if len(paths) != len(set(paths)):
        yield "twice"
    for row in rows["paths"]:
        low, high = row["loop_lo_ns"], row["loop_hi_ns"]
        yield from _unless((low is None) == (high is None), row, "loop_lo_ns", "loop_hi_ns")
        yield from _unless(low is None or 0 <= low <= high, row, "loop_lo_ns", "loop_hi_ns")
        for name in ("rto_initial", "rto_min", "rto_max", "sack_delay"):
            yield from _are_bounds(row, f"{name}_lo_ns", f"{name}_hi_ns", f"{name}_count")
        for name in ("rto_backoff", "sack_frequency", "missing_reports"):
            yield from _are_bounds(row, f"{name}_lo", f"{name}_hi", f"{name}_count")
        score = row["profile_score"]
        yield from _unless(score is None or 0 <= score <= 1, row, "profile_score")
        yield from _unless(score is None or row["profile"] is not None, row, "profile")


def marks_are_of_rows_and_resolved_by_them(rows: Rows) -> Broken:
    sent: dict[tuple[Any, ...], Row] = {}
    for row in _sent(rows):
        if row["kind"] not in DUPLICATES:
            sent[*_half(row), row["frame"], row["tsn"]] = row
    for mark in rows["rack_marks"]:
        names = ("profile", "time_ns", "trigger", "by_frame", "resolution")
        by_timer = mark["trigger"] in ("timer", "rto")
        yield from _unless(by_timer == (mark["by_frame"] is None), mark, *names)
        if mark["frame"] is None:
            yield from _unless(mark["resolution"] == "unknown", mark, *names)
            continue
        marked = sent.get((*_half(mark), mark["frame"], mark["tsn"]))
        if marked is None or marked["copy"] != mark["copy"]:
            yield _told(mark, *names)
            continue
        sure = marked["outcome_class"] >= LIKELY
        right = {"lost": "true_loss", "acked": "false_mark"}.get(marked["outcome"], "unknown")
        expected = right if sure else "unknown"
        yield from _unless(mark["resolution"] == expected, mark, *names)


def probes_are_those_of_the_rows(rows: Rows) -> Broken:
    of_rows = Counter(
        (*_half(row), row["frame"], row["tsn"], row["probe"], row["probe_class"])
        for row in _sent(rows)
        if row["probe"] is not None
    )
    told = Counter(
        (*_half(row), row["frame"], row["tsn"], row["kind"], row["class"]) for row in rows["probes"]
    )
    for of in (of_rows - told) + (told - of_rows):
        yield str(of)


def storms_are_at_least_three_half_of_them_spurious(rows: Rows) -> Broken:
    for row in rows["storms"]:
        all_of, spurious = row["retransmissions"], row["spurious"]
        yield from _unless(all_of >= 3 and 2 * spurious >= all_of >= spurious, row)
        yield from _unless(max(row["recent"], row["avoidable"]) <= all_of, row)


def limits_of_a_direction_touch_and_differ(rows: Rows) -> Broken:
    before: dict[tuple[int, str], Row] = {}
    for row in rows["limits"]:
        names = ("begin_ns", "end_ns", "limit", "limit_class")
        yield from _unless(row["begin_ns"] < row["end_ns"], row, *names)
        unknown = row["limit"] == "unknown"
        yield from _unless(unknown == (row["limit_class"] == 1), row, *names)
        lasted_ns = row["end_ns"] - row["begin_ns"]
        yield from _unless(0 <= row["held_ns"] <= lasted_ns, row, *names, "held_ns")
        last = before.get(_half(row))
        if last is not None:
            touches = last["end_ns"] == row["begin_ns"] and last["limit"] != row["limit"]
            yield from _unless(touches, row, *names)
        before[_half(row)] = row


def windows_are_round_trips_with_bounds(rows: Rows) -> Broken:
    for row in rows["windows"]:
        least, most = row["cwnd_least"], row["cwnd_most"]
        told, largest = row["a_rwnd"], row["a_rwnd_most"]
        largest_is = told is None or told <= largest
        yield from _unless(largest_is, row, "a_rwnd", "a_rwnd_most")
        yield from _unless(row["begin_ns"] <= row["end_ns"], row, "begin_ns", "end_ns")
        known = (least is None and most is None) or least <= most
        yield from _unless(known, row, "cwnd_least", "cwnd_most")


def each_first_copy_belongs_to_one_message(rows: Rows) -> Broken:
    sent: Counter[tuple[Any, ...]] = Counter()
    for row in _sent(rows):
        if row["copy"] == 1 and row["kind"] in ("original", "reordered", "retransmission"):
            stream = (*_half(row), row["sid"], bool(row["flags"] & UNORDERED), row["mid"])
            sent[(*stream, "chunks")] += 1
            sent[(*stream, "bytes")] += row["bytes"]
    for row in rows["messages"]:
        stream = (*_half(row), row["sid"], row["unordered"], row["mid"])
        yield from _unless(row["chunks"] >= 1, row)
        sent[(*stream, "chunks")] -= row["chunks"]
        sent[(*stream, "bytes")] -= row["bytes"]
    for stream, left in sent.items():
        if left:
            yield f"{left} too few in {stream}"


def messages_are_told_when_they_were_delivered_and_why_then(rows: Rows) -> Broken:
    for row in rows["messages"]:
        there = row["state"] == "delivered"
        times = ("delivered_ns", "latency_ns", "waited_for")
        yield from _unless(all((row[name] is None) != there for name in times), row, *times)
        yield from _unless((row["latency_ns"] or 0) >= 0, row, "latency_ns")
        split = [row[name] for name in ("sending_ns", "recovery_ns", "blocked_ns")]
        told = row["latency_ns"] is not None
        yield from _unless(all((part is not None) == told for part in split), row, "sending_ns")
        if told:
            most = min(split) >= 0 and sum(split) <= row["latency_ns"]
            yield from _unless(most, row, "sending_ns", "recovery_ns", "blocked_ns")
        whole = row["begins"] and row["ends"]
        yield from _unless(whole or row["state"] in ("incomplete", "abandoned"), row, "state")
        alone = row["unordered"] and row["waited_for"] == "head_of_line"
        yield from _unless(not alone, row, "waited_for")
        yield from _unless((row["ssn"] is None) != (row["mid"] is None), row, "ssn", "mid")


RULES: list[Callable[[Rows], Broken]] = [
    rule
    for name, rule in list(globals().items())
    if callable(rule)
    and getattr(rule, "__annotations__", {}).get("return") == Broken
    and not name.startswith("_")
]
