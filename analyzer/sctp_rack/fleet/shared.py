# SPDX-License-Identifier: BSD-2-Clause
"""One huge capture is read by several processes, each of which keeps some of its associations.

Each reads the whole file, so that associations have the same numbers and joined halves the same
places; it judges and writes those whose number modulo the processes is its own. Their files become
one segment together.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sctp_rack.binding.session import Session
from sctp_rack.binding.source import Readable
from sctp_rack.errors import SctpRackError
from sctp_rack.fleet.dataset import Dataset, Left
from sctp_rack.fleet.found import Found
from sctp_rack.fleet.one import Reading, captures_of, read_to
from sctp_rack.fleet.rows import FAILED, SUMMED, UNREAD, CaptureRow
from sctp_rack.fleet.taken import Written
from sctp_rack.readers.choose import open_reader
from sctp_rack.readers.packet import PacketSource

#: Bytes of a capture that takes some seconds: what each process does once more is little of that.
_HUGE = 64 << 20

#: Bytes from which it is told how many associations there are.
_LOOKED_AT = 4 << 20

#: Reading and following are a quarter of the work, which each process does: where one had more of
#: the packets than this, the others would have little to do.
_LARGEST = 0.75

_NS = 10**9


class Shared(NamedTuple):
    """What a process came to: a row of `captures` with the sums of its share, and files."""

    row: CaptureRow
    left: Left


def shares(capture: Found, processes: int, left: int, reading: Reading) -> int:
    """Among how many processes it is shared, 1 for itself; `left` bytes are to be read with it.

    Where there is as much to do beside it, that keeps the other processes busy.
    """
    if capture.modified_ns is None or capture.bytes is None:  # each would fetch it from its store
        return 1
    if processes < 2 or capture.bytes < _HUGE or capture.bytes * processes <= left:
        return 1
    packets = [0] * processes
    for number, count in _associations(capture.name, reading):
        packets[number % processes] += count
    return processes if max(packets) < _LARGEST * sum(packets) else 1


def read_share(
    dataset: Dataset, capture: Found, reading: Reading, share: tuple[int, int]
) -> Shared:
    """Its files wait for those of the others. Raises what `read_some` raises."""
    files = dataset.unfinished(reading.key(capture))
    try:
        row = read_to(Written(files, reading.tables, capture.text), capture, reading, share)
        if row.status in (UNREAD, FAILED):
            files.forget()
        files.close()
    except BaseException:
        files.abandon()
        raise
    return Shared(row, Left(str(files.folder), files.tables))


def put_together(dataset: Dataset, parts: Sequence[Shared | None]) -> CaptureRow | None:
    """All shares become the capture; None where one is missing, or did not see what others saw:
    then nothing of it is there."""
    there = [one for one in parts if one is not None]
    row = _sum([one.row for one in there]) if len(there) == len(parts) else None
    if row is None:
        for one in there:
            one.left.abandon()
        return None
    with dataset.segment(row.key, shares=[one.left for one in there]) as files:
        files.write("captures", captures_of([row]))
    return row


def _sum(rows: Sequence[CaptureRow]) -> CaptureRow | None:
    own: dict[str, Any] = dict.fromkeys((*SUMMED, "seconds"))
    first = rows[0]._replace(**own)
    if first.status == FAILED or any(row._replace(**own) != first for row in rows):
        return None
    if first.status == UNREAD:
        return rows[0]
    sums = {name: sum(getattr(row, name) for row in rows) for name in SUMMED}
    # Whole nanoseconds, as one process adds them up.
    sums["recovery_s"] = sum(round((row.recovery_s or 0) * _NS) for row in rows) / _NS
    return first._replace(**sums, seconds=max(row.seconds or 0 for row in rows))


class _Beginning:
    """The first bytes of a source."""

    def __init__(self, source: Readable) -> None:
        self._source, self._left = source, _LOOKED_AT

    def readinto1(self, buffer: Any, /) -> int:
        count = self._source.readinto1(memoryview(buffer)[: self._left])
        self._left -= count
        return count

    def close(self) -> None:
        self._source.close()


def _associations(name: str, reading: Reading) -> list[tuple[int, int]]:
    """Of those at its beginning, number and packets; none where it is not told so cheaply."""
    options = {key: reading.options[key] for key in ("keylog", "udp_ports")}
    try:
        source = open_reader(name, reading.options["reader"], **options)
        if isinstance(source, PacketSource):
            return []
        session = Session(name, source=_Beginning(source), **options)
        session.read_all()
    except SctpRackError:
        return []  # who reads it says why
    return [(int(one.number), int(one.packets)) for one in session.associations]
