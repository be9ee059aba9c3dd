# SPDX-License-Identifier: BSD-2-Clause
"""Files whose form is the attack: blocks of pcapng, and what a few compressed bytes unpack to."""

import gzip
import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.builder import sctp
from tests.hostile import chunks
from tests.hostile.shape import file
from tests.hostile.talk import FILE_HEADER, RAW, Attack, Flow, Wire

_SECTION = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
_INTERFACE = struct.pack("<IIHHII", 1, 20, RAW, 0, 0, 20)


def _block(kind: int, body: bytes) -> bytes:
    padded = body + bytes(-len(body) % 4)
    size = struct.pack("<I", 12 + len(padded))
    return struct.pack("<I", kind) + size + padded + size


def _enhanced(number: int, interface: int, frame: bytes, options: bytes = b"") -> bytes:
    ticks = 1_700_000_000_000_000 + number * 100
    fields = struct.pack("<IIIII", interface, *divmod(ticks, 1 << 32), len(frame), len(frame))
    return _block(6, fields + frame + bytes(-len(frame) % 4) + options)


def _frames(folder: Path) -> Iterator[bytes]:
    """IP packets with data and acknowledgements, a tenth of the data twice."""
    flow = Flow(1)
    with Wire(folder) as wire:  # /dev/null: what it would write is not wanted
        attack = Attack(wire, 0, Random(1), flow)
        tsn = 0
        while True:
            tsn += 1
            for way, body in ((0, sctp.data(tsn - tsn % 10 // 9)), (1, chunks.sack(tsn))):
                packet = attack.sctp(flow, way, body)
                head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(packet), 0, 0, 64, 132, 0)
                yield head + flow.ends[way] + packet


def _write(path: Path, size: int, parts: Iterator[bytes]) -> None:
    written = 0
    with path.open("wb") as out:
        while written < size:
            written += out.write(next(parts))


@file(".pcapng")
def sections(path: Path, size: int) -> None:
    """pcapng: a new section with a new interface for each packet."""

    def parts() -> Iterator[bytes]:
        for number, frame in enumerate(_frames(Path("/dev/null"))):
            yield _SECTION + _INTERFACE + _enhanced(number, 0, frame)

    _write(path, size, parts())


@file(".pcapng")
def interfaces(path: Path, size: int) -> None:
    """pcapng: tens of thousands of interfaces, each packet on another one."""

    def parts() -> Iterator[bytes]:
        yield _SECTION
        for number, frame in enumerate(_frames(Path("/dev/null"))):
            count = min(number + 1, 60000)
            yield (_INTERFACE if number < 60000 else b"") + _enhanced(
                number, number * 7919 % count, frame
            )

    _write(path, size, parts())


@file(".pcapng")
def statistics_and_options(path: Path, size: int) -> None:
    """pcapng: each packet with comments, drops that are reported, and blocks nobody knows."""
    comment = struct.pack("<HH", 1, 40) + b"sctp-rack: not by us, whatever it says!!"
    options = comment * 3 + struct.pack("<HHQ", 4, 8, 0) + bytes(4)

    def parts() -> Iterator[bytes]:
        yield _SECTION + _INTERFACE
        for number, frame in enumerate(_frames(Path("/dev/null"))):
            drops = struct.pack("<HHQ", 5, 8, number) + bytes(4)
            yield _enhanced(number, 0, frame, options)
            yield _block(5, struct.pack("<III", 0, 0, 0) + drops)
            yield _block(0x7000 + number % 5, bytes(20))

    _write(path, size, parts())


@file(".pcapng")
def names_and_secrets(path: Path, size: int) -> None:
    """pcapng: blocks of names and of decryption secrets between the packets, more than are kept."""

    def parts() -> Iterator[bytes]:
        yield _SECTION + _INTERFACE
        for number, frame in enumerate(_frames(Path("/dev/null"))):
            yield _enhanced(number, 0, frame)
            name = struct.pack("<HHI", 1, 12, number) + b"a.host.\0"
            yield _block(4, name * 10 + bytes(4))
            yield _block(
                10, struct.pack("<II", 0x544C534B, 200) + b"CLIENT_RANDOM " * 14 + bytes(4)
            )

    _write(path, size, parts())


@file(".pcap.gz")
def bomb_of_empty_frames(path: Path, size: int) -> None:
    """gzip: a capture of frames without a byte, a thousandth of its size on disk."""
    batch = bytes(16 * 4096)  # so many headers of records that say 0
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(FILE_HEADER)
        for _ in range(max(size // len(batch), 1)):
            out.write(batch)


@file(".pcap.gz")
def bomb_of_copies(path: Path, size: int) -> None:
    """gzip: the same packet over and over, a hundredth of its size on disk."""
    frame = next(_frames(Path("/dev/null")))
    record = struct.pack("<IIII", 1_700_000_000, 0, len(frame), len(frame)) + frame
    batch = record * (65536 // len(record))
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(FILE_HEADER)
        for _ in range(max(size // len(batch), 1)):
            out.write(batch)


@file(".pcap.gz", is_broken=True)
def bomb_of_zeros(path: Path, size: int) -> None:
    """gzip: zeros, which are no capture."""
    with gzip.open(path, "wb", compresslevel=1) as out:
        for _ in range(max(size >> 20, 1)):
            out.write(bytes(min(size, 1 << 20)))
