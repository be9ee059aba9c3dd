# SPDX-License-Identifier: BSD-2-Clause
"""A chunk seen once, and in order, is new unless packets that are missing prove a copy before it: a
pause as long as a timer does not."""

from collections.abc import Iterable
from pathlib import Path

from tests.builder import sctp
from tests.builder.talk import COOKIE_ECHO, INIT, INIT_ACK, A, B, Row, Talk, init, rows

MS = 1_000
RTO = 1_000 * MS  #: RTO.Min of RFC 9260, which a round trip of 80 ms leaves as it is
FIRST = 1_000  #: TSN


class Tap:
    """A tap half-way of 40 ms behind a loss; side A counts its packets."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self._talk = Talk()
        self._count = 100
        self._tsn = FIRST
        self._send(init(A, INIT, list(addresses)), vtag=0)
        self._talk.say(B, A, init(B, INIT_ACK), later_us=40 * MS)
        self._send(sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=40 * MS)
        self._talk.say(B, A, sctp.cookie_ack(), later_us=40 * MS)

    def _send(self, chunk: bytes, later_us: int = MS, vtag: int | None = None) -> int:
        self._count += 1
        return self._talk.say(A, B, chunk, ident=self._count, later_us=later_us, vtag=vtag)

    def lose(self, packets: int = 1, tsns: int = 0) -> None:
        """On the way to the tap."""
        self._count += packets
        self._tsn += tsns

    def data(self, later_us: int = MS) -> int:
        """The next TSN; returns its frame."""
        self._tsn += 1
        return self._send(sctp.data(self._tsn - 1), later_us)

    def again(self, tsn: int, later_us: int) -> int:
        """Another copy."""
        return self._send(sctp.data(tsn), later_us)

    def sack(self, later_us: int = 40 * MS) -> None:
        """Of all so far."""
        self._talk.say(B, A, sctp.sack(self._tsn - 1), later_us=later_us)

    def burst(self, later_us: int = 50 * MS) -> None:
        """Two packets, acknowledged."""
        self.data(later_us)
        self.data()
        self.sack()

    def loss(self) -> None:
        """One whose copy before is proven to be lost before the tap: TSNs above it were missed."""
        lost = self._tsn
        self.lose(1, tsns=1)
        for above in range(1, 4):
            self.data()
            self._talk.say(
                B, A, sctp.sack(lost - 1, [(2, above + 1)]), later_us=40 * MS if above == 1 else 100
            )
        self.again(lost, 41 * MS)
        self.sack()

    def heartbeat(self) -> None:
        """A question."""
        self._talk.say(B, A, sctp.chunk(4, 0, b"\0\1\0\10what"), later_us=MS)

    def asked(self) -> None:
        """Data of the other side, which A has to acknowledge."""
        self._talk.say(B, A, sctp.data(5_000), later_us=MS)

    def row(self, folder: Path, frame: int) -> Row:
        """That of the frame."""
        (row,) = [r for r in rows(self._talk.write(folder), "transmissions") if r["frame"] == frame]
        return row


def _resend(tap: Tap, folder: Path, frame: int) -> bool:
    row = tap.row(folder, frame)
    assert row["kind"] in {"original", "retransmission"}
    return bool(row["kind"] == "retransmission")


def _behind_a_loss(tap: Tap) -> None:
    tap.burst()
    tap.loss()
    tap.burst()


def test_a_pause_as_long_as_a_timer_makes_no_retransmission(tmp_path: Path) -> None:
    tap = Tap()
    _behind_a_loss(tap)
    frame = tap.data(RTO - 40 * MS)
    tap.sack()

    assert not _resend(tap, tmp_path, frame)


def test_a_missing_packet_before_a_pause_is_the_lost_tail(tmp_path: Path) -> None:
    tap = Tap()
    _behind_a_loss(tap)
    tap.lose()
    frame = tap.data(RTO - 40 * MS)
    tap.sack()
    row = tap.row(tmp_path, frame)

    assert (row["kind"], row["cause"], row["cause_class"]) == ("retransmission", "t3", 3)
    assert (row["verdict"], row["verdict_class"], row["copy"]) == ("needed", 3, 1)


def test_which_timer_it_was_is_less_sure_than_that_it_was_one(tmp_path: Path) -> None:
    tap = Tap()
    _behind_a_loss(tap)
    tap.lose()
    frame = tap.data(RTO // 2)
    tap.sack()
    row = tap.row(tmp_path, frame)

    assert (row["kind"], row["cause"], row["cause_class"]) == ("retransmission", "t3", 2)


def test_as_many_follow_as_are_missing(tmp_path: Path) -> None:
    tap = Tap()
    _behind_a_loss(tap)
    tap.lose(2)
    tap.data(RTO - 40 * MS)
    tap.sack()
    second = tap.data(41 * MS)
    tap.sack()
    third = tap.data(41 * MS)
    tap.sack()

    assert tap.row(tmp_path, second)["cause"] == "t3_gbn"
    assert not _resend(tap, tmp_path, third)


def test_where_nothing_is_known_to_be_lost_a_missing_packet_is_of_something_else(
    tmp_path: Path,
) -> None:
    """A host may count all that it sends."""
    tap = Tap()
    tap.burst()
    tap.burst()
    tap.lose()
    frame = tap.data(RTO - 40 * MS)
    tap.sack()

    assert not _resend(tap, tmp_path, frame)


def test_a_host_that_counts_other_traffic_tells_nothing(tmp_path: Path) -> None:
    """New data follows at once where packets are missing."""
    tap = Tap()
    _behind_a_loss(tap)
    tap.lose()
    tap.burst(later_us=20 * MS)
    tap.lose()
    frame = tap.data(RTO - 40 * MS)
    tap.sack()

    assert not _resend(tap, tmp_path, frame)


def test_what_is_missing_may_have_gone_to_another_address(tmp_path: Path) -> None:
    tap = Tap(addresses=["10.0.0.1", "10.0.9.1"])
    _behind_a_loss(tap)
    tap.lose()
    frame = tap.data(RTO - 40 * MS)
    tap.sack()

    assert not _resend(tap, tmp_path, frame)


def test_what_is_missing_may_be_an_answer(tmp_path: Path) -> None:
    """A SACK, or a HEARTBEAT ACK."""
    for asks in (Tap.asked, Tap.heartbeat):
        tap = Tap()
        _behind_a_loss(tap)
        asks(tap)
        tap.lose()
        frame = tap.data(RTO - 40 * MS)
        tap.sack()

        assert not _resend(tap, tmp_path, frame)


def test_what_is_missing_may_be_a_skipped_tsn_sent_again(tmp_path: Path) -> None:
    tap = Tap()
    _behind_a_loss(tap)
    tap.lose(1, tsns=1)
    tap.data()
    tap.lose()
    frame = tap.data(RTO)

    assert not _resend(tap, tmp_path, frame)
