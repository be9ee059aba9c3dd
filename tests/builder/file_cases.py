# SPDX-License-Identifier: BSD-2-Clause
"""Capture files of every format, and the packets in each of their frames."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

from tests.builder import files, sctp
from tests.builder.case import Packets
from tests.builder.files import Pcapng
from tests.builder.layers import IPV4, SCTP, ethernet, ipv4, sll

JOURNAL_ENTRY = b"__REALTIME_TIMESTAMP=1700000000000000\nMESSAGE=hello\n"
PRIVATE_NUMBER = 32473  # RFC 5612: for documentation
NETFLIX = 10949


def raw(tsn: int) -> bytes:
    """A packet for RAW IP."""
    return ipv4(SCTP, sctp.both(tsn))


def frame(tsn: int) -> bytes:
    """A frame for Ethernet."""
    return ethernet(IPV4, raw(tsn))


@dataclass(frozen=True)
class File:
    """A file and the TSNs of each of its frames, by their number."""

    name: str
    content: bytes
    packets: Packets


FRAMES = [frame(100), frame(101), frame(102)]
THREE: Packets = {1: [100], 2: [101], 3: [102]}
FCS_OF_FOUR = 0x14000000  # in the link type: the length is known, 2 units of 16 bits

PCAPS = [
    *(
        File(f"pcap, {unit}, {order} order", files.pcap(FRAMES, order=order, magic=magic), THREE)
        for unit, magic in (
            ("microseconds", files.MICROSECONDS),
            ("nanoseconds", files.NANOSECONDS),
            ("Kuznetzov", files.KUZNETZOV),
        )
        for order in "<>"
    ),
    File(
        "pcap, frame check sequences",
        files.pcap([f + b"\xde\xad\xbe\xef" for f in FRAMES], 1 | FCS_OF_FOUR),
        THREE,
    ),
    File("pcap, RAW IP", files.pcap([raw(100)], 101), {1: [100]}),
    File("pcap without frames", files.pcap([]), {}),
]


def capture(fill: Callable[[Pcapng], None], order: str = "<") -> bytes:
    """A pcapng file with one Ethernet interface and what `fill` adds."""
    out = Pcapng(order)
    out.interface()
    fill(out)
    return bytes(out)


def _plain(out: Pcapng) -> None:
    for packet in FRAMES:
        out.packet(packet)


def _sections(out: Pcapng) -> None:
    out.packet(frame(100))
    out.section(">")
    out.interface(101)
    out.interface(113)
    out.packet(raw(101), 0)
    out.packet(sll(IPV4, raw(102)), 1)
    out.section("<")
    out.interface(1)
    out.packet(frame(103))


def _interfaces(out: Pcapng) -> None:
    out.interface(101)
    out.packet(raw(100), 1)
    out.packet(frame(101), 0)
    out.interface(113)  # later than the first packets
    out.packet(sll(IPV4, raw(102)), 2)


def all_kinds(out: Pcapng) -> None:
    out.packet(frame(100))
    out.simple(frame(101))
    out.obsolete(frame(102))
    out.packet(frame(103), options=[(files.COMMENT, b"odd"), (2, struct.pack("<I", 1))])
    out.packet(frame(104) + b"\xff", options=[(files.COMMENT, b"behind padding")])


def _silent(out: Pcapng) -> None:
    """Blocks that are no frames to anybody."""
    out.packet(frame(100))
    out.block(files.NAMES, out.options([(1, b"\x0a\x00\x00\x01host\x00")]))
    out.statistics(0, received=3, dropped=1)
    out.secrets(0x544C534B, b"CLIENT_RANDOM 00 00\n")
    for kind in (0, 7, 8, 11, 0x80000001, 0x12345678, 0x0A0D0A00):
        out.block(kind, bytes(40))
    out.packet(frame(101))


def between(kind: int, body: bytes) -> bytes:
    """A block that tshark numbers as a frame, between two packets."""

    def fill(out: Pcapng) -> None:
        out.packet(frame(100))
        out.block(kind, body)
        out.packet(frame(101))

    return capture(fill)


def custom(number: int, body: bytes = b"anything") -> bytes:
    return struct.pack("<I", number) + body


def _large(out: Pcapng) -> None:
    comment = [(files.COMMENT, b"c" * 65532)]
    out.packet(frame(100), options=comment * 20)  # 1.3 MB
    out.block(0x12345678, bytes((1 << 21) - 12))
    out.packet(frame(101))
    out.block(0x12345678, bytes((16 << 20) - 4 - 12))
    out.packet(frame(102))
    out.block(0x12345678, bytes(17 << 20))
    out.packet(frame(103))


PCAPNGS = [
    *(
        File(
            f"pcapng, {order} order",
            capture(_plain, order),
            THREE,
        )
        for order in "<>"
    ),
    File(
        "pcapng, sections of both byte orders",
        capture(_sections),
        {1: [100], 2: [101], 3: [102], 4: [103]},
    ),
    File("pcapng, interfaces of three link types", capture(_interfaces), THREE),
    File(
        "pcapng, all kinds of packet blocks",
        capture(all_kinds),
        {1: [100], 2: [101], 3: [102], 4: [103], 5: [104]},
    ),
    File("pcapng, blocks that are no frames", capture(_silent), {1: [100], 2: [101]}),
    File("pcapng, blocks larger than a buffer", capture(_large), {**THREE, 4: [103]}),
    *(
        File(f"pcapng, {name} counts as a frame", between(kind, body), {1: [100], 3: [101]})
        for name, kind, body in (
            ("a custom block", files.CUSTOM, custom(PRIVATE_NUMBER)),
            ("a custom block of 1 byte", files.CUSTOM, custom(PRIVATE_NUMBER, b"x")),
            ("a custom block not to copy", files.CUSTOM_NO_COPY, custom(PRIVATE_NUMBER)),
            (
                "a custom block larger than a buffer",
                files.CUSTOM,
                custom(PRIVATE_NUMBER, bytes(1 << 20)),
            ),
            ("a Black Box Log event", files.CUSTOM, custom(NETFLIX, struct.pack("<I40x", 1))),
            ("a Black Box Log skip", files.CUSTOM, custom(NETFLIX, struct.pack("<II", 2, 3))),
            ("a journal entry", files.JOURNAL, JOURNAL_ENTRY),
            *((f"Sysdig event {kind:x}", kind, bytes(60)) for kind in files.SYSDIG_EVENTS),
        )
    ),
]


def _broken(content: bytes) -> bytes:
    """Two packets with `content` between them."""

    def fill(out: Pcapng) -> None:
        out.packet(frame(100))
        out.raw(content)
        out.packet(frame(101))

    return capture(fill)


def _block(kind: int, body: bytes, *, first: int | None = None, last: int | None = None) -> bytes:
    lengths = (12 + len(body) if length is None else length for length in (first, last))
    return struct.pack("<II", kind, next(lengths)) + body + struct.pack("<I", next(lengths))


def _enhanced(interface: int, captured: int, there: int) -> bytes:
    body = struct.pack("<IIIII", interface, 0, 0, captured, captured) + bytes(there)
    return _block(files.ENHANCED, body)


LIMIT = 134348832  # of a block: 128 MiB, and room for headers and options

#: Reading ends where the file breaks; what came before stands.
BROKEN = [
    File(name, content, {1: [100]})
    for name, content in (
        ("pcapng, a packet on an unknown interface", _broken(_enhanced(7, 64, 64))),
        ("pcapng, more captured bytes than the block has", _broken(_enhanced(0, 80, 64))),
        ("pcapng, a packet of more than 256 KiB", _broken(_enhanced(0, 262148, 262148))),
        ("pcapng, lengths that differ", _broken(_block(files.ENHANCED, bytes(40), last=48))),
        ("pcapng, a length below twelve", _broken(_block(99, b"", first=8))),
        ("pcapng, a block above Wireshark's limit", _broken(_block(99, b"", first=LIMIT + 4))),
        ("pcapng, a section without byte order", _broken(_block(files.SECTION, bytes(16)))),
        ("pcap, cut inside a record", files.pcap(FRAMES[:2])[:-1]),
        ("pcapng, cut inside a block", _broken(b"")[:-1]),
    )
]

BROKEN.append(  # by the first three records tshark guesses who wrote the file
    File(
        "pcap, a record of more than 256 KiB",
        files.pcap([*FRAMES, bytes(262148)]),
        THREE,
    )
)

FILES = [*PCAPS, *PCAPNGS]
