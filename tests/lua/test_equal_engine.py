# SPDX-License-Identifier: BSD-2-Clause
"""The drop-in says of every capture what the engine says; docs/lua.md lists where it may not."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.story.evidence import of_verdict

from tests.builder import sctp
from tests.builder.repeated import frames_of
from tests.builder.talk import SHUTDOWN_ACK, SHUTDOWN_COMPLETE, A, B, Talk, shutdown
from tests.captures import BUNDLED, ROOT, bundled, collection, name_of, needs_collection
from tests.lua import drop_in
from tests.metamorphic.filed import two_clocks
from tests.metamorphic.packets import packets_of

Key = tuple[int, int]
Row = dict[str, Any]
Where = tuple[int, str]
#: A mark or a probe: association, direction, TSN, and what else it is told by.
Event = tuple[Any, ...]

#: What the engine infers from timers of stacks that the drop-in does not replay (docs/lua.md).
LOST_TAIL = {"t3", "t3_gbn", "tlp"}
#: A probe of this class is told by when pion's timer was due, which the drop-in does not replay.
BY_OCCASION = 3
#: What the receiver's own rule decides, and the drop-in leaves open.
OWN_RULE = {"S12", "S19", "S22"}
SAME = ("assoc", "dir", "path", "tsn", "copy", "bytes", "first_frame", "prev_frame")
#: RTO.Min of the drop-in's senders; the engine's may be what timeouts show.
RTO_MIN_NS = 1_000_000_000
#: Of a sample that is cut, which its first part takes.
CUT = 3


@dataclass(frozen=True)
class Views:
    """What both say of one capture; rows by (frame, chunk), marks and probes by direction.

    Words are how marks were resolved and what probes did.
    """

    ours: dict[Key, Row]
    theirs: dict[Key, Row]
    our_marks: dict[Where, Counter[tuple[Any, ...]]]
    their_marks: dict[Where, Counter[tuple[Any, ...]]]
    our_probes: dict[Where, Counter[tuple[Any, ...]]]
    their_probes: dict[Where, Counter[tuple[Any, ...]]]
    our_words: dict[Event, str | None]
    their_words: dict[Event, str | None]
    our_paths: dict[Where, tuple[str, int]]
    their_paths: dict[Where, tuple[str, int]]
    vantage: dict[Where, str]
    learnt: set[Where]
    #: Directions that the engine replayed with another loop than both measured.
    fitted: set[Where]
    #: The associations whose sides have several addresses: each path has a loop of its own.
    of_paths: set[int]

    def revised(self) -> dict[Key, Row]:
        """The rows of which the engine says another kind."""
        return {
            key: row for key, row in self.theirs.items() if row["kind"] != self.ours[key]["kind"]
        }

    def replayed_alike(self) -> set[Where]:
        """The directions without such rows, that both replayed with one loop and one RTO.Min."""
        changed = {(row["assoc"], row["dir"]) for row in self.revised().values()}
        return set(self.our_paths) - changed - self.learnt - self.fitted


def _views(path: Path, *, measured_alone: bool = False) -> Views:
    keys = path.with_name(path.name.split(".")[0] + ".keylog")
    keylog = keys if keys.exists() else None
    tables = ["transmissions", "sacks", "rack_state", "rack_marks", "probes", "paths"]
    told: dict[str, Any] = {}
    if not measured_alone:
        told = _told(sctp_rack.read(path, tables=["paths"], keylog=keylog))
    capture = sctp_rack.read(path, tables=tables, keylog=keylog, profile="rfc8985", **told)
    options = ["-o", "sctp_rack.sender:rfc8985"]
    if told:
        options += ["-o", f"sctp_rack.vantage:{told['vantage']}"]
        options += ["-o", f"sctp_rack.loop:{told['loop_ms']}"]
    if keylog:
        options += ["-o", f"tls.keylog_file:{keylog}"]
    fitted = {_where(row) for row in capture.table("paths") if row["loop_fitted_ns"] is not None}
    sets = (_learnt(capture), fitted, _of_paths(capture))
    views = Views({}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, *sets)
    for association in drop_in.judged(path, *options):
        for direction in association["directions"]:
            where = (association["assoc"], direction["dir"])
            at = {"assoc": where[0], "dir": where[1]}
            views.ours.update(
                {(r["frame"], r["chunk"]): r | at for r in direction["transmissions"]}
            )
            views.our_marks[where] = Counter(_mark(mark) for mark in direction["rack_marks"])
            views.our_probes[where] = Counter(_probe(probe) for probe in direction["probes"])
            views.our_words.update(_words(where, [*direction["rack_marks"], *direction["probes"]]))
            views.our_paths[where] = (direction["vantage"], direction["loop_ns"])
    for row in capture.table("transmissions"):
        views.theirs[row["frame"], row["chunk"]] = dict(row)
    for mark in capture.table("rack_marks").where(profile="rfc8985"):
        views.their_marks.setdefault(_where(mark), Counter())[_mark(mark)] += 1
        views.their_words.update(_words(_where(mark), [dict(mark)]))
    for probe in capture.table("probes"):
        views.their_probes.setdefault(_where(probe), Counter())[_probe(probe)] += 1
        views.their_words.update(_words(_where(probe), [dict(probe)]))
    for row in capture.table("paths"):
        views.their_paths[_where(row)] = (row["vantage"], row["loop_hi_ns"] or 0)
        views.vantage[_where(row)] = row["vantage"]
    return views


def _of_paths(capture: sctp_rack.Capture) -> set[int]:
    return {
        each.number
        for each in capture.associations
        if max(len(each.a.addresses), len(each.b.addresses)) > 1
    }


def _learnt(capture: sctp_rack.Capture) -> set[Where]:
    """The directions that the engine replayed with an RTO.Min of their own."""
    short = {
        (row["frame"], row["chunk"])
        for row in capture.table("rack_state")
        if row["rto_ns"] is not None and row["rto_ns"] < RTO_MIN_NS
    }
    return {
        _where(sack) for sack in capture.table("sacks") if (sack["frame"], sack["chunk"]) in short
    }


def _told(capture: sctp_rack.Capture) -> dict[str, Any]:
    """The engine's own estimate for the data that it is told of, where there is one association."""
    if len(capture.associations) != 1:
        return {}
    a, b = (side.data.bytes if side.data else 0 for side in _sides(capture))
    more = "b2a" if b > a else "a2b"
    rows = [row for row in capture.table("paths") if row["dir"] == more]
    if not rows or rows[0]["vantage"] == "unknown":
        return {}
    return {"vantage": rows[0]["vantage"], "loop_ms": (rows[0]["loop_hi_ns"] or 0) / 1e6}


