# SPDX-License-Identifier: BSD-2-Clause
"""The number of a DTLS record tells its packet from others, and in which order they were sent."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sctp_rack._core import lib
from sctp_rack.readers.tshark import TsharkSource

from tests.builder import sctp
from tests.builder.dtls_capture import TwoCaptures, assert_equal, with_repeated_records
from tests.builder.dtls_written import DTLS_1_2, SUITES_1_2, SUITES_1_3, Written
from tests.readers.rows import Rows, rows_of
from tests.readers.test_dtls_native import key_log

pytestmark = pytest.mark.skipif(
    not lib.sr_dtls_can_decrypt(), reason="the core was built without ciphers"
)

#: From a sender, a number and bytes to a record.
Seal = Callable[[int, int, bytes], bytes]


def _data(tsn: int) -> bytes:
    return sctp.packet(sctp.data(tsn, b"twenty bytes of data"), sport=5000, dport=5000, vtag=7)


def _sealed_1_2() -> tuple[Written, Seal]:
    written = Written(SUITES_1_2["AES-128-GCM"], DTLS_1_2)
    return written, written.seal_1_2


def _sealed_1_3() -> tuple[Written, Seal]:
    written = Written(SUITES_1_3["AES-128-GCM"])
    return written, written.seal_1_3


def _kinds(rows: Rows, tsn: int) -> list[str]:
    return [row["kind"] for row in rows["transmissions"] if row["tsn"] == tsn]


@pytest.mark.parametrize("begin", [_sealed_1_2, _sealed_1_3])
def test_the_same_record_is_a_duplicate_and_the_same_bytes_in_another_are_sent_again(
    begin: Callable[[], tuple[Written, Seal]], tmp_path: Path
) -> None:
    written, seal = begin()
    captures = TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    sent = [(number, _data(1000 + number)) for number in range(1, 12)]
    again = [(12, _data(1003)), (12, _data(1003)), (13, _data(1003))]
    for number, packet in [*sent, *again]:
        captures.add(0, seal(0, number, packet), packet, number=number)

    rows = assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))

    assert _kinds(rows, 1003) == [
        "original",
        "retransmission",
        "network_duplicate",
        "retransmission",
    ]


@pytest.mark.parametrize(
    ("epoch", "number", "kind"),
    [(0, 4, "reordered"), (0, 13, "retransmission"), (1, 1, "retransmission")],
)
def test_what_was_sent_in_a_later_epoch_was_sent_later(
    epoch: int, number: int, kind: str, tmp_path: Path
) -> None:
    """TSN 1003 is missing and comes 1 ms later: too soon for time to tell that it was sent again.

    An epoch begins to count anew.
    """
    written, captures = Written(SUITES_1_3["AES-128-GCM"]), TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    for each in range(1, 13):
        packet = _data(999 + each)
        if each != 4:
            captures.add(0, written.seal_1_3(0, each, packet), packet, number=each)
    if epoch == 1:
        written.update(0)
    packet = _data(1003)
    sealed = written.seal_1_3(0, number, packet)
    captures.add(0, sealed, packet, number=600 * epoch + number)

    rows = assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))

    assert _kinds(rows, 1003) == [kind]


def test_each_record_of_a_datagram_has_its_own_and_tshark_is_read_alike(tmp_path: Path) -> None:
    capture, keys = with_repeated_records(tmp_path)

    rows = rows_of(capture, keylog=str(keys))

    for tsn in (1005, 1006):
        assert _kinds(rows, tsn) == ["original", "retransmission", "network_duplicate"]
    assert rows == rows_of(capture, TsharkSource(str(capture), keylog=str(keys)))
