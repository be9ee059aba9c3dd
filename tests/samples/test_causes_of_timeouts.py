# SPDX-License-Identifier: BSD-2-Clause
"""What a timeout marked is sent because of it, as a probe where the window is closed."""

from sample_pcaps.generate.cause import Cause, Sender
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.wire import Acknowledgement, Data

CHUNKS = [Data(1, 400), Data(2, 400)]


def with_window(a_rwnd: int) -> Sender:
    """Two chunks are outstanding, and the window is told."""
    sender = Sender()
    sender.send(0, CHUNKS, [1, 1])
    sender.hear(Acknowledgement(0, a_rwnd, ()))
    return sender


def again(sender: Sender, time_ns: int, chunk: Data) -> str | None:
    (cause,) = sender.send(time_ns, [chunk], [2])
    return cause.name


def test_what_a_timeout_marked_at_a_closed_window_is_no_probe_once_the_window_is_open() -> None:
    sender = with_window(0)
    for chunk in CHUNKS:
        sender.mark(9 * MS, "t3", chunk.tsn)

    assert again(sender, 9 * MS, CHUNKS[0]) == "zero_window_probe"
    sender.hear(Acknowledgement(1, 4000, ()))
    assert again(sender, 10 * MS, CHUNKS[1]) == "t3_gbn"


def test_what_two_timeouts_marked_is_sent_because_of_the_second() -> None:
    sender = with_window(4000)
    sender.mark(9 * MS, "t3", 1)
    sender.mark(9 * MS, "t3", 2)
    assert again(sender, 9 * MS, CHUNKS[0]) == "t3"

    sender.time_out_again(20 * MS)
    sender.mark(20 * MS, "t3", 1)
    assert sender.send(20 * MS, CHUNKS, [3, 2]) == [Cause("t3", "t3"), Cause("t3", "t3")]
    assert [mark.tsn for mark in sender.marks] == [1, 2, 1]


def test_what_missing_reports_marked_and_a_timeout_lets_go_has_no_certain_cause() -> None:
    sender = with_window(4000)
    sender.mark(9 * MS, "fast", 2)
    sender.time_out_again(20 * MS)

    assert again(sender, 20 * MS, CHUNKS[1]) is None
