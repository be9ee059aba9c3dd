# SPDX-License-Identifier: BSD-2-Clause
"""Makes a capture of one association at its sender, with any window, one loss in ten windows.

A packet leaves in each slot of 20 microseconds, and what it leads to at the receiver comes back a
window later: a SACK for every second packet, or for each while TSNs are missing. A TSN that three
of them report missing is sent again.
"""

import struct
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from tests.builder.files import NANOSECONDS, START
from tests.builder.layers import SCTP, ethernet, ipv4
from tests.builder.sctp import A_RWND, SACK, chunk, data, packet, zero

SLOT_NS = 20_000
LOSSES = 10  #: windows between them
MOST_BLOCKS = 100
FIRST = 1_000_000
PAYLOAD = bytes(20)
A, B = "192.0.2.1", "192.0.2.2"


def write(path: Path, packets: int, window: int) -> None:
    """The file; half of its packets or more are DATA."""
    header = struct.pack("<IHHiIII", NANOSECONDS, 2, 4, 0, 0, 262144, 1)
    with path.open("wb") as out:
        out.write(header)
        for number, (slot, frame) in enumerate(_frames(window)):
            if number == packets:
                break
            seconds, ns = divmod(slot * SLOT_NS, 10**9)
            out.write(struct.pack("<IIII", START + seconds, ns, len(frame), len(frame)))
            out.write(frame)


def _frames(window: int) -> Iterator[tuple[int, bytes]]:
    on_the_way: deque[int | None] = deque()
    again: deque[int] = deque()
    missing: dict[int, int] = {}  # by TSN: how often reported
    following = highest = FIRST
    for slot in range(1 << 40):
        if again:
            tsn = again.popleft()
        else:
            tsn, following = following, following + 1
        yield slot, _frame(data(tsn, PAYLOAD), slot, a_to_b=True)
        on_the_way.append(None if (slot * 2654435761 >> 7) % (LOSSES * window) == 0 else tsn)
        arrived = on_the_way.popleft() if len(on_the_way) > window else None
        if arrived is None:
            continue
        for skipped in range(highest, arrived):
            missing[skipped] = 0
        missing.pop(arrived, None)
        highest = max(highest, arrived + 1)
        if missing or slot % 2:
            yield slot, _frame(_sack(highest, list(missing)), slot, a_to_b=False)
            for tsn, reports in missing.items():
                missing[tsn] = reports + 1
                if reports + 1 == 3 or reports > 2 * window:
                    again.append(tsn)
                    missing[tsn] = 3


def _sack(highest: int, missing: list[int]) -> bytes:
    cum = missing[0] - 1 if missing else highest - 1
    blocks = list[tuple[int, int]]()
    for tsn, following in zip(missing, [*missing[1:], highest], strict=False):
        if tsn + 1 < following:
            blocks.append((tsn + 1 - cum, following - 1 - cum))
    blocks = [block for block in blocks[:MOST_BLOCKS] if block[1] < 1 << 16]
    value = struct.pack(">IIHH", cum, A_RWND, len(blocks), 0)
    return chunk(SACK, 0, value + b"".join(struct.pack(">HH", *block) for block in blocks))


def _frame(carried: bytes, slot: int, *, a_to_b: bool) -> bytes:
    ident = 1 + slot % 65535  # else a resend looks like a duplicate
    if a_to_b:
        there = packet(carried, checksum=zero)
        return ethernet(0x0800, ipv4(SCTP, there, ident=ident, src=A, dst=B))
    back = packet(carried, sport=5001, dport=5000, vtag=0x55667788, checksum=zero)
    return ethernet(0x0800, ipv4(SCTP, back, ident=ident, src=B, dst=A))
