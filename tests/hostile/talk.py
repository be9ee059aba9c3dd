# SPDX-License-Identifier: BSD-2-Clause
"""Writes packets of an attack to a pcap file as they come: right checksums, rising times."""

import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import TracebackType

import google_crc32c

from tests.builder import sctp
from tests.builder.files import NANOSECONDS, START
from tests.hostile import chunks

SCTP, UDP = 132, 17
RAW = 101  #: link type: the frame begins with its IP header
FILE_HEADER = struct.pack("<IHHiIII", NANOSECONDS, 2, 4, 0, 0, 262144, RAW)

_RECORD, _IP = struct.Struct("<IIII"), struct.Struct(">BBHHHBBH")
_AT_ONCE = 1 << 20


class Flow:
    """Two ends; way 0 is from A to B."""

    def __init__(self, number: int, *, same_ports: bool = False) -> None:
        ends = (
            struct.pack(">I", 0x0A000001 + 2 * number),
            struct.pack(">I", 0xAC100001 + 2 * number),
        )
        self.ends = ends[0] + ends[1], ends[1] + ends[0]
        ports = (5000, 5001) if same_ports else (1024 + number % 60000, 2905)
        self.ports = struct.pack(">HH", *ports), struct.pack(">HH", *reversed(ports))
        self.tags = 0x01000000 + number, 0x02000000 + number  # of packets that way
        self.next = [1000, 1000]  # TSN of each way


class Wire:
    """The file; what is written waits until there is a megabyte of it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._waiting: list[bytes] = [FILE_HEADER]
        self._bytes = 0
        self.written = 0
        self.frames = 0
        self.now = START * 1_000_000_000
        self.flows = 0
        self.ident = 0

    def __enter__(self) -> "Wire":
        return self

    def __exit__(
        self, kind: type | None, error: Exception | None, trace: TracebackType | None
    ) -> None:
        self._file.write(b"".join(self._waiting))
        self._file.close()

    def frame(self, frame: bytes, wire: int | None = None) -> None:
        """Any bytes as one frame, at the time it is; `wire`: how long it was before it was cut."""
        seconds, fraction = divmod(self.now, 1_000_000_000)
        size = len(frame)
        original = size if wire is None else wire
        record = _RECORD.pack(seconds & 0xFFFFFFFF, fraction, size, original)
        self._waiting.append(record + frame)
        self.frames += 1
        self.written += 16 + size
        self._bytes += 16 + size
        if self._bytes > _AT_ONCE:
            self._file.write(b"".join(self._waiting))
            self._waiting.clear()
            self._bytes = 0


class Attack:
    """One shape's part of a file: so many bytes, on associations of its own or on one given."""

    def __init__(self, wire: Wire, size: int, random: Random, flow: Flow | None = None) -> None:
        self.random = random
        self.wire = wire
        self.size = size  # bytes that it is to write
        self.step = 100_000  # nanoseconds between packets
        self.frame_of_data = 0
        self._written = 0
        self._flow = flow

    def until(self, share: float = 1.0) -> Iterator[int]:
        """Counts on while less than this share of its bytes is written."""
        number, goal = 0, share * self.size
        while self._written < goal:
            yield number
            number += 1

    def flow(self, *, same_ports: bool = False) -> Flow:
        """The one association that all share, or another one each time."""
        if self._flow is not None:
            return self._flow
        self.wire.flows += 1
        return Flow(self.wire.flows, same_ports=same_ports)

    def opened(self) -> Flow:
        """A flow behind its handshake."""
        flow = self.flow()
        if flow.next == [1000, 1000]:
            self.open(flow)
        return flow

    def open(self, flow: Flow) -> None:
        """INIT, INIT ACK, COOKIE ECHO, COOKIE ACK."""
        first, second = flow.next
        self.send(flow, 0, chunks.init(flow.tags[1], first), tag=0)
        cookie = chunks.parameter(7, b"cookie!!")
        self.send(flow, 1, chunks.init(flow.tags[0], second, cookie, chunks.INIT_ACK))
        self.send(flow, 0, sctp.chunk(chunks.COOKIE_ECHO, 0, b"cookie!!"))
        self.send(flow, 1, sctp.chunk(11, 0, b""))

    def send(self, flow: Flow, way: int, body: bytes, tag: int | None = None) -> None:
        """One SCTP packet."""
        self.packet(flow.ends[way], self.sctp(flow, way, body, tag))

    def sctp(self, flow: Flow, way: int, body: bytes, tag: int | None = None) -> bytes:
        """Common header and chunks."""
        head = flow.ports[way] + struct.pack(">I", flow.tags[way] if tag is None else tag)
        crc: int = google_crc32c.value(head + b"\0\0\0\0" + body)
        return head + struct.pack("<I", crc) + body

    def packet(self, ends: bytes, payload: bytes, protocol: int = SCTP) -> None:
        """An IPv4 packet whose ID counts."""
        wire = self.wire
        wire.ident = (wire.ident + 1) & 0xFFFF
        head = _IP.pack(0x45, 0, 20 + len(payload), wire.ident, 0x4000, 64, protocol, 0)
        self.frame(head + ends + payload)

    def frame(self, frame: bytes, wire: int | None = None) -> None:
        """Any frame, a step later."""
        self.wire.now += self.step
        before = self.wire.written
        self.wire.frame(frame, wire)
        self._written += self.wire.written - before

    def data(self, flow: Flow, tsn: int, payload: bytes = b"user", way: int = 0) -> None:
        """One packet with one DATA chunk, which `explain` is asked about where it is the last."""
        self.send(flow, way, chunks.data(tsn, payload))
        self.frame_of_data = self.wire.frames

    def new(self, flow: Flow, payload: bytes = b"user", way: int = 0) -> int:
        """The next TSN; returns it."""
        tsn = flow.next[way] & 0xFFFFFFFF
        flow.next[way] = tsn + 1
        self.data(flow, tsn, payload, way)
        return tsn