def _sides(capture: sctp_rack.Capture) -> tuple[Any, Any]:
    return capture.associations[0].a, capture.associations[0].b


def _where(row: Any) -> Where:
    return row["assoc"], row["dir"]


def _mark(mark: Any) -> tuple[Any, ...]:
    names = (
        "path tsn copy frame by_frame time_ns trigger reo_wnd_ns rack_rtt_ns min_rtt_ns "
        "sender_lead_ns"
    )
    return tuple(_get(mark, name) for name in names.split())


def _words(where: Where, rows: list[Row]) -> dict[Event, str | None]:
    """How marks were resolved and what probes did, by what they are told by."""
    return {
        (*where, row["tsn"], row.get("frame"), row.get("trigger"), row.get("time_ns")): (
            row["resolution"] if "trigger" in row else row.get("outcome")
        )
        for row in rows
    }


def _probe(probe: Any) -> tuple[Any, ...]:
    return tuple(
        _get(probe, n) for n in ("path", "tsn", "frame", "kind", "anchor_ns", "pto_ns", "class")
    )


def _get(row: Any, name: str) -> Any:
    return row.get(name) if isinstance(row, dict) else row[name]


def _is_a_lost_tail(views: Views, row: Row, ours: Row) -> bool:
    # Told by the timers of pion, usrsctp and dcSCTP, at a tap behind the loss.
    tail = row["kind"] == "retransmission" and row["cause"] in LOST_TAIL
    behind = views.vantage[_where(row)] in ("middle", "receiver")
    return bool(ours["kind"] == "original" and tail and behind)


