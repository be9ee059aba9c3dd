# SPDX-License-Identifier: BSD-2-Clause
"""What tshark sees in a capture: every chunk, every TSN and every acknowledgement, by frame."""

import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

TSHARK = ["tshark", "-o", "sctp.relative_tsns:FALSE", "-o", "sctp.reassembly:FALSE"]

PACKET_DROP = "129"

LISTS = {
    "sctp.sack_gap_block_start_tsn": "gaps",
    "sctp.sack_gap_block_end_tsn": "gaps",
    "sctp.nr_sack_gap_block_start_tsn": "gaps",
    "sctp.nr_sack_gap_block_end_tsn": "gaps",
    "sctp.nr_sack_nr_gap_block_start_tsn": "nr_gaps",
    "sctp.nr_sack_nr_gap_block_end_tsn": "nr_gaps",
    "sctp.sack_duplicate_tsn": "dups",
    "sctp.nr_sack_duplicate_tsn": "dups",
}
CUM_TSN = (
    "sctp.sack_cumulative_tsn_ack_raw",
    "sctp.sack_cumulative_tsn_ack",
    "sctp.nr_sack_cumulative_tsn_ack",
)
A_RWND = ("sctp.sack_a_rwnd", "sctp.nr_sack_a_rwnd")

Sack = tuple[int, int, int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@dataclass
class Seen:
    """Multisets over a capture: (frame, chunk type), (frame, TSN), (frame, cum, a_rwnd, lists)."""

    chunks: Counter[tuple[int, int]] = field(default_factory=Counter)
    data: Counter[tuple[int, int]] = field(default_factory=Counter)
    sacks: Counter[Sack] = field(default_factory=Counter)


def by_tshark(capture: Path, *options: str) -> Seen:
    """Runs tshark over `capture`; chunks quoted in ICMP errors and PKTDROP do not count."""
    command = [*TSHARK, *options, "-r", str(capture), "-T", "pdml"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    seen, started = Seen(), False
    try:
        for event, element in ET.iterparse(process.stdout, events=("start", "end")):
            started = True
            if event == "end" and element.tag == "packet":
                _packet(element, seen)
                element.clear()
    except ET.ParseError:  # tshark stops at a broken record without closing its elements
        pass
    process.wait()
    assert started, f"tshark printed nothing about {capture}: that is no view of it"
    return seen


def _packet(packet: ET.Element, seen: Seen) -> None:
    frame = 0
    for proto in packet:
        name = proto.get("name")
        if name == "geninfo":
            frame = int(next(f.get("show", "0") for f in proto if f.get("name") == "num"))
        if name in ("icmp", "icmpv6"):
            return
        if name == "sctp":
            for chunk in proto:
                _chunk(frame, chunk, seen)


def _chunk(frame: int, chunk: ET.Element, seen: Seen) -> None:
    fields = [(f.get("name", ""), f.get("show", "")) for f in chunk.iter("field")]
    types = [show for name, show in fields if name == "sctp.chunk_type"]
    if not types:
        return
    seen.chunks[frame, int(types[0])] += 1
    if types[0] == PACKET_DROP:
        return
    for name, show in fields:
        if name == "sctp.data_tsn_raw":
            seen.data[frame, int(show)] += 1
    values = dict(reversed(fields))
    cum_tsn = next((values[name] for name in CUM_TSN if name in values), None)
    if cum_tsn is None:
        return
    lists: dict[str, list[int]] = {"gaps": [], "nr_gaps": [], "dups": []}
    for name, show in fields:
        if name in LISTS:
            lists[LISTS[name]].append(int(show))
    a_rwnd = next(values[name] for name in A_RWND if name in values)
    gaps, nr_gaps, dups = (tuple(lists[name]) for name in ("gaps", "nr_gaps", "dups"))
    seen.sacks[frame, int(cum_tsn), int(a_rwnd), gaps, nr_gaps, dups] += 1
