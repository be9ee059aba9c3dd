# SPDX-License-Identifier: BSD-2-Clause
"""What tshark sees in captures: many of one kind with one start of it, for its start takes longer
than a capture. Of what is cut or inside DTLS it tells no TSNs; there it is asked for the bytes of
the SCTP packets."""

import struct
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..wire import COMMON_HEADER, DATA, I_DATA, acknowledgement_of

_TSHARK = ("tshark", "-n", "-o", "sctp.relative_tsns:FALSE", "-o", "sctp.reassembly:FALSE")
_LISTS = (
    *("sctp.data_tsn_raw", "sctp.chunk_type"),
    *("sctp.sack_cumulative_tsn_ack_raw", "sctp.sack_cumulative_tsn_ack"),
    *("sctp.nr_sack_cumulative_tsn_ack", "sctp.shutdown_cumulative_tsn_ack"),
    *("sctp.sack_gap_block_start_tsn", "sctp.sack_gap_block_end_tsn"),
    *("sctp.nr_sack_gap_block_start_tsn", "sctp.nr_sack_gap_block_end_tsn"),
    *("sctp.nr_sack_nr_gap_block_start_tsn", "sctp.nr_sack_nr_gap_block_end_tsn"),
    *("sctp.sack_duplicate_tsn", "sctp.nr_sack_duplicate_tsn"),
    *("sctp.forward_tsn_tsn", "sctp.i_forward_tsn_tsn"),
)
_FIELDS = ("frame.interface_id", "frame.time_epoch", "ip.src", "ipv6.src", "ip.dst", "ipv6.dst")
_HEADER = {DATA: 16, I_DATA: 20}
_FORWARD_TSN, _I_FORWARD_TSN = 192, 194


@dataclass(frozen=True)
class Acknowledged:
    """What a SACK or NR-SACK says; a SHUTDOWN says the first only."""

    cum_tsn: int
    blocks: tuple[tuple[int, int], ...] = ()

    def covers(self, tsn: int) -> bool:
        """Whether `tsn` is acknowledged, cumulatively or in a block."""
        return (self.cum_tsn - tsn) % 2**32 < 2**31 or any(
            (tsn - start) % 2**32 <= (end - start) % 2**32 for start, end in self.blocks
        )


@dataclass(frozen=True)
class Frame:
    """One frame of a capture."""

    number: int
    time_ns: int
    source: str
    destination: str
    chunk_types: tuple[int, ...]
    tsns: tuple[int, ...]
    acknowledged: Acknowledged | None
    shut_down: Acknowledged | None
    duplicates: tuple[int, ...]
    forward: tuple[int, ...]  #: new cumulative TSNs of FORWARD-TSN


@dataclass(frozen=True)
class Capture:
    """A file, and what tshark has to know of it."""

    path: Path
    keys: Path | None = None  #: of DTLS
    cut: bool = False

    @property
    def as_bytes(self) -> bool:
        """Whether tshark is asked for bytes."""
        return self.cut or self.keys is not None

    @property
    def kind(self) -> object:
        """Captures of one kind are read together; DTLS is not: a tap later its handshake would come
        again in what tshark takes for one connection."""
        return self.path if self.keys else self.cut


def frames_of(capture: Capture) -> list[Frame]:
    """All frames of a file; raises `CalledProcessError` where tshark fails."""
    lines = _lines_of(capture.path, capture)
    return [_frame(number, line, capture) for number, line in enumerate(lines, 1)]


def frames_of_each(captures: Sequence[Capture]) -> list[list[Frame] | str]:
    """All frames of each file, or what is said where it cannot be read."""
    by_kind: dict[object, list[Capture]] = {}
    for capture in captures:
        by_kind.setdefault(capture.kind, []).append(capture)
    found: dict[Path, list[Frame] | str] = {}
    for alike in by_kind.values():
        found.update(zip((one.path for one in alike), _frames_of_alike(alike), strict=True))
    return [found[capture.path] for capture in captures]


def _frames_of_alike(captures: Sequence[Capture]) -> Iterator[list[Frame] | str]:
    """Where they cannot be read together they are read in halves."""
    try:
        if len(captures) == 1:
            yield frames_of(captures[0])
            return
        if frames := _frames_together(captures):
            yield from frames
            return
    except subprocess.CalledProcessError as failed:
        if len(captures) == 1:
            yield str(failed.stderr.strip().splitlines()[-1])
            return
    half = len(captures) // 2
    yield from _frames_of_alike(captures[:half])
    yield from _frames_of_alike(captures[half:])