def _is_sent_again_in_time(row: Row, ours: Row) -> bool:
    # It came when the stack of its sender would have sent it again.
    return bool(ours["kind"] == "reordered" and row["kind"] == "retransmission")


def _is_repeated_by_the_network(row: Row, ours: Row) -> bool:
    # Nothing moved its sender: of such a retransmission the drop-in says nothing.
    open_ = ours["kind"] == "retransmission" and ours["verdict"] == "undetermined"
    return bool(open_ and row["kind"] == "network_duplicate")


def _waited_for_a_learnt_timer(views: Views, row: Row, ours: Row) -> bool:
    # It may have been sent again unseen, as its sender's timer is shorter than in any profile.
    sent_once = row["copy"] == 1 and row["kind"] in ("original", "reordered")
    doubted = (ours.get("outcome_class"), row["outcome_class"]) == (5, 4)
    return _where(row) in views.learnt and sent_once and doubted


def _is_acked_unseen(row: Row) -> bool:
    # Feedback acknowledged it before this tap saw its first copy.
    return bool(row["acked_frame"] and row["acked_frame"] < (row["first_frame"] or row["frame"]))


def _tsn(row: Row) -> tuple[Any, ...]:
    return row["assoc"], row["dir"], row["tsn"]


def _differs(row: Row, ours: Row) -> bool:
    # What became of one copy says what became of the others.
    decided = OWN_RULE & set(of_verdict(row["evidence"]))
    return bool(ours["kind"] != row["kind"] or ours.get("verdict") != row["verdict"] or decided)


def _is_left_open(row: Row, ours: Row) -> bool:
    evidence = set(of_verdict(row["evidence"]))
    return bool(evidence & OWN_RULE) or (
        ours.get("verdict") == "undetermined" and evidence in ({"S10"}, {"S21"})
    )


def _probes_apart(views: Views, where: Where) -> Counter[tuple[Any, ...]]:
    ours, theirs = views.our_probes[where], views.their_probes.get(where, Counter())
    return (theirs - ours) + (ours - theirs)


def _words_apart(views: Views) -> dict[Event, tuple[str | None, str | None]]:
    """Marks and probes that both tell of, and of which they say different words: ours, theirs."""
    return {
        event: (word, views.their_words[event])
        for event, word in views.our_words.items()
        if event in views.their_words and word != views.their_words[event]
    }


def _counted(views: Views) -> Counter[str]:
    """How many rows differ in each way that docs/lua.md allows."""
    counts = Counter[str]()
    for key, row in views.theirs.items():
        ours = views.ours[key]
        counts["transmissions"] += 1
        counts["retransmissions"] += row["kind"] == "retransmission"
        if ours["kind"] == row["kind"]:
            counts["asks the receiver"] += ours.get("verdict") != row["verdict"]
            counts["is less sure"] += _waited_for_a_learnt_timer(views, row, ours)
        else:
            counts["knows the timers"] += ours["kind"] == "original"
            counts["knows when they send"] += ours["kind"] == "reordered"
            counts["takes for repeated"] += row["kind"] == "network_duplicate"
    counts["marks and probes"] += len(views.our_words.keys() & views.their_words.keys())
    counts["says of a mark"] += len(_words_apart(views))
    for where in views.replayed_alike():
        theirs = views.their_probes.get(where, Counter())
        counts["tells a probe"] += (theirs - views.our_probes[where]).total()
    return counts


#: Of the captures that tests before have compared.
COUNTED = dict[Path, Counter[str]]()


