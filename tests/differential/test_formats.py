# SPDX-License-Identifier: BSD-2-Clause
"""Whatever file holds the frames, we number, date and read them as tshark does."""

import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from sctp_rack._core import ffi, lib
from sctp_rack.binding.session import Session
from sctp_rack.columns.of_rows import columns_of

from tests.builder import files, sctp
from tests.builder.case import expected, within
from tests.builder.file_cases import (
    BROKEN,
    FILES,
    FRAMES,
    PRIVATE_NUMBER,
    File,
    all_kinds,
    between,
    capture,
    custom,
    frame,
)
from tests.builder.files import START, Pcapng
from tests.builder.layers import IPV4, SCTP, ethernet, ipv4
from tests.captures import one_in
from tests.differential.our_rows import by_us
from tests.differential.tshark_oracle import Seen, by_tshark

NANO = 1_000_000_000


@pytest.mark.parametrize("file", one_in(2, [*FILES, *BROKEN]), ids=lambda file: file.name)
def test_both_see_the_frames_that_the_file_holds(file: File, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(file.content)
    wanted = expected(file.packets)
    assert by_us(path) == wanted
    assert by_tshark(path) == wanted


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.name)
def test_a_broken_file_says_where_it_breaks(file: File, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(file.content)
    session = Session(str(path))
    session.read_all()
    assert session.end.message is not None
    assert f"(frame {len(file.packets) + 1})" in session.end.message


def test_a_simple_packet_block_is_cut_by_the_snap_length(tmp_path: Path) -> None:
    data_only = ethernet(IPV4, ipv4(SCTP, sctp.both(100)))
    cut = len(data_only) - 24  # before the SACK chunk
    out = Pcapng()
    out.interface(1, snaplen=cut)
    out.simple(data_only[:cut], wire=len(data_only))
    out.simple(ethernet(IPV4, ipv4(SCTP, sctp.packet(sctp.data(101)))))
    path = tmp_path / "simple.pcapng"
    path.write_bytes(bytes(out))
    ours, theirs = by_us(path), by_tshark(path)
    assert ours == theirs
    assert ours.data == {(1, 100): 1, (2, 101): 1}


def our_times(path: Path) -> dict[int, int | None]:
    """Nanoseconds by frame."""
    session = Session(str(path), ("chunks",))
    times: dict[int, int | None] = {}
    for batch in session.batches():
        chunks = columns_of("chunks", batch)
        times.update(zip(chunks["frame"], chunks["time_ns"], strict=True))
    assert session.end.message is None
    return times


def tshark_times(path: Path) -> dict[int, int | None]:
    """Nanoseconds by frame, as tshark shows them."""
    command = [
        "tshark",
        "-r",
        str(path),
        "-T",
        "fields",
        "-e",
        "frame.number",
        "-e",
        "frame.time_epoch",
    ]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    times: dict[int, int | None] = {}
    for line in shown.splitlines():
        number, _, epoch = line.partition("\t")
        seconds, _, fraction = epoch.partition(".")
        times[int(number)] = int(seconds + fraction) if epoch else None
    return times


@dataclass(frozen=True)
class Clock:
    """An interface's if_tsresol and if_tsoffset, a timestamp on it, and the time that it tells."""

    resolution: int | None
    ticks: int
    ns: int
    offset: int | None = None
    tshark: int | None = None  # where it differs, because of `reason`
    reason: str = ""


BINARY = 0x80
FRACTION = 123_456_789
OVERFLOW = (
    "tshark multiplies the fraction by 10^9 in 64 bits: above 2^34 units a second it overflows"
)


def overflowed(ticks: int, units: int) -> int:
    """What tshark makes of a fraction of a second."""
    return START * NANO + (ticks * NANO % (1 << 64)) // units


CLOCKS = [
    Clock(None, START * 10**6 + 123_456, START * NANO + 123_456_000),
    *(
        Clock(
            digits,
            (START * NANO + FRACTION) // 10 ** (9 - digits),
            START * NANO + FRACTION // 10 ** (9 - digits) * 10 ** (9 - digits),
        )
        for digits in range(10)
    ),
    Clock(
        12,
        FRACTION * 1000 + 999,
        START * NANO + FRACTION,
        offset=START,
        tshark=overflowed(FRACTION * 1000 + 999, 10**12),
        reason=OVERFLOW,
    ),
    Clock(BINARY | 34, (1 << 34) // 3, START * NANO + NANO // 3, offset=START),
    Clock(
        BINARY | 40,
        (1 << 40) // 3,
        START * NANO + NANO // 3,
        offset=START,
        tshark=overflowed((1 << 40) // 3, 1 << 40),
        reason=OVERFLOW,
    ),
    *(
        Clock(
            BINARY | bits,
            (START << bits) + (1 << bits) // 3,
            START * NANO + ((1 << bits) // 3 * NANO >> bits),
        )
        for bits in (0, 1, 10, 20, 30, 32)
    ),
    Clock(None, 5, START * NANO + 5_000, offset=START),
    Clock(9, START * NANO + 7, (START - 3600) * NANO + 7, offset=-3600),
    Clock(6, 0, 0),
    Clock(9, 0xFFFF_FFFF, 0xFFFF_FFFF),
]


def test_every_clock_tells_the_time_that_tshark_tells(tmp_path: Path) -> None:
    out = Pcapng()
    for index, clock in enumerate(CLOCKS):
        options = []
        if clock.resolution is not None:
            options.append((files.RESOLUTION, bytes([clock.resolution])))
        if clock.offset is not None:
            options.append((files.OFFSET, out.quad(clock.offset)))
        out.interface(options=options)
        out.packet(frame(100 + index), index, ticks=clock.ticks)
    path = tmp_path / "clocks.pcapng"
    path.write_bytes(bytes(out))
    numbered = dict(enumerate(CLOCKS, start=1))
    assert all(clock.reason for clock in CLOCKS if clock.tshark is not None)
    assert our_times(path) == {number: clock.ns for number, clock in numbered.items()}
    assert tshark_times(path) == {
        number: clock.ns if clock.tshark is None else clock.tshark
        for number, clock in numbered.items()
    }


@pytest.mark.parametrize(
    ("magic", "fraction", "ns"),
    [(files.MICROSECONDS, 999_999, 999_999_000), (files.NANOSECONDS, 999_999_999, 999_999_999)],
)
def test_pcap_times_are_those_of_tshark(magic: int, fraction: int, ns: int, tmp_path: Path) -> None:
    path = tmp_path / "times.pcap"
    path.write_bytes(files.pcap(FRAMES, magic=magic, fraction=fraction))
    wanted = {1 + i: (START + i) * NANO + ns for i in range(3)}
    assert our_times(path) == tshark_times(path) == wanted


def test_packet_blocks_of_every_kind_have_the_times_of_tshark(tmp_path: Path) -> None:
    path = tmp_path / "kinds.pcapng"
    path.write_bytes(capture(all_kinds))
    at = START * NANO
    assert our_times(path) == tshark_times(path) == {1: at, 2: None, 3: at, 4: at, 5: at}


def read(content: bytes, path: Path) -> Session:
    """A session at the end of the file."""
    path.write_bytes(content)
    session = Session(str(path))
    session.read_all()
    assert session.end.message is None
    return session


@pytest.mark.parametrize("order", "<>")
def test_drop_counters_are_added_up_over_interfaces_and_sections(
    order: str, tmp_path: Path
) -> None:
    out = Pcapng(order)
    for _ in range(2):
        out.interface()
        out.interface()
        out.statistics(0, received=10, dropped=1, lost=1)
        out.statistics(0, received=20, dropped=2, lost=30)  # counts on from the one before
        out.statistics(1, dropped=1 << 40)
        out.section(order)
    totals = read(bytes(out), tmp_path / "drops.pcapng").reader_totals
    assert totals.interface_drops == 2 * (2 + (1 << 40))
    assert totals.system_drops == 2 * 30
    assert (totals.interfaces, totals.sections) == (4, 3)


def test_drops_that_packet_blocks_tell_are_added_up(tmp_path: Path) -> None:
    out = Pcapng()
    out.interface()
    out.packet(frame(100), options=[(files.COMMENT, b"x"), (4, struct.pack("<Q", 5))])
    out.obsolete(frame(101), drops=2)
    out.obsolete(frame(102), drops=0xFFFF)  # not known
    assert read(bytes(out), tmp_path / "drops.pcapng").reader_totals.record_drops == 7


def test_decryption_secrets_are_kept_in_order(tmp_path: Path) -> None:
    secrets = [(0x544C534B, b"CLIENT_RANDOM 00 00\n"), (0x57474B4C, b""), (1, b"odd")]
    out = Pcapng(">")
    for kind, value in secrets:
        out.secrets(kind, value)
    session = read(bytes(out), tmp_path / "secrets.pcapng")
    kept: list[tuple[int, bytes]] = []
    kind, length = ffi.new("uint32_t *"), ffi.new("uint32_t *")
    while (at := lib.sr_reader_secrets(session.reader, len(kept), kind, length)) != ffi.NULL:
        kept.append((kind[0], bytes(ffi.buffer(at, length[0]))))
    assert kept == secrets
    assert session.reader_totals.secrets == 3


def test_frames_without_a_packet_are_counted_as_blocks_that_were_skipped(tmp_path: Path) -> None:
    content = between(files.CUSTOM, custom(PRIVATE_NUMBER))
    totals = read(content, tmp_path / "custom.pcapng").reader_totals
    assert (totals.frames, totals.skipped_blocks) == (3, 1)


BELOW = 14 + 20 + 12  #: bytes before the first chunk
CUM = 1000


@dataclass(frozen=True)
class Snapped:
    """A packet with one chunk, and what is known of it by how much of the chunk is there."""

    chunk: bytes
    fixed: int  # bytes up to its TSN, or up to the counts of its lists
    lists_at: int = 0

    def seen(self, number: int, there: int) -> Seen:
        """With `there` bytes of the chunk."""
        seen = Seen()
        kind = self.chunk[0]
        if there >= 4:
            seen.chunks[number, kind] += 1
        if there < self.fixed:
            return seen
        if kind in (sctp.DATA, sctp.I_DATA):
            seen.data[number, CUM] += 1
        else:
            entries = max(there - self.lists_at, 0) // 4
            seen.sacks[number, CUM, sctp.A_RWND, *_lists(kind, entries)] += 1
        return seen


GAPS, NR_GAPS, DUPS = [(2, 3), (5, 5)], [(7, 9)], [CUM - 1, CUM - 2]
NUMBERS = [CUM + 2, CUM + 3, CUM + 5, CUM + 5], [CUM + 7, CUM + 9], DUPS


def _lists(kind: int, entries: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The first `entries` blocks and duplicates."""
    gaps, nr_gaps, dups = NUMBERS
    nr_gaps = nr_gaps if kind == sctp.NR_SACK else []
    after_gaps = max(entries - len(gaps) // 2, 0)
    after_nr_gaps = max(after_gaps - len(nr_gaps) // 2, 0)
    return tuple(gaps[: 2 * entries]), tuple(nr_gaps[: 2 * after_gaps]), tuple(dups[:after_nr_gaps])


SNAPPED = {
    "DATA": Snapped(sctp.data(CUM), 8),
    "I-DATA": Snapped(sctp.i_data(CUM), 8),
    "SACK": Snapped(sctp.sack(CUM, GAPS, DUPS), 12, 16),
    "NR-SACK": Snapped(sctp.nr_sack(CUM, GAPS, NR_GAPS, DUPS), 12, 20),
}


@pytest.mark.parametrize("snapped", SNAPPED.values(), ids=SNAPPED)
def test_a_packet_cut_anywhere_shows_what_was_captured(snapped: Snapped, tmp_path: Path) -> None:
    whole = ethernet(IPV4, ipv4(SCTP, sctp.packet(snapped.chunk)))
    out = Pcapng()
    out.interface()
    wanted = Seen()
    for length in range(len(whole) + 1):
        out.packet(whole[:length], wire=len(whole))
        seen = snapped.seen(length + 1, length - BELOW)
        wanted.chunks += seen.chunks
        wanted.data += seen.data
        wanted.sacks += seen.sacks
    path = tmp_path / "snapped.pcapng"
    path.write_bytes(bytes(out))
    ours, theirs = by_us(path), by_tshark(path)
    assert ours == wanted
    assert not theirs.chunks - ours.chunks
    assert not theirs.data - ours.data
    assert not theirs.sacks - ours.sacks
    last = len(whole) + 1
    assert within(ours, last, last) == within(theirs, last, last)


def test_a_cut_data_chunk_tells_how_many_bytes_it_had(tmp_path: Path) -> None:
    whole = ethernet(IPV4, ipv4(SCTP, sctp.packet(sctp.data(CUM, bytes(1000)))))
    path = tmp_path / "cut.pcap"
    path.write_bytes(files.pcap([whole[:96]], wire=len(whole)))
    session = Session(str(path), ("transmissions",))
    (batch,) = session.batches()
    assert columns_of("transmissions", batch)["bytes"].tolist() == [1000]
