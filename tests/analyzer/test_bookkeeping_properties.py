# SPDX-License-Identifier: BSD-2-Clause
"""Columns of the judge equal a slow recomputation from those that are known at the frame."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builder import sctp
from tests.builder.talk import A, B, Row, Talk, rows

START = 1000

#: Oddities of an acknowledgement that leave what it does not acknowledge clear.
HARMLESS = {
    "trailing_bytes",
    "no_reserved_field",
    "dup_not_received",
    "gap_adjacent",
    "nr_gap_adjacent",
}


@dataclass(frozen=True)
class Said:
    """A packet; TSNs are offsets from where its direction begins."""

    from_a: bool
    data: list[int]
    cum: int | None
    gaps: list[tuple[int, int]]
    nr_gaps: list[tuple[int, int]]
    dups: list[int]
    ident: int
    later_us: int


tsns = st.integers(0, 30)


@st.composite
def rising(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Blocks as a receiver writes them."""
    ends = sorted(draw(st.sets(st.integers(2, 24), max_size=12)))
    return list(zip(ends[0::2], ends[1::2], strict=False))


odd = st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24)), max_size=4)
blocks = st.one_of(rising(), rising(), rising(), odd)
said = st.builds(
    Said,
    from_a=st.sampled_from([True, True, False]),
    data=st.lists(tsns, max_size=3),
    cum=st.one_of(st.none(), tsns, st.integers(0, 4)),
    gaps=blocks,
    nr_gaps=st.one_of(st.just([]), blocks),
    dups=st.lists(tsns, max_size=1),
    ident=st.integers(0, 2),
    later_us=st.sampled_from([0, 10, 999, 1000, 50_000]),
)
talks = st.lists(said, max_size=40)


def exported(talk: list[Said]) -> dict[str, list[Row]]:
    """The rows of a capture of `talk`."""
    capture = Talk()
    for one in talk:
        source, to = (A, B) if one.from_a else (B, A)
        chunks = [sctp.data(START + offset) for offset in one.data]
        if one.cum is not None:
            dups = [START + offset for offset in one.dups]
            if one.nr_gaps:
                chunks.insert(0, sctp.nr_sack(START + one.cum, one.gaps, one.nr_gaps, dups))
            else:
                chunks.insert(0, sctp.sack(START + one.cum, one.gaps, dups))
        capture.say(source, to, *chunks, ident=one.ident, later_us=one.later_us)
    with tempfile.TemporaryDirectory() as folder:
        path = capture.write(Path(folder))
        return {table: rows(path, table) for table in ("transmissions", "sacks")}


def of_blocks(spans: list[list[int]]) -> set[int]:
    return {tsn for first, last in spans for tsn in range(first, last + 1)}