def agree(path: Path, *, measured_alone: bool = False) -> None:
    views = _views(path, measured_alone=measured_alone)
    if not measured_alone:
        COUNTED[path] = _counted(views)
    assert set(views.ours) == set(views.theirs)
    for where, told in views.our_paths.items():
        assert told == views.their_paths[where]
    left_open = {_tsn(row) for key, row in views.theirs.items() if _differs(row, views.ours[key])}
    for key, row in views.theirs.items():
        ours = views.ours[key]
        for name in SAME:
            assert ours.get(name) == row[name], (key, name)
        assert ours.get("acked_frame") == row["acked_frame"] or _is_acked_unseen(row), key
        if ours["kind"] == row["kind"]:
            assert ours.get("dup_frame") == row["dup_frame"], key
        if ours["kind"] != row["kind"]:
            by_network = _is_repeated_by_the_network(row, ours)
            of_sender = _is_a_lost_tail(views, row, ours) or _is_sent_again_in_time(row, ours)
            assert by_network or of_sender, key
        elif row["assoc"] in views.of_paths:
            continue
        elif ours.get("verdict") != row["verdict"]:
            assert _is_left_open(row, ours), (key, row["evidence"], ours)
        elif _tsn(row) not in left_open:
            names = ["outcome"]
            if _where(row) not in views.fitted:  # the engine knows better why it was sent
                names.append("verdict_class")
            if not _waited_for_a_learnt_timer(views, row, ours):
                names.append("outcome_class")
            for name in names:
                assert ours.get(name) == row[name], (key, name)
            assert set(ours.get("evidence") or []) == set(of_verdict(row["evidence"])), key
    for where in views.replayed_alike():
        assert views.our_marks[where] == views.their_marks.get(where, Counter()), where
        for probe in _probes_apart(views, where):
            assert probe[-1] <= BY_OCCASION, (where, probe)
    ours_open = {_tsn(row) for row in views.ours.values() if row.get("verdict") == "undetermined"}
    for event, words in _words_apart(views).items():
        if event[0] in views.of_paths:
            continue
        assert event[:3] in ours_open, (event, words)
        is_mark = event[-1] is not None
        assert words[0] == "unknown" if is_mark else event[:3] in left_open, (event, words)


def _middle_first() -> list[Any]:
    return [
        pytest.param(path, marks=() if ".middle." in path.name else pytest.mark.long)
        for path in bundled()
    ]


@pytest.mark.parametrize("path", _middle_first(), ids=name_of)
def test_the_drop_in_agrees_with_the_engine(path: Path) -> None:
    agree(path)


def _some_first() -> list[Any]:
    some = ("usr_ge_nrsack.sender", "usrsctp-nth-loss.middle", "pion-reorder-low.receiver")
    return [
        pytest.param(path, marks=() if path.stem in some else pytest.mark.long)
        for path in bundled()
    ]


@pytest.mark.parametrize("path", _some_first(), ids=name_of)
def test_it_agrees_where_the_capture_begins_in_the_middle(path: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcapng"
    frames = max(each.last_frame for each in sctp_rack.read(path, tables=[]).associations)
    subprocess.run(["editcap", "-r", path, cut, f"{frames // CUT + 1}-{frames}"], check=True)
    began = [each.how_started for each in sctp_rack.read(cut, tables=[]).associations]

    assert began == ["middle"]
    agree(cut, measured_alone=True)


@pytest.mark.parametrize(
    "name", ["usrsctp-both-ways.middle", "pion-delay-spike.sender", "usrsctp-reorder.receiver"]
)
@pytest.mark.parametrize("later_ns", [20_000, 5_000_000])
def test_it_agrees_where_the_capture_has_packets_twice(
    name: str, later_ns: int, tmp_path: Path
) -> None:
    frames = frames_of(BUNDLED / f"{name}.pcap")
    again = frames.again(lambda one: replace(one, time_ns=one.time_ns + later_ns))

    agree(again.write(tmp_path / "again.pcapng"), measured_alone=True)


@pytest.mark.parametrize("twice", [False, True])
def test_it_agrees_on_what_is_sent_again_for_each_of_several_sacks(
    twice: bool, tmp_path: Path
) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1000, 1004):
        talk.say(A, B, sctp.data(tsn), ident=0)
    if twice:
        talk.say(A, B, sctp.data(1003), ident=0, later_us=2)
    for _ in range(4):
        talk.say(B, A, sctp.sack(999, [(2, 4)]), later_us=1)
    for _ in range(3):
        talk.say(A, B, sctp.data(1000), ident=0, later_us=1)
    talk.say(B, A, sctp.sack(1003))
    path = talk.write(tmp_path)

    agree(path)
    kinds = [row["kind"] for row in sctp_rack.read(path).transmissions.where(tsn=1000)]
    again = ["capture_duplicate"] * 2 if twice else ["retransmission"] * 2
    assert kinds == ["original", "retransmission", *again]


