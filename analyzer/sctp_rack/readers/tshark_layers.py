# SPDX-License-Identifier: BSD-2-Clause
"""Which bytes of a frame are SCTP packets, by the layers that tshark found in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

from sctp_rack._core import lib
from sctp_rack.errors import CaptureError
from sctp_rack.names import Encapsulation, Skip
from sctp_rack.readers.packet import NO_ADDRESS, NO_TIME, Frame, Packet, address, saturated

_IPV4_HEADER, _IPV6_HEADER, _UDP_HEADER = 20, 40, 8
_SCTP, _FRAGMENT, _AUTHENTICATION = 132, 44, 51

#: Records of DTLS by their content type: all, application data, what has a connection ID.
_RECORDS, _APPLICATION, _CONNECTION_ID = range(20, 26), 23, 25
_RECORD_HEADER = 13

#: IPv6 headers on the way to SCTP; the second byte is the length of all but the fragment header.
_EXTENSIONS = {0, 43, _FRAGMENT, _AUTHENTICATION, 60, 135, 139, 140}

#: Wireshark's number of the link type that is SCTP itself, LINKTYPE 248.
_ENCAP_SCTP = "149"

#: Tags of Wireshark's exported PDUs (epan/exported_pdu.h): addresses from and to, IPv4 and IPv6.
_PDU_SOURCES, _PDU_DESTINATIONS = {20, 22}, {21, 23}

#: UDP port of SCTP (RFC 6951).
UDP_PORT = 9899

#: Most UDP flows that are remembered.
_MOST_FLOWS = 4096


class Layer(NamedTuple):
    """One layer at the top of the tree, with its bytes and where they begin in their source.

    The source is the frame, or what was reassembled or decrypted. `payload` is that of UDP.
    """

    name: str
    data: bytes
    position: int
    payload: bytes = b""


@dataclass(frozen=True)
class _Below:
    """What the headers so far say of the bytes above them."""

    carrier: Encapsulation = Encapsulation.LINK
    #: Whether these bytes, if tshark has no name for them, are one whole SCTP packet.
    sctp: bool = False
    #: Whether each stretch of them is one only if it looks like one.
    perhaps: bool = False
    #: Whether that one packet was found already.
    found: bool = False
    src: bytes = NO_ADDRESS
    dst: bytes = NO_ADDRESS
    #: What `Packet` has of the packet, and of those in the DTLS records that follow.
    id: int = 0
    record_ids: tuple[int, ...] = ()
    hop_limit: int = 0
    #: Where the IP packet ends by its own length; None where that is not told.
    ends: int | None = None
    #: Payload bytes in this fragment; None where it is none.
    fragment: int | None = None


class Layers:
    """Takes frames apart; remembers which UDP flows carry SCTP."""

    def __init__(self, udp_ports: Iterable[int] = ()) -> None:
        self._udp_ports = {UDP_PORT, *udp_ports}
        self._flows: set[tuple[bytes, bytes, bytes]] = set()

    def frame(self, fields: Mapping[str, str], layers: Iterable[Layer]) -> Frame:
        """The frame with the fields of tshark's `frame` layer: number, time_epoch, len.

        Layers inside another one are not looked at: packets quoted in ICMP errors are none of
        ours. Raises `KeyError` and `ValueError` where `fields` are not what tshark prints.
        """
        packets: list[Packet] = []
        below, whole, secret = _Below(), b"", False
        for layer in layers:
            if layer.name == "frame":
                whole = layer.data
                if fields.get("frame.encap_type") != _ENCAP_SCTP:
                    continue
                below, layer = replace(below, sctp=True), Layer("data", whole, 0)
            if layer.name == "dtls":
                secret = _is_application_data(layer.data)
            elif layer.name == "data" and below.carrier == Encapsulation.DTLS:
                secret = False
            below = self._on_top(below, layer, whole)
            if layer.name == "udp" and below.sctp:
                layer = Layer("data", layer.payload, layer.position + _UDP_HEADER)
            elif layer.name == "sctp" and not below.found:
                layer = _whole_packet(layer, below, whole)
                below = replace(below, sctp=True, perhaps=False)
            if layer.name == "data" and below.record_ids:
                first, *others = below.record_ids
                below = replace(below, id=first, record_ids=tuple(others))
            if _is_packet(below, layer):
                wire = _on_the_wire(layer, below, whole, int(fields["frame.len"]))
                packets.append(
                    Packet(
                        below.src,
                        below.dst,
                        layer.data,
                        wire,
                        below.carrier,
                        below.id,
                        below.hop_limit,
                    )
                )
                below = replace(below, found=not below.perhaps)
        return Frame(
            int(fields["frame.number"]),
            epoch_ns(fields.get("frame.time_epoch")),
            packets,
            int(fields.get("frame.interface_id", 0)),
            None if packets else Skip.DTLS if secret else Skip.OTHER_PROTOCOL,
        )

    def _on_top(self, below: _Below, layer: Layer, whole: bytes) -> _Below:
        """What is known above one more layer."""
        match layer.name:
            case "ip" if len(layer.data) >= _IPV4_HEADER:
                return _above_ipv4(layer)
            case "ipv6" if len(layer.data) >= _IPV6_HEADER:
                return _above_ipv6(layer, whole)
            case "ah":  # its first byte says what follows
                return replace(below, sctp=layer.data[:1] == bytes([_SCTP]))
            case "udp":
                sctp = self._is_sctp_flow(below, layer)
                return replace(below, carrier=Encapsulation.UDP, sctp=sctp)
            case "dtls":
                return replace(
                    below,
                    carrier=Encapsulation.DTLS,
                    sctp=False,
                    perhaps=True,
                    record_ids=_ids_of_records(layer.data),
                )
            case "exported_pdu":
                return _above_pdu(layer)
            case "data" | "sctp":
                return below
        return replace(below, sctp=False, perhaps=False)

    def _is_sctp_flow(self, below: _Below, udp: Layer) -> bool:
        """By its ports, or since a packet with a right CRC32c."""
        ports = udp.data[:4]
        if self._udp_ports & {int.from_bytes(ports[:2], "big"), int.from_bytes(ports[2:], "big")}:
            return True
        flow = (below.src, below.dst, ports)
        if flow not in self._flows and _has_right_checksum(udp.payload):
            if len(self._flows) >= _MOST_FLOWS:
                self._flows.clear()
            self._flows |= {flow, (below.dst, below.src, ports[2:] + ports[:2])}
        return flow in self._flows


def _has_right_checksum(data: bytes) -> bool:
    """Zero, which `sr_plausible` lets pass, is no evidence."""
    return any(data[8:12]) and bool(lib.sr_plausible(data, len(data)))


def _is_packet(below: _Below, layer: Layer) -> bool:
    """tshark is told to leave SCTP alone, so that its packets are what it calls `data`."""
    if layer.name != "data" or not layer.data or below.found:
        return False
    if below.perhaps:
        return bool(lib.sr_plausible(layer.data, len(layer.data)))
    return below.sctp and (below.fragment is None or len(layer.data) > below.fragment)


def _whole_packet(sctp: Layer, below: _Below, whole: bytes) -> Layer:
    """Where tshark was not told so: it splits a packet with DATA and leaves the user data out."""
    if not whole.startswith(sctp.data, sctp.position) or below.fragment is not None:
        raise CaptureError(
            "an SCTP packet that was reassembled or decrypted: of those pyshark's packets, and "
            "tshark with a display filter, hold only parts; give the capture without them"
        )
    return Layer("data", whole[sctp.position : below.ends], sctp.position)


def _on_the_wire(layer: Layer, below: _Below, whole: bytes, length: int) -> int:
    """How many bytes it had in a frame of `length`; more than are there where the frame was cut."""
    if len(whole) >= length or whole[layer.position :] != layer.data:
        return len(layer.data)
    return max(min(length, below.ends or length) - layer.position, len(layer.data))


def epoch_ns(text: str | None) -> int:
    """Nanoseconds since the Unix epoch; `NO_TIME` for None.

    Of `seconds.fraction`, or of date and time in UTC, which is what tshark prints from 4.6 on."""
    if not text:
        return NO_TIME
    whole, _, fraction = text.removesuffix("Z").partition(".")
    ns = int(fraction[:9].ljust(9, "0"))
    seconds = _since_1970(whole) if "T" in whole else int(whole)
    return saturated(seconds * 10**9 + (-ns if whole.startswith("-") else ns))


def _since_1970(date: str) -> int:
    year = date.partition("-")[0]
    if len(year) > len("9999"):  # far beyond the range of int64
        return 1 << 62
    return int(datetime.fromisoformat(f"{date}+00:00").timestamp())


def _is_application_data(record: bytes) -> bool:
    """By the content type (RFC 6347), or the unified header of DTLS 1.3 (RFC 9147 section 4)."""
    return record[:1] == bytes([_APPLICATION]) or record[:1] >= b"\x20"


def _ids_of_records(datagram: bytes) -> tuple[int, ...]:
    """Of its application data (RFC 6347 section 4.1). Behind a connection ID, whose length no
    record tells, nobody knows where the next one begins; DTLS 1.3 masks its numbers."""
    found: list[int] = []
    at = 0
    while at + _RECORD_HEADER <= len(datagram) and datagram[at] in _RECORDS:
        if datagram[at] in (_APPLICATION, _CONNECTION_ID):
            found.append(int.from_bytes(datagram[at + 9 : at + 11], "big"))
        if datagram[at] == _CONNECTION_ID:
            break
        at += _RECORD_HEADER + int.from_bytes(datagram[at + 11 : at + 13], "big")
    return tuple(found)


def _above_ipv4(layer: Layer) -> _Below:
    header = layer.data
    total = int.from_bytes(header[2:4], "big")
    fragmented = int.from_bytes(header[6:8], "big") & 0x3FFF
    return _Below(
        Encapsulation.IP,
        sctp=header[9] == _SCTP,
        src=address(IPv4Address(header[12:16])),
        dst=address(IPv4Address(header[16:20])),
        id=int.from_bytes(header[4:6], "big"),
        hop_limit=header[8],
        ends=layer.position + total if total else None,  # 0: left to the network card
        fragment=total - len(header) if fragmented else None,
    )


def _above_ipv6(layer: Layer, whole: bytes) -> _Below:
    header = layer.data
    payload = int.from_bytes(header[4:6], "big")
    ends = layer.position + _IPV6_HEADER + payload if payload else None
    following, at, fragment = header[6], layer.position + _IPV6_HEADER, None
    while following in _EXTENSIONS and fragment is None and at + 8 <= len(whole):
        extension, length = following, whole[at + 1]
        if extension == _FRAGMENT and int.from_bytes(whole[at + 2 : at + 4], "big") & 0xFFF9:
            fragment = (ends or len(whole)) - at - 8  # what follows is only in the first one
        following = whole[at]
        if extension == _FRAGMENT:
            at += 8
        else:  # RFC 4302 section 2.2, RFC 8200 section 4
            at += 4 * (length + 2) if extension == _AUTHENTICATION else 8 * (length + 1)
    return _Below(
        Encapsulation.IP,
        sctp=following == _SCTP,
        src=address(IPv6Address(header[8:24])),
        dst=address(IPv6Address(header[24:40])),
        hop_limit=header[7],
        ends=ends,
        fragment=fragment,
    )


def _above_pdu(layer: Layer) -> _Below:
    """Tags of type, length and value; tshark has looked up what follows them."""
    src = dst = NO_ADDRESS
    at = 0
    while at + 4 <= len(layer.data):
        tag, length = (int.from_bytes(layer.data[i : i + 2], "big") for i in (at, at + 2))
        value = layer.data[at + 4 : at + 4 + length]
        if len(value) in (4, 16) and tag in _PDU_SOURCES:
            src = address(ip_address(value))
        elif len(value) in (4, 16) and tag in _PDU_DESTINATIONS:
            dst = address(ip_address(value))
        at += 4 + length
    return _Below(Encapsulation.PDU, sctp=True, src=src, dst=dst)
