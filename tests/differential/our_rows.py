# SPDX-License-Identifier: BSD-2-Clause
"""What our own export sees in a capture, in the shape of the oracles."""

from pathlib import Path

from sctp_rack.binding.session import Session
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.readers.packet import PacketSource

from tests.differential.tshark_oracle import Seen


def by_us(
    capture: Path, udp_ports: tuple[int, ...] = (), source: PacketSource | None = None
) -> Seen:
    """Reads `capture` to its end, or to where it breaks."""
    seen = Seen()
    session = Session(str(capture), LAYOUTS, source=source, udp_ports=udp_ports)
    for batch in session.batches():
        chunks = columns_of("chunks", batch)
        for frame, kind in zip(chunks["frame"], chunks["type"], strict=True):
            if kind is not None:
                seen.chunks[frame, kind] += 1
        data = columns_of("transmissions", batch)
        for frame, tsn in zip(data["frame"], data["tsn"], strict=True):
            seen.data[frame, tsn] += 1
        sacks = columns_of("sacks", batch)
        names = ("frame", "kind", "cum_tsn", "a_rwnd", "gaps", "nr_gaps", "dups")
        for frame, kind, cum_tsn, a_rwnd, gaps, nr_gaps, dups in zip(
            *(sacks[name] for name in names), strict=True
        ):
            if kind != "shutdown":
                flat = [
                    tuple(tsn for block in blocks for tsn in block) for blocks in (gaps, nr_gaps)
                ]
                seen.sacks[frame, cum_tsn, a_rwnd, *flat, tuple(dups)] += 1
    return seen
