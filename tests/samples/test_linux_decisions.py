# SPDX-License-Identifier: BSD-2-Clause
"""What the kernel says, line by line, and what becomes of it: why a chunk came again."""

import pytest

from sample_pcaps.generate.cause import Cause
from sample_pcaps.generate.linux.sender import LinuxSender
from sample_pcaps.generate.wire import Acknowledgement, Data

MS = 1_000_000


def told(*lines: str, a_rwnd: int = 100_000) -> list[Cause]:
    """The causes of what leaves, in the order of lines `ms mark WHY TSN`, `ms resend HOW TSN` and
    `ms packet TSN…`."""
    sender = LinuxSender()
    sender.send(0, [Data(tsn, 400) for tsn in range(1, 9)], [1] * 8)
    sender.hear(Acknowledgement(0, a_rwnd, ()))
    causes: list[Cause] = []
    for line in lines:
        ms, word, *rest = line.split()
        match word, *rest:
            case "mark", why, tsn:
                sender.mark(int(ms) * MS, why, int(tsn))
            case "resend", how, tsn:
                sender.resend(int(tsn), how)
            case "packet", *tsns:
                chunks = [Data(int(tsn), 400) for tsn in tsns]
                causes += sender.send(int(ms) * MS, chunks, [2] * len(chunks))
    return causes


def names(causes: list[Cause]) -> list[str | None]:
    return [cause.name for cause in causes]


def test_a_timeout_is_t3_in_its_packet_and_later_its_marks_are_go_back_n() -> None:
    causes = told(
        *("900 mark t3 3", "900 mark t3 4", "900 mark t3 5"),
        *("900 resend timeout 3", "900 resend timeout 4", "900 packet 3 4"),
        *("980 resend marked 5", "980 packet 5"),
    )

    assert names(causes) == ["t3", "t3", "t3_gbn"]


def test_of_a_timeout_that_goes_as_several_packets_only_the_first_is_t3() -> None:
    causes = told(
        *("900 mark t3 3", "900 mark t3 4"),
        *("900 resend timeout 3", "900 resend timeout 4", "900 packet 3", "900 packet 4"),
    )

    assert names(causes) == ["t3", "t3_gbn"]


def test_a_fast_retransmission_of_several_packets_is_fast_in_all_of_them() -> None:
    causes = told(
        *("40 mark fast 3", "40 mark fast 4"),
        *("40 resend fast 3", "40 resend fast 4", "40 packet 3", "40 packet 4"),
    )

    assert names(causes) == ["fast", "fast"]


def test_what_a_fast_retransmission_left_for_an_open_window_is_deferred() -> None:
    causes = told(
        *("40 mark fast 3", "40 mark fast 4", "40 resend fast 3", "40 packet 3"),
        *("80 resend marked 4", "80 packet 4"),
    )

    assert names(causes) == ["fast", "fast_deferred"]


def test_what_waited_after_its_third_miss_goes_with_the_timer_that_sends_it() -> None:
    assert names(told("40 mark fast 4", "900 resend timeout 4", "900 packet 4")) == ["t3"]


def test_a_timeout_at_a_closed_window_is_its_probe_and_no_go_back_n() -> None:
    lines = ("900 mark t3 3", "900 mark t3 4", "900 resend timeout 3", "900 packet 3")

    assert names(told(*lines, a_rwnd=0)) == ["zero_window_probe"]
    assert names(told(*lines, "980 resend marked 4", "980 packet 4", a_rwnd=0))[1] == "t3_gbn"


@pytest.mark.parametrize(
    "lines",
    [
        ("40 mark pmtu 3", "40 resend timeout 3", "40 packet 3"),
        ("40 mark t3 3", "40 resend fast 3", "40 packet 3"),  # taken along by another's
        ("40 packet 3",),
    ],
)
def test_where_mark_and_packet_do_not_fit_there_is_no_cause(lines: tuple[str, ...]) -> None:
    assert names(told(*lines)) == [None]


def test_only_marks_for_loss_are_marks_of_truth() -> None:
    sender = LinuxSender()
    for word in ("fast", "pmtu", "t3", "t1"):
        sender.mark(MS, word, 1)

    assert [mark.what for mark in sender.marks] == ["fast", "t3"]