@pytest.mark.parametrize("gap_us", [10, 5_000])
def test_it_agrees_on_what_fills_a_gap_for_each_of_several_sacks(
    gap_us: int, tmp_path: Path
) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in (1000, 1002, 1003, 1004):
        talk.say(A, B, sctp.data(tsn), ident=0)
    talk.say(B, A, sctp.sack(1000, [(2, 4)]), later_us=1)
    for copy in range(4):
        talk.say(A, B, sctp.data(1001), ident=0, later_us=1 if copy else gap_us)
    talk.say(B, A, sctp.sack(1004))
    path = talk.write(tmp_path)

    agree(path)
    kinds = [row["kind"] for row in sctp_rack.read(path).transmissions.where(tsn=1001)]
    assert kinds[1:] == ["capture_duplicate", "retransmission", "retransmission"]


@pytest.mark.parametrize("ident", [0, 40])
def test_it_agrees_on_what_stands_in_a_packet_twice(ident: int, tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1000, 1020):
        talk.say(A, B, sctp.data(tsn), ident=ident and tsn)
    for reports in range(3):
        talk.say(B, A, sctp.sack(1000, [(2, 4 + reports)]), later_us=30_000)
    again = sctp.data(1001) + sctp.data(1001)
    for frame_again in range(2):
        talk.say(A, B, again, ident=ident and 1020, later_us=1 + frame_again)
    talk.say(B, A, sctp.sack(1019, dups=[1001]), later_us=30_000)
    path = talk.write(tmp_path)

    agree(path)
    rows = sctp_rack.read(path).transmissions.where(tsn=1001)
    once_more = ["capture_duplicate" if ident else "retransmission"] * 2
    assert rows["kind"].tolist() == ["original", "retransmission", "retransmission", *once_more]
    assert not ident or rows["verdict"].tolist()[2] == "spurious"


@pytest.mark.parametrize("reported", [True, False])
def test_it_agrees_on_what_fills_a_gap_twice_and_the_receiver_had_twice(
    reported: bool, tmp_path: Path
) -> None:
    talk = Talk()
    talk.handshake()
    for first in (1000, 1010):
        for tsn in (first, first + 2, first + 3, first + 4):
            talk.say(A, B, sctp.data(tsn), ident=0)
        talk.say(B, A, sctp.sack(first, [(2, 4)]), later_us=1)
        for later_us in (30_000, 1):
            talk.say(A, B, sctp.data(first + 1), ident=0, later_us=later_us)
        talk.say(B, A, sctp.sack(first + 4, dups=[first + 1] if reported else []))
        for tsn in range(first + 5, first + 10):
            talk.say(A, B, sctp.data(tsn), ident=0)
    path = talk.write(tmp_path)

    agree(path)
    rows = sctp_rack.read(path).transmissions
    kinds = [rows.where(tsn=tsn)["kind"].tolist() for tsn in (1001, 1011)]
    so_soon = "retransmission" if reported else "capture_duplicate"
    assert kinds == [["retransmission", "capture_duplicate"], ["retransmission", so_soon]]


@pytest.mark.parametrize(
    ("prompt_ms", "loop_ms"), [(None, 30), (29, 29), (60, 60), (61, 30)], ids=str
)
def test_it_agrees_on_the_loop_by_the_shutdown(
    prompt_ms: int | None, loop_ms: int, tmp_path: Path
) -> None:
    """The capture begins in the middle. A may acknowledge two packets of B so soon."""
    talk = Talk()
    for tsn in range(1, 5):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(4))
    if prompt_ms is not None:
        for tsn in (100, 102):  # the first time it may answer what was sent before the capture
            talk.say(B, A, sctp.data(tsn))
            talk.say(B, A, sctp.data(tsn + 1))
            talk.say(A, B, sctp.sack(tsn + 1), later_us=1_000 * prompt_ms)
    talk.say(B, A, shutdown(4))
    talk.say(A, B, sctp.chunk(SHUTDOWN_ACK, 0, b""), later_us=30_000)
    talk.say(B, A, sctp.chunk(SHUTDOWN_COMPLETE, 0, b""), later_us=5_000)
    path = talk.write(tmp_path)

    agree(path, measured_alone=True)
    loops = {row["dir"]: row["loop_hi_ns"] for row in sctp_rack.read(path).table("paths")}
    assert loops["a2b"] == loop_ms * 1_000_000