@dataclass
class Slow:
    """One direction, with sets."""

    most_blocks: int
    order: dict[int, int]  #: number of a transmission by id
    seen: dict[int, list[Row]] = field(default_factory=dict)
    acked: dict[int, Row] = field(default_factory=dict)
    received: set[int] = field(default_factory=set)
    freed: set[int] = field(default_factory=set)
    withdrawn: set[int] = field(default_factory=set)
    again: list[tuple[int, int]] = field(default_factory=list)  #: TSN, number
    first: Row | None = None
    cum: int = -1
    suspect: tuple[int, Row] | None = None
    by: tuple[int, int] | None = None
    expected: dict[str, dict[int, Any]] = field(default_factory=dict)

    def sent(self, number: int, row: Row) -> None:
        tsn = row["tsn"]
        if self.first and tsn <= self.first["cum_tsn"] and tsn not in self.acked:
            self.acked[tsn] = self.first
            self.received.add(tsn)
            self.freed.add(tsn)
        self.seen.setdefault(tsn, []).append(row)
        self.order[id(row)] = number
        if row["kind"] == "retransmission":
            self.again.append((tsn, number))

    def may_measure(self, tsn: int) -> bool:
        number = self.order[id(self.seen[tsn][0])]
        return not any(other <= tsn and since > number for other, since in self.again)

    def sizes(self) -> tuple[int, int]:
        kept = [tsn for tsn in self.seen if tsn not in self.freed]
        sizes = {tsn: self.seen[tsn][-1]["bytes"] for tsn in kept}
        return sum(sizes.values()), sum(sizes[tsn] for tsn in kept if tsn not in self.received)

    def feedback(self, row: Row, results: dict[int, dict[str, Any]], passed: int) -> None:
        result = results[id(row)] = {"stale": False, "truncated": False, "reneged": []}
        cum, gaps, nr_gaps = row["cum_tsn"], of_blocks(row["gaps"]), of_blocks(row["nr_gaps"])
        result["stale"] = self.first is not None and cum < self.cum
        covers = gaps | nr_gaps
        if not result["stale"]:
            covers |= set(range(cum + 1))
            self.freed |= set(range(cum + 1))
            self.cum = cum
        self.first = self.first or row
        new = sorted(tsn for tsn in covers if tsn not in self.acked)
        for tsn in sorted(covers - self.received):
            if tsn in self.withdrawn:
                self.restore(tsn, results)
        self.acked |= dict.fromkeys(new, row)
        self.received |= covers
        self.freed |= nr_gaps
        ahead = bool(self.seen) and max(covers, default=-1) > max(self.seen)
        seen = [tsn for tsn in new if tsn in self.seen]
        result |= self.sample(row, [] if ahead else seen, result["stale"])
        if not result["stale"] and not set(row["malformed"]) - HARMLESS:
            self.withdrawal(row, result, results, gaps | nr_gaps, passed)
        result["rtxq_bytes"], result["rtxq_necessary_bytes"] = self.sizes()
        result["outstanding_bytes"] = result["rtxq_necessary_bytes"]

    def restore(self, tsn: int, results: dict[int, dict[str, Any]]) -> None:
        self.withdrawn.discard(tsn)
        last = self.seen.get(tsn)
        if self.by is None or (last and self.order[id(last[-1])] >= self.by[1]):
            return
        results[self.by[0]] |= {"reneged": [], "stale": True}
        self.by = None

    def sample(self, row: Row, new: list[int], stale: bool) -> dict[str, Any]:
        once = [
            self.seen[tsn][0]
            for tsn in new
            if not any(one["kind"] == "retransmission" for one in self.seen[tsn])
            and self.may_measure(tsn)
        ]
        if stale or not once:
            return {"rtt_ns": None, "rtt_tag": None}
        newest = max(once, key=lambda one: self.order[id(one)])
        packets = len({self.seen[tsn][0]["frame"] for tsn in new})
        tag = "second_packet" if packets > 1 else "delayed"
        if row["dups"]:
            tag = "duplicate"
        if row["gaps"] or row["nr_gaps"]:
            tag = "gap"
        return {"rtt_ns": row["time_ns"] - newest["time_ns"], "rtt_tag": tag}

    def withdrawal(
        self,
        row: Row,
        result: dict[str, Any],
        results: dict[int, dict[str, Any]],
        says: set[int],
        passed: int,
    ) -> None:
        known = {tsn for tsn in self.received if tsn > row["cum_tsn"]}
        missing = known - says
        count = len(row["gaps"]) + len(row["nr_gaps"])
        if missing and count >= 4 and count == self.most_blocks:
            below = {tsn for tsn in missing if tsn < max(says)}
            result["truncated"] = below != missing
            missing = below
        if not missing:
            if self.suspect and not result["truncated"]:
                of, suspected = self.suspect
                if suspected["cum_tsn"] == row["cum_tsn"]:
                    results[of]["stale"] = True
                self.suspect = None
            return
        if self.suspect is None:
            self.suspect = id(row), row
            return
        of, suspected = self.suspect
        missing -= of_blocks(suspected["gaps"]) | of_blocks(suspected["nr_gaps"])
        self.suspect = None if missing else (id(row), row)
        if missing:
            results[of]["reneged"] = sorted(missing)
            self.received -= missing
            self.withdrawn |= missing
            self.by = of, passed


