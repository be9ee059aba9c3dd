# SPDX-License-Identifier: BSD-2-Clause
"""A capture as tshark sees it, frame by frame: who sent it, its TSNs, what it acknowledges."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.differential.tshark_oracle import TSHARK

_FIELDS = (
    *("frame.number", "frame.time_epoch", "ip.src", "ipv6.src"),
    *("ip.dst", "ipv6.dst", "sctp.data_tsn_raw"),
    *("sctp.sack_cumulative_tsn_ack_raw", "sctp.sack_cumulative_tsn_ack"),
    *("sctp.sack_gap_block_start_tsn", "sctp.sack_gap_block_end_tsn", "sctp.sack_duplicate_tsn"),
    *("sctp.nr_sack_cumulative_tsn_ack", "sctp.nr_sack_duplicate_tsn"),
    *("sctp.nr_sack_gap_block_start_tsn", "sctp.nr_sack_gap_block_end_tsn"),
    *("sctp.nr_sack_nr_gap_block_start_tsn", "sctp.nr_sack_nr_gap_block_end_tsn"),
)


@dataclass(frozen=True)
class Acknowledged:
    """What a SACK or NR-SACK says."""

    cum_tsn: int
    blocks: tuple[tuple[int, int], ...]
    duplicates: tuple[int, ...]

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
    tsns: tuple[int, ...]
    acknowledged: Acknowledged | None


def frames_of(capture: Path) -> list[Frame]:
    """Every frame with SCTP, in the order of the file."""
    fields = [word for field in _FIELDS for word in ("-e", field)]
    command = [*TSHARK, "-r", str(capture), "-T", "fields", *fields, "-Y", "sctp"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [_frame(line.split("\t")) for line in done.stdout.splitlines()]


def _frame(values: list[str]) -> Frame:
    number, time, ip, ipv6, to_ip, to_ipv6, tsns = values[:7]
    cum_tsn, also_cum_tsn, start, end, duplicates = values[7:12]
    nr_cum_tsn, nr_duplicates, gap_start, gap_end, nr_start, nr_end = values[12:]
    seconds, fraction = time.split(".")
    cum_tsns = _numbers(cum_tsn) or _numbers(also_cum_tsn) or _numbers(nr_cum_tsn)
    acknowledged = None
    if cum_tsns:
        starts = _numbers(start) + _numbers(gap_start) + _numbers(nr_start)
        ends = _numbers(end) + _numbers(gap_end) + _numbers(nr_end)
        blocks = tuple(zip(starts, ends, strict=True))
        acknowledged = Acknowledged(
            cum_tsns[0], blocks, _numbers(duplicates) + _numbers(nr_duplicates)
        )
    time_ns = int(seconds) * 1_000_000_000 + int(fraction.ljust(9, "0"))
    source, destination = ip or ipv6, to_ip or to_ipv6
    return Frame(int(number), time_ns, source, destination, _numbers(tsns), acknowledged)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)
