# SPDX-License-Identifier: BSD-2-Clause
"""Whatever a reader is given, it gives frames that the core takes, or one CaptureError."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.binding.session import Session
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.errors import CaptureError
from sctp_rack.readers.packet import Frame, PacketSource
from sctp_rack.readers.pion_scp import PionScpSource
from sctp_rack.readers.sctp_log import SctpLogSource
from sctp_rack.readers.tshark_layers import Layer, Layers

from tests.builder import sctp

NAMES = ("frame", "ip", "ipv6", "ah", "udp", "dtls", "exported_pdu", "data", "sctp", "gtp")

content = st.binary(max_size=80) | st.just(sctp.packet(sctp.data(5), sctp.sack(5, [(2, 3)])))
layers = st.lists(
    st.builds(Layer, st.sampled_from(NAMES), content, st.integers(0, 100), content), max_size=12
)


class Bytes:
    """Some bytes, as a source."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def readinto1(self, buffer: Any, /) -> int:
        piece, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        pass


def read(source: PacketSource) -> Session:
    session = Session("any", LAYOUTS, source=source)
    for batch in session.batches():
        assert batch.tables.keys() == LAYOUTS.keys()
    return session


class Frames:
    """Frames, as a source."""

    format = "frames"

    def __init__(self, frames: list[Frame]) -> None:
        self._frames = frames

    def frames(self) -> Any:
        yield from self._frames


@given(st.lists(layers, max_size=4), st.integers(0, 200), st.sampled_from(["1", "149"]))
def test_any_layers_are_frames_or_an_error(
    frames: list[list[Layer]], length: int, encapsulation: str
) -> None:
    taker = Layers([1])
    taken = []
    for number, given_layers in enumerate(frames, 1):
        fields = {"frame.number": str(number), "frame.len": str(length)}
        try:
            frame = taker.frame({**fields, "frame.encap_type": encapsulation}, given_layers)
        except CaptureError:
            continue
        assert all(packet.wire >= len(packet.data) for packet in frame.packets)
        taken.append(frame)
    assert read(Frames(taken)).end.message is None


line = st.from_regex(
    rb"[IO] [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{1,9} 0000( [0-9a-f]{2}){1,40} # SCTP_PACKET x?",
    fullmatch=True,
)


@given(st.lists(line | st.binary(max_size=40)))
def test_any_log_is_frames_or_an_error(lines: list[bytes]) -> None:
    session = read(SctpLogSource("any", Bytes(b"\n".join(lines))))
    assert session.end.message is None or session.end.is_error


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
packet = st.fixed_dictionaries(
    {
        "timestamp": values | st.datetimes().map(lambda time: time.isoformat() + "Z"),
        "source": values | st.ip_addresses().map("[{}]:1".format),
        "destination": st.ip_addresses().map("{}:1".format),
        "data_hex": st.text(max_size=4) | st.binary().map(bytes.hex),
    }
)


@given(st.lists(packet | values))
def test_any_packet_log_is_frames_or_an_error(records: list[Any]) -> None:
    text = "\n".join(map(json.dumps, records)).encode()
    session = read(PionScpSource("any", Bytes(text)))
    assert session.end.message is None or session.end.is_error