@dataclass
class Claims:
    """What the SACKs of one direction claim that was not seen sent by then."""

    highest: int | None = None
    settled: bool = False
    waiting: list[tuple[int, Row]] = field(default_factory=list)

    def sent(self, row: Row) -> set[int]:
        if self.highest is None:
            self.highest = row["tsn"]
        if row["tsn"] <= self.highest:
            return set()
        self.highest = row["tsn"]
        found = set()
        while self.waiting and row["time_ns"] - self.waiting[0][1]["time_ns"] > 2_000_000:
            top, sack = self.waiting.pop(0)
            found |= {id(sack)} if row["tsn"] <= top else set()
        return found

    def feedback(self, row: Row) -> None:
        if self.highest is None:
            return
        top = max([row["cum_tsn"], *(last for _, last in [*row["gaps"], *row["nr_gaps"]])])
        self.settled |= top == self.highest == row["cum_tsn"]
        if top > self.highest and self.settled:
            self.waiting.append((top, row))
        elif top > self.highest:
            self.highest = top


def refuted(everything: list[Row]) -> set[int]:
    """Ids of the SACKs that acknowledge what is sent for the first time more than 2 ms later."""
    found, claims = set[int](), {"a2b": Claims(), "b2a": Claims()}
    for row in everything:
        if "tsn" in row:
            found |= claims[row["dir"]].sent(row)
        else:
            claims[row["dir"]].feedback(row)
    return found


def recomputed(found: dict[str, list[Row]]) -> tuple[dict[int, Any], dict[int, dict[str, Any]]]:
    """First feedback of each transmission, columns of each acknowledgement, by id of row."""
    directions: dict[str, Slow] = {}
    results: dict[int, dict[str, Any]] = {}
    order: dict[int, int] = {}
    for name in ("a2b", "b2a"):
        counts = [len(r["gaps"]) + len(r["nr_gaps"]) for r in found["sacks"] if r["dir"] == name]
        directions[name] = Slow(max(counts, default=0), order)
    everything = [(row["frame"], row["chunk"], row) for row in found["transmissions"]]
    everything += [(row["frame"], row["chunk"], row) for row in found["sacks"]]
    everything.sort(key=lambda one: one[:2])
    lies = refuted([row for _, _, row in everything])
    passed = 0
    for _, _, row in everything:
        direction = directions[row["dir"]]
        if id(row) in lies:
            queued, necessary = direction.sizes()
            results[id(row)] = {"stale": False, "truncated": False, "reneged": [], "rtt_ns": None}
            results[id(row)] |= {"rtxq_bytes": queued, "rtxq_necessary_bytes": necessary}
            continue
        if "tsn" in row:
            direction.sent(passed, row)
            passed += 1
        else:
            direction.feedback(row, results, passed)
    first = {
        id(row): directions[row["dir"]].acked.get(row["tsn"]) for row in found["transmissions"]
    }
    return first, results


@given(talks)
@settings(max_examples=150, deadline=None)
def test_the_judge_keeps_the_books_as_a_slow_recomputation_does(talk: list[Said]) -> None:
    found = exported(talk)
    first, expected = recomputed(found)

    for row in found["transmissions"]:
        sack = first[id(row)] or {"frame": None, "time_ns": None}
        assert (row["acked_frame"], row["acked_time_ns"]) == (sack["frame"], sack["time_ns"]), row
    for row in found["sacks"]:
        assert {name: row[name] for name in expected[id(row)]} == expected[id(row)], row


@given(talks)
@settings(max_examples=80, deadline=None)
def test_a_fate_is_certain_only_where_one_copy_can_have_arrived(talk: list[Said]) -> None:
    found = exported(talk)["transmissions"]
    for row in found:
        copies = [one for one in found if (one["dir"], one["tsn"]) == (row["dir"], row["tsn"])]
        upto = [one for one in copies if one["frame"] <= (row["acked_frame"] or 0)]
        if row["outcome_class"] == 5:
            assert row["outcome"] == "acked" and row["acked_frame"] is not None
            assert len([one for one in upto if one["kind"] != "capture_duplicate"]) <= 1
        if row["acked_frame"] is None and not row["kind"].endswith("_duplicate"):
            assert (row["outcome"], row["outcome_class"]) == ("unresolved", 1)