@pytest.mark.parametrize("name", ["usrsctp-tail-loss", "pion-delay-spike"])
def test_it_agrees_where_both_ends_were_captured(name: str, tmp_path: Path) -> None:
    sender, receiver = (frames_of(BUNDLED / f"{name}.{tap}.pcap") for tap in ("sender", "receiver"))
    merged = sender.with_all(receiver.frames).write(tmp_path / "merged.pcapng")

    agree(merged, measured_alone=True)
    for association in drop_in.judged(merged, "-o", "sctp_rack.sender:rfc8985"):
        for direction in association["directions"]:
            for row in direction["transmissions"]:
                assert max(row.get("verdict_class") or 0, row["outcome_class"]) <= 2


@pytest.mark.parametrize("ahead_ns", [-300_000, 1_000_000])
def test_it_agrees_where_feedback_was_captured_before_its_data(
    ahead_ns: int, tmp_path: Path
) -> None:
    packets = packets_of(BUNDLED / "usrsctp-reorder.receiver.pcap")

    agree(two_clocks(ahead_ns)(packets, tmp_path).path)


#: With the headers of IP and SCTP: of one chunk all but data, one of two, and two but for a TSN.
@pytest.mark.parametrize(
    ("snaplen", "chunks", "certain"), [(52, 1, True), (56, 2, False), (62, 2, False), (80, 2, True)]
)
def test_neither_is_certain_where_chunks_were_cut_off(
    snaplen: int, chunks: int, certain: bool, tmp_path: Path
) -> None:
    talk, cut = Talk(), tmp_path / "cut.pcapng"
    talk.handshake()
    for tsn in range(1000, 1004):
        talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(tsn))
    talk.say(A, B, *[sctp.data(1004), sctp.data(1003)][:chunks])
    talk.say(B, A, sctp.sack(1004))
    subprocess.run(["editcap", "-s", str(snaplen), talk.write(tmp_path), cut], check=True)

    agree(cut)
    first_copies = sctp_rack.read(cut).transmissions.where(copy=1)
    assert {row["outcome_class"] for row in first_copies} == ({5} if certain else {4})


def test_neither_marks_what_an_nr_sack_with_the_a_bit_promised_and_others_leave_out(
    tmp_path: Path,
) -> None:
    marked = {}
    for promises_all in (False, True):
        talk = Talk()
        talk.handshake()
        for tsn in range(1000, 1004):
            talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.nr_sack(999, [(2, 3)], promises_all=promises_all))
        for _ in range(2):
            talk.say(B, A, sctp.nr_sack(999, [(2, 2)], promises_all=promises_all))
        for tsn in range(1004, 1010):
            talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.nr_sack(999, [(2, 2), (5, 11)], promises_all=promises_all))
        path = talk.write(tmp_path)
        agree(path)
        marks = sctp_rack.read(path).table("rack_marks").where(profile="rfc8985")
        marked[promises_all] = {mark["tsn"] for mark in marks if mark["trigger"] == "ack"}

    assert 1002 in marked[False] and 1002 not in marked[True]


@pytest.mark.long
@needs_collection
@pytest.mark.parametrize("path", collection("truth"), ids=name_of)
def test_it_agrees_on_captures_with_truth(path: Path) -> None:
    agree(path)


@pytest.mark.long
@needs_collection
def test_the_page_counts_what_differs() -> None:
    samples, others = (
        sum((COUNTED.get(path) or _counted(_views(path)) for path in paths), Counter[str]())
        for paths in (bundled(), collection("truth"))
    )
    page = (ROOT / "docs" / "lua.md").read_text(encoding="utf-8")

    for what in samples:
        told = re.search(rf"^\| {what}.* \| ([\d,]+), ([\d,]+) \|$", page, re.MULTILINE)
        assert told, what
        assert f"{samples[what]:,}, {others[what]:,}" == ", ".join(told.groups())
