# SPDX-License-Identifier: BSD-2-Clause
"""The check of made runs knows what receivers leave out, take back and skip, and nothing more: runs
written by hand, in which one path without delay has three taps that see the same."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from sample_pcaps.generate.check.acknowledgements import (
    acknowledgements_agree_with_fates,
    duplicates_are_reported_only_where_copies_arrived,
)
from sample_pcaps.generate.check.checked import Checked
from sample_pcaps.generate.check.counters import compared
from sample_pcaps.generate.check.given_up import what_is_abandoned_was_given_up
from sample_pcaps.generate.check.seen import Acknowledged, Frame
from sample_pcaps.generate.check.unsaid import leaves_out, takes_back
from sample_pcaps.generate.run import TAPS
from sample_pcaps.generate.wire import DATA, FORWARD_TSN, I_DATA, SACK

Record = dict[str, Any]
ABORT = 6
LATE = {"skip_ms": 100.0}  # of the options of captures: these begin late


@dataclass
class Written:
    """Host a sends DATA to b."""

    stack: str = "usrsctp"
    options: Record = field(default_factory=dict)
    scenario: Record = field(default_factory=dict)
    transmissions: list[Record] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)

    def data(self, tsn: int, fate: str = "delivered", *, shown: bool = True, **more: Any) -> None:
        """A chunk is sent and meets its fate; `shown`: the taps have it."""
        number = self._frame("a", DATA, tsns=(tsn,)) if shown else None
        arrived = None if fate.startswith("dropped") else len(self.frames)
        record = {"dir": "a2b", "tsn": tsn, "fate": fate, "arrive_ns": arrived, "bytes": 100}
        again = any(one["tsn"] == tsn for one in self.transmissions)
        record |= {"t_ns": len(self.frames), "retransmission": again, "cause": None}
        record |= {"frames": dict.fromkeys(TAPS, number if arrived else None)}
        self.transmissions.append(record | more)

    def sack(
        self, cum_tsn: int, *blocks: tuple[int, int], duplicates: tuple[int, ...] = ()
    ) -> None:
        self._frame("b", SACK, acknowledged=Acknowledged(cum_tsn, blocks), duplicates=duplicates)

    def forward_tsn(self, tsn: int) -> None:
        self._frame("a", FORWARD_TSN, forward=(tsn,))

    def abort(self) -> None:
        self._frame("b", ABORT)

    def _frame(self, source: str, kind: int, **more: Any) -> int:
        number = len(self.frames) + 1
        said = {"tsns": (), "acknowledged": None, "duplicates": (), "forward": ()} | more
        self.frames.append(Frame(number, number, source, "", (kind,), shut_down=None, **said))
        return number

    def run(self) -> Checked:
        document = {
            "stack": self.stack,
            "scenario": {"host_jitter_us": 0} | self.scenario,
            "capture_options": self.options,
            "tap_at": {"sender": "a", "middle": "path", "receiver": "b"},
            "captures": {tap: tap for tap in TAPS},
            "clock_offset_ns": {},
            "addresses": {"a": ["a"], "b": ["b"]},
            "transmissions": self.transmissions,
            "network_duplicates": [],
            "stack_marks": [],
        }
        return Checked(document, dict.fromkeys(TAPS, self.frames))

    def faults(self) -> list[str]:
        """What acknowledgements and duplicate reports do not agree with."""
        run = self.run()
        rules = (
            acknowledgements_agree_with_fates,
            duplicates_are_reported_only_where_copies_arrived,
            what_is_abandoned_was_given_up,
        )
        return [fault.what for rule in rules for fault in rule(run)]


def blocks(count: int) -> tuple[tuple[int, int], ...]:
    return tuple((2 * n, 2 * n) for n in range(1, count + 1))


@pytest.mark.parametrize(("stack", "most"), [("dcsctp", 20), ("linux", 16)])
def test_a_full_sack_says_nothing_of_what_is_above_its_last_block(stack: str, most: int) -> None:
    full, not_full = Acknowledged(0, blocks(most)), Acknowledged(0, blocks(most - 1))

    assert leaves_out(stack, full, 2 * most + 2)
    assert not leaves_out(stack, full, 2 * most - 1)
    assert not leaves_out(stack, not_full, 2 * most + 2)
    assert not leaves_out("pion", full, 2 * most + 2)


@pytest.mark.parametrize(
    ("cum_tsn", "left_out"), [(2**32 - 3, True), (4, True), (5, True), (6, False), (100, False)]
)
def test_usrsctp_forgets_the_newest_while_a_byte_of_its_map_may_span_tsn_0(
    cum_tsn: int, left_out: bool
) -> None:
    newest = (cum_tsn + 4) % 2**32 if cum_tsn < 2**31 else 7
    said = Acknowledged(cum_tsn, ((newest - 1, newest - 1),))

    assert leaves_out("usrsctp", said, newest) == left_out
    assert not leaves_out("usrsctp", said, newest - 2)
    assert not leaves_out("linux", said, newest)


def test_linux_takes_back_what_it_said_in_a_block_and_says_so_in_the_next_sack() -> None:
    held, gone = Acknowledged(5, ((8, 9),)), Acknowledged(5, ((8, 8),))

    assert takes_back("linux", (held, gone), 9)
    assert not takes_back("linux", (held, gone, held), 9)
    assert not takes_back("linux", (Acknowledged(9), gone), 9)
    assert not takes_back("usrsctp", (held, gone), 9)


def taken_back(*, stack: str = "linux", shown: bool = True) -> Written:
    """TSN 9 is acknowledged, and then no more."""
    run = Written(stack)
    run.data(9, "discarded", shown=shown)
    run.sack(5, (9, 9))
    run.sack(6)
    return run


@pytest.mark.parametrize("shown", [True, False])
def test_what_linux_took_back_was_acknowledged_although_it_is_called_discarded(shown: bool) -> None:
    run = taken_back(shown=shown)

    assert run.faults() == []
    run.data(9)
    run.sack(9)
    assert run.faults() == []


def test_what_is_called_discarded_and_stays_acknowledged_is_found() -> None:
    run = taken_back()
    run.sack(6, (9, 9))

    assert run.faults() == ["TSN 9 is acknowledged and never arrived"]
    run.data(9)
    assert run.faults() == ["TSN 9 is acknowledged before it arrived"]
    assert taken_back(stack="dcsctp").faults() == ["TSN 9 is acknowledged and never arrived"]


def test_what_is_acknowledged_before_the_copy_that_is_taken_back_is_found() -> None:
    run = Written("linux")
    run.sack(5, (9, 9))
    run.data(9, "discarded")
    run.sack(6)

    assert run.faults() == ["TSN 9 is acknowledged and never arrived"]


@pytest.mark.parametrize(("most", "found"), [(20, False), (19, True)])
def test_what_a_sack_of_dcsctp_has_no_room_for_is_not_missing(most: int, found: bool) -> None:
    run = Written("dcsctp")
    run.data(50)
    for _ in range(3):
        run.data(1, "dropped_after_middle", shown=False)
    for _ in range(2500):  # what hosts may take, at a nanosecond a frame
        run.sack(0, (50, 50))
    run.sack(0, *blocks(most))

    assert (run.faults() == ["TSN 50 is not acknowledged, and was delivered"]) == found
    assert bool(run.faults()) == found


def test_what_was_given_up_before_the_capture_is_acknowledged_although_it_never_arrived() -> None:
    run = Written(options=LATE)
    run.data(3, "dropped_after_middle", shown=False, abandoned=True)
    run.sack(3)

    assert run.faults() == []
    del run.transmissions[0]["abandoned"]
    assert run.faults() == ["TSN 3 is acknowledged and never arrived"]


def test_only_what_is_abandoned_is_acknowledged_without_arriving_where_a_forward_tsn_is() -> None:
    run = Written()
    run.data(3, "dropped_after_middle", abandoned=True)
    run.forward_tsn(3)
    run.sack(3)

    assert run.faults() == []
    run.transmissions[0].pop("abandoned")
    assert run.faults()[0] == "TSN 3 is acknowledged and never arrived"


def test_each_copy_after_a_forward_tsn_before_the_capture_may_be_reported_as_a_duplicate() -> None:
    run = Written(options=LATE)
    run.data(3, "discarded", abandoned=True)
    run.sack(3, duplicates=(3,))

    assert run.faults() == []
    run.transmissions[0].pop("abandoned")
    assert run.faults()[-1] == "TSN 3 is reported 1 times as a duplicate"


def skipped(**more: Any) -> Written:
    run = Written()
    run.data(3, "dropped_after_middle", **more)
    run.data(4)
    run.sack(2, (4, 4))
    run.forward_tsn(4)
    run.sack(4)
    return run


def test_what_a_forward_tsn_skips_must_be_called_abandoned() -> None:
    assert skipped(abandoned=True).faults() == []
    assert skipped().faults()[-1] == "TSN 3 is skipped, and not called abandoned"


def test_what_no_forward_tsn_skips_must_not_be_called_abandoned() -> None:
    run = skipped(abandoned=True)
    run.data(5, abandoned=True)

    assert run.faults() == ["TSN 5 is called abandoned, and nothing skips it"]
    run.options = LATE
    assert run.faults() == []


def test_what_is_sent_again_although_it_is_acknowledged_need_not_be_called_abandoned() -> None:
    """The acknowledgement has passed the tap, and the host has not yet taken it."""
    run = Written()
    run.data(3)
    run.sack(3)
    run.data(3)
    run.forward_tsn(3)

    assert run.faults() == []


def told(run: Written, **counted: int) -> list[str]:
    """What is wrong with the counters of b, of usrsctp or Linux; those that are not named are 0."""
    names = {
        "usrsctp": "senddata sendretransdata recvdata recvdupdata datadroprwnd datadropchklmt",
        "linux": "rtxchunks oodchunks ouodchunks osacks idupchunks SctpInOrderChunks"
        " SctpInUnorderChunks SctpInDataChunkDiscards SctpT3Retransmits SctpFastRetransmits",
    }[run.stack]
    counters = dict.fromkeys(names.split(), 0) | counted
    return [fault.what for fault in compared(run.run(), {"a": {}, "b": counters}, "")]


def test_usrsctp_counts_no_data_once_it_aborted() -> None:
    run = Written()
    run.data(3)
    run.data(4, "discarded")
    for _ in range(2500):  # what hosts may take, at a nanosecond a frame
        run.sack(3)
    missing = "b counted 0 packets with DATA dropped, truth: 1"

    assert told(run, recvdata=1) == [missing]
    run.data(5, "discarded")
    run.abort()
    run.data(6, "discarded")
    assert told(run, recvdata=1) == ["b counted 0 packets with DATA dropped, truth: 1 to 3"]
    assert told(run, recvdata=1, datadroprwnd=1) == []


@pytest.mark.parametrize(("before", "least"), [(True, 0), (False, 1)])
def test_usrsctp_drops_for_want_of_room_what_no_forward_tsn_skipped_before(
    before: bool, least: int
) -> None:
    run = Written()
    if before:
        run.forward_tsn(3)
    run.data(3, "discarded", abandoned=True)
    run.forward_tsn(3)

    assert told(run, datadroprwnd=1) == []
    assert (told(run) == []) == (least == 0)
    assert (told(run, recvdupdata=1) == []) == (least == 0)


def test_a_capture_that_begins_late_does_not_tell_whether_a_forward_tsn_came_before() -> None:
    run = Written(options=LATE)
    run.data(3, "discarded", abandoned=True)

    assert told(run, datadroprwnd=1) == told(run, recvdupdata=1) == []


@pytest.mark.parametrize(("before", "again"), [(True, False), (False, True)])
def test_linux_may_count_as_new_what_it_turned_away_and_not_what_it_skips(
    before: bool, again: bool
) -> None:
    run = Written("linux", {"capture_dup": 0.1})
    if before:
        run.forward_tsn(3)
    run.data(3, "discarded", abandoned=True)
    run.forward_tsn(3)

    assert (told(run, SctpInOrderChunks=1) == []) == again
    assert told(run) == []


@pytest.mark.parametrize(
    ("kind", "interleaving", "header"),
    [(None, False, 16), (None, True, 20), (DATA, True, 16), (I_DATA, False, 20)],
)
def test_chunks_of_dcsctp_have_the_headers_of_the_chunks_that_a_tap_has_or_of_the_scenario(
    kind: int | None, interleaving: bool, header: int
) -> None:
    run = Written("dcsctp", LATE, {"interleaving": True} if interleaving else {})
    run.data(3, "dropped_before_middle", shown=False)
    run.data(3, shown=False)
    if kind is not None:
        run.frames.append(Frame(1, 1, "b", "", (kind,), (9,), None, None, (), ()))
    counters = {"rtx_bytes": header + 100, "rtx_packets": 1}

    assert compared(run.run(), {"a": counters, "b": {}}, "") == []
