# SPDX-License-Identifier: BSD-2-Clause
"""Capture files: pcap and pcapng, in either byte order."""

import struct
from collections.abc import Iterable

MICROSECONDS, NANOSECONDS, KUZNETZOV = 0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34

SECTION, INTERFACE, OBSOLETE, SIMPLE, NAMES, STATISTICS, ENHANCED, JOURNAL, SECRETS = (
    0x0A0D0D0A,
    *(1, 2, 3, 4, 5, 6, 9, 10),
)
CUSTOM, CUSTOM_NO_COPY = 0x00000BAD, 0x40000BAD
SYSDIG_EVENTS = (0x204, 0x216, 0x221)

RESOLUTION, OFFSET, COMMENT = 9, 14, 1  #: options

START = 1_700_000_000  #: seconds of the first frame

Option = tuple[int, bytes]


def pcap(
    frames: Iterable[bytes],
    link_type: int = 1,
    *,
    order: str = "<",
    magic: int = MICROSECONDS,
    fraction: int = 1,
    wire: int | None = None,
) -> bytes:
    """One frame a second; `wire` is the original length of all of them."""
    out = bytearray(struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, link_type))
    for index, frame in enumerate(frames):
        length = len(frame) if wire is None else wire
        out += struct.pack(order + "IIII", START + index, fraction, len(frame), length)
        if magic == KUZNETZOV:
            out += struct.pack(order + "IHBB", 2, 0x0800, 0, 0)  # interface, protocol, type, pad
        out += frame
    return bytes(out)


class Pcapng:
    """Blocks one after the other; `bytes()` gives the file."""

    def __init__(self, order: str = "<") -> None:
        self._out = bytearray()
        self.section(order)

    def __bytes__(self) -> bytes:
        return bytes(self._out)

    def section(self, order: str) -> None:
        """Begins a section in byte order `order`."""
        self._order = order
        self.block(SECTION, self._pack("IHHq", 0x1A2B3C4D, 1, 0, -1))

    def block(self, kind: int, body: bytes) -> None:
        """Any block."""
        body += bytes(-len(body) % 4)
        length = self._pack("I", 12 + len(body))
        self._out += self._pack("I", kind) + length + body + length

    def interface(
        self, link_type: int = 1, snaplen: int = 0, options: Iterable[Option] = ()
    ) -> None:
        """The next interface of the section."""
        self.block(INTERFACE, self._pack("HHI", link_type, 0, snaplen) + self.options(options))

    def raw(self, content: bytes) -> None:
        """Anything that need not be a block."""
        self._out += content

    def packet(
        self,
        frame: bytes,
        interface: int = 0,
        *,
        ticks: int = START * 1_000_000,
        wire: int | None = None,
        options: Iterable[Option] = (),
    ) -> None:
        """An enhanced packet block."""
        fields = (
            interface,
            *divmod(ticks, 1 << 32),
            len(frame),
            len(frame) if wire is None else wire,
        )
        self.block(ENHANCED, self._pack("IIIII", *fields) + _padded(frame) + self.options(options))

    def obsolete(
        self, frame: bytes, interface: int = 0, *, ticks: int = START * 1_000_000, drops: int = 0
    ) -> None:
        """A packet block of the first drafts."""
        fields = (interface, drops, *divmod(ticks, 1 << 32), len(frame), len(frame))
        self.block(OBSOLETE, self._pack("HHIIII", *fields) + frame)

    def simple(self, frame: bytes, wire: int | None = None) -> None:
        """A simple packet block: no time, the first interface."""
        self.block(SIMPLE, self._pack("I", len(frame) if wire is None else wire) + frame)

    def statistics(self, interface: int, **counts: int) -> None:
        """`received`, `dropped` by the interface, `lost` by the operating system."""
        codes = {"received": 4, "dropped": 5, "lost": 7}
        options = [(codes[name], self._pack("Q", count)) for name, count in counts.items()]
        self.block(STATISTICS, self._pack("III", interface, 0, 0) + self.options(options))

    def secrets(self, kind: int, value: bytes) -> None:
        """A decryption secrets block."""
        self.block(SECRETS, self._pack("II", kind, len(value)) + value)

    def options(self, options: Iterable[Option]) -> bytes:
        """A list of options with its end; nothing where there are none."""
        listed = [self._pack("HH", code, len(value)) + _padded(value) for code, value in options]
        return b"".join([*listed, bytes(4)]) if listed else b""

    def quad(self, value: int) -> bytes:
        """A signed 64-bit number in the byte order of the section."""
        return self._pack("q", value)

    def _pack(self, fields: str, *values: int) -> bytes:
        return struct.pack(self._order + fields, *values)


def _padded(value: bytes) -> bytes:
    return value + bytes(-len(value) % 4)
