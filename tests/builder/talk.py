# SPDX-License-Identifier: BSD-2-Clause
"""Two ends that talk SCTP, in a capture file, and what we read of it."""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sctp_rack.binding.session import Session
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.recovery.gathering import TABLES
from sctp_rack.summary.of_session import summarise
from sctp_rack.summary.summary import Summary

from tests.builder import layers, sctp
from tests.builder.files import START, Pcapng

INIT, INIT_ACK, ABORT, SHUTDOWN, SHUTDOWN_ACK, COOKIE_ECHO, SHUTDOWN_COMPLETE = (
    1,
    2,
    6,
    7,
    8,
    10,
    14,
)
RAW, LINKTYPE_SCTP = 101, 248
REFLECTED = 1

Row = dict[str, Any]


@dataclass(frozen=True)
class End:
    """`vtag` is its own: packets to it carry it."""

    address: str
    port: int
    vtag: int


A, B = End("10.0.0.1", 5000, 0xA0A0A0A0), End("10.0.0.2", 6000, 0xB0B0B0B0)

#: From the SCTP packet, its two ends and its IP-ID to a frame.
Carrier = Callable[[bytes, End, End, int], bytes]


def in_ipv4(packet: bytes, source: End, to: End, ident: int) -> bytes:
    """Right in IP."""
    return layers.ipv4(layers.SCTP, packet, ident=ident, src=source.address, dst=to.address)


def in_udp(packet: bytes, source: End, to: End, ident: int) -> bytes:
    """RFC 6951."""
    datagram = layers.udp(9899, 9899, packet)
    return layers.ipv4(layers.UDP, datagram, ident=ident, src=source.address, dst=to.address)


def in_ipv6(packet: bytes, source: End, to: End, _ident: int) -> bytes:
    """There is no IP-ID."""
    return layers.ipv6(layers.SCTP, packet, src=f"::{source.address}", dst=f"::{to.address}")


def in_udp_over_ipv6(packet: bytes, source: End, to: End, _ident: int) -> bytes:
    """Both."""
    datagram = layers.udp(9899, 9899, packet)
    return layers.ipv6(layers.UDP, datagram, src=f"::{source.address}", dst=f"::{to.address}")


def bare(packet: bytes, _source: End, _to: End, _ident: int) -> bytes:
    """For LINKTYPE_SCTP."""
    return packet


def init(
    end: End, kind: int = INIT, addresses: Sequence[str] = (), extensions: bytes = b""
) -> bytes:
    """INIT or INIT ACK of `end`; `extensions` are chunk types that it supports."""
    value = struct.pack(">IIHHI", end.vtag, 65536, 10, 10, 1000)
    for address in addresses:
        value += struct.pack(">HH4s", 5, 8, bytes(map(int, address.split("."))))
    if extensions:
        padding = bytes(-len(extensions) % 4)
        value += struct.pack(">HH", 0x8008, 4 + len(extensions)) + extensions + padding
    return sctp.chunk(kind, 0, value)


def shutdown(cum: int) -> bytes:
    """It acknowledges too."""
    return sctp.chunk(SHUTDOWN, 0, struct.pack(">I", cum))


class Talk:
    """Frames one after the other, 10 ms apart unless told, each with its own IP-ID unless told."""

    def __init__(
        self, carrier: Carrier = in_ipv4, link_type: int = RAW, timed: bool = True
    ) -> None:
        self._carrier = carrier
        self._timed = timed
        self._file = Pcapng()
        self._file.interface(link_type)
        self._now = START * 1_000_000
        self.frames = 0

    def say(
        self,
        source: End,
        to: End,
        *chunks: bytes,
        vtag: int | None = None,
        ident: int | None = None,
        later_us: int = 10_000,
        checksum: sctp.Checksum = sctp.crc32c,
    ) -> int:
        """A packet; returns its frame."""
        self._now += later_us
        self.frames += 1
        packet = sctp.packet(
            *chunks,
            sport=source.port,
            dport=to.port,
            vtag=to.vtag if vtag is None else vtag,
            checksum=checksum,
        )
        ident = self.frames if ident is None else ident
        carried = self._carrier(packet, source, to, ident)
        if self._timed:
            self._file.packet(carried, ticks=self._now)
        else:
            self._file.simple(carried)
        return self.frames

    def handshake(self, a: End = A, b: End = B) -> None:
        """Four packets; `a` begins."""
        self.say(a, b, init(a), vtag=0)
        self.say(b, a, init(b, INIT_ACK))
        self.say(a, b, sctp.chunk(COOKIE_ECHO, 0, b"cookie"))
        self.say(b, a, sctp.cookie_ack())

    def handshake_on_the_way(self, to_receiver_us: int, to_sender_us: int) -> None:
        """Four packets at a tap between both, with what passes until an answer does."""
        self.say(A, B, init(A), vtag=0)
        self.say(B, A, init(B, INIT_ACK), later_us=to_receiver_us)
        self.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=to_sender_us)
        self.say(B, A, sctp.cookie_ack(), later_us=to_receiver_us)

    def handshake_at_sender(self, away_us: int, host_us: int = 100) -> None:
        """The same at the tap of `A`, whose host takes `host_us`; all behind it `away_us`."""
        self.handshake_on_the_way(to_receiver_us=away_us, to_sender_us=host_us)

    def handshake_at_receiver(self, away_us: int, host_us: int = 100) -> None:
        """The same at the tap of `B`."""
        self.handshake_on_the_way(to_receiver_us=host_us, to_sender_us=away_us)

    def write(self, folder: Path) -> Path:
        """The file."""
        path = folder / "talk.pcapng"
        path.write_bytes(bytes(self._file))
        return path


def rows(path: Path, table: str) -> list[Row]:
    """Every row of `table`, by the names of its columns."""
    found: list[Row] = []
    for batch in Session(str(path), [table]).batches():
        columns = columns_of(table, batch)
        found += [
            dict(zip(columns, values, strict=True))
            for values in zip(*columns.values(), strict=True)
        ]
    return found


def summary(path: Path) -> Summary:
    """What `analyze` says of it."""
    return summarise(Session(str(path), TABLES))
