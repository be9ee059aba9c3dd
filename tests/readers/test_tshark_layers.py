# SPDX-License-Identifier: BSD-2-Clause
"""Which layers of a frame are SCTP packets, where no capture at hand has such a frame."""

import pytest
from sctp_rack.names import Encapsulation, Skip
from sctp_rack.readers.packet import NO_TIME, Frame
from sctp_rack.readers.tshark_layers import Layer, Layers, epoch_ns

from tests.builder import sctp
from tests.builder.layers import UDP, ipv4, udp

PACKETS = [sctp.packet(sctp.data(tsn)) for tsn in range(3)]
RECORD = b"\x17\xfe\xfd" + bytes(100)
FIELDS = {"frame.number": "4", "frame.len": "131"}


def frame_of(*above_udp: Layer) -> Frame:
    datagram = ipv4(UDP, udp(40000, 40001, RECORD))
    below = [
        Layer("frame", datagram, 0),
        Layer("ip", datagram[:20], 0),
        Layer("udp", datagram[20:28], 20, RECORD),
    ]
    return Layers().frame(FIELDS, [*below, *above_udp])


def test_each_record_of_a_dtls_datagram_is_a_packet_of_its_own() -> None:
    frame = frame_of(Layer("dtls", RECORD, 28), *(Layer("data", data, 0) for data in PACKETS))

    assert [packet.data for packet in frame.packets] == PACKETS
    assert {packet.encapsulation for packet in frame.packets} == {Encapsulation.DTLS}
    assert {packet.src[:4] for packet in frame.packets} == {bytes([10, 0, 0, 1])}
    assert (frame.number, frame.time_ns, frame.skip) == (4, NO_TIME, None)


def test_dtls_that_carries_something_else_is_no_packet() -> None:
    frame = frame_of(Layer("dtls", RECORD, 28), Layer("data", b"GET / HTTP/1.1\r\n\r\n", 0))

    assert (list(frame.packets), frame.skip) == ([], Skip.OTHER_PROTOCOL)


def test_dtls_that_was_not_decrypted_is_told() -> None:
    assert frame_of(Layer("dtls", RECORD, 28)).skip == Skip.DTLS
    assert frame_of(Layer("dtls", b"\x16" + RECORD[1:], 28)).skip == Skip.OTHER_PROTOCOL


def test_user_data_above_something_else_is_no_packet() -> None:
    assert not frame_of(Layer("rtp", RECORD, 28), Layer("data", PACKETS[0], 0)).packets


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("1778402142.972176605", 1778402142972176605),
        ("5", 5 * 10**9),
        ("0.5", 5 * 10**8),
        ("-1.250000000", -1250000000),
        ("-0.250000000", -250000000),
        ("99999999999.0", (1 << 63) - 1),
        ("2026-05-10T08:35:42.972176605Z", 1778402142972176605),
        ("1969-12-31T23:59:59.750000000Z", -250000000),
        ("10000-01-01T00:00:00.000000000Z", (1 << 63) - 1),
        (None, NO_TIME),
        ("", NO_TIME),
    ],
)
def test_times_are_read_to_the_nanosecond(text: str | None, ns: int) -> None:
    assert epoch_ns(text) == ns