def _frames_together(captures: Sequence[Capture]) -> list[list[Frame]]:
    """Nothing where a file is empty: mergecap leaves its interface out, and so the next file has
    its number."""
    with tempfile.TemporaryDirectory() as folder:
        together = Path(folder) / "together.pcapng"
        files = [str(capture.path) for capture in captures]
        # "none": each file keeps an interface of its own, whose number tells it in what is merged
        merge = ["mergecap", "-a", "-I", "none", "-w", str(together), *files]
        subprocess.run(merge, capture_output=True, text=True, check=True)
        lines = _lines_of(together, captures[0])
    found: list[list[Frame]] = [[] for _ in captures]
    for line in lines:
        frames = found[int(line.partition("\t")[0])]
        frames.append(_frame(len(frames) + 1, line, captures[0]))
    return found if all(found) else []


def _lines_of(file: Path, like: Capture) -> list[str]:
    """The fields of each frame."""
    options = ["-o", f"tls.keylog_file:{like.keys}"] if like.keys else []
    options += ["--disable-protocol", "sctp"] if like.as_bytes else []
    named = (*_FIELDS, "data.data") if like.as_bytes else (*_FIELDS, *_LISTS)
    fields = [word for field in named for word in ("-e", field)]
    command = [*_TSHARK, *options, "-r", str(file), "-T", "fields", *fields]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _frame(number: int, line: str, like: Capture) -> Frame:
    _, time, ip, ipv6, to_ip, to_ipv6, *rest = line.split("\t")
    seconds, fraction = time.split(".")
    time_ns = int(seconds) * 1_000_000_000 + int(fraction.ljust(9, "0"))
    source, destination = ip or ipv6, to_ip or to_ipv6
    if like.as_bytes:
        inside = bytes.fromhex(rest[0].partition(",")[0])
        return _of_bytes(number, time_ns, source, destination, inside)
    return _of_lists(number, time_ns, source, destination, rest)


def _of_lists(number: int, time_ns: int, source: str, destination: str, lists: list[str]) -> Frame:
    tsns, types, raw, sack, nr_sack, shutdown, *rest = (_numbers(one) for one in lists)
    start, end, nr_start, nr_end, nr2_start, nr2_end, duplicates, nr_duplicates, fwd, i_fwd = rest
    cum_tsns = raw or sack or nr_sack
    starts, ends = start + nr_start + nr2_start, end + nr_end + nr2_end
    blocks = tuple(zip(starts, ends, strict=True))
    return Frame(
        *(number, time_ns, source, destination, types, tsns),
        Acknowledged(cum_tsns[0], blocks) if cum_tsns else None,
        Acknowledged(shutdown[0]) if shutdown else None,
        *(duplicates + nr_duplicates, fwd + i_fwd),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word, 0) for word in text.split(",") if word)


def _of_bytes(number: int, time_ns: int, source: str, destination: str, packet: bytes) -> Frame:
    """Of a SACK that is cut nothing is taken; duplicates and SHUTDOWN are left to whole captures
    in clear."""
    chunks = list(_chunks(packet))
    said = acknowledgement_of(packet)
    acknowledged = None
    if said is not None:
        blocks = [((said.cum_tsn + s) % 2**32, (said.cum_tsn + e) % 2**32) for s, e in said.blocks]
        acknowledged = Acknowledged(said.cum_tsn, tuple(blocks))
    return Frame(
        *(number, time_ns, source, destination, tuple(kind for kind, _ in chunks)),
        tuple(_first_word(value) for kind, value in chunks if len(value) + 4 >= _header(kind)),
        *(acknowledged, None, ()),
        tuple(_first_word(v) for kind, v in chunks if kind in (_FORWARD_TSN, _I_FORWARD_TSN)),
    )


def _header(kind: int) -> int:
    """Longer than anything where it is no DATA."""
    return _HEADER.get(kind, 1 << 20)


def _first_word(value: bytes) -> int:
    return int.from_bytes(value[:4], "big")


def _chunks(packet: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and value of each chunk, the last as far as it is there."""
    at = COMMON_HEADER
    while at + 4 <= len(packet):
        kind, _, length = struct.unpack_from("!BBH", packet, at)
        if length < 4:
            return
        yield kind, packet[at + 4 : at + length]
        at += length + -length % 4
