# SPDX-License-Identifier: BSD-2-Clause
"""Measures what the Lua drop-in costs a packet, by the length of the capture and by the window.

python -m bench.lua                   measure, print
python -m bench.lua --check           exit 1 when it is over its limits
python -m bench.lua --packets 20000   a small capture, for a quick look at whether it works

In each round tshark runs without the drop-in (reading the same fields), and with it, one after the
other, so that what else the machine does hits both.
"""

import argparse
import resource
import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from bench.lua.traffic import write
from tests.lua import drop_in
from tests.lua.lua_model import DROP_IN

FULL_PACKETS = 50_000
LIMIT_US, LIMIT_RATIO = 40.0, 1.3
SHORT, LONG = 50, 5000  #: windows, packets
LONGER = 4  #: times as many packets

PLAIN = ("-T", "fields", "-e", "sctp.verification_tag")
SUMMARY = ("-q", "-X", "lua_script1:stat")


@dataclass
class Capture:
    """One file, and what it took."""

    path: Path
    packets: int
    window: int
    over_us: list[float] = field(default_factory=list)

    @property
    def middle_us(self) -> float:
        return statistics.median(self.over_us)


def seconds(capture: Capture, *options: str, with_it: bool) -> float:
    """Of the processor: the machine has other work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    drop_in.tshark(capture.path, *options, script=DROP_IN if with_it else None)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--packets", type=int, default=FULL_PACKETS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        base, longer, wider = (
            Capture(Path(folder) / f"{packets}-{window}.pcap", packets, window)
            for packets, window in (
                (options.packets, SHORT),
                (LONGER * options.packets, SHORT),
                (options.packets, LONG),
            )
        )
        for capture in (base, longer, wider):
            write(capture.path, capture.packets, capture.window)
        for _ in range(options.rounds):
            for capture in (base, longer, wider):
                took = seconds(capture, *SUMMARY, with_it=True)
                took -= seconds(capture, *PLAIN, with_it=False)
                capture.over_us.append(took * 1e6 / capture.packets)
    print(f"CPU time over that of tshark alone, medians of {options.rounds} runs")
    for capture in (base, longer, wider):
        print(f"  {capture.packets:9,} packets, window {capture.window:5,}: "
              f"{capture.middle_us:5.1f} µs a packet")  # fmt: skip
    by_length = longer.middle_us / base.middle_us
    by_window = wider.middle_us / base.middle_us
    print(f"  {LONGER} times as long: {by_length:.2f} times a packet's cost (limit {LIMIT_RATIO})")
    print(f"  window {LONG // SHORT} times as large: {by_window:.2f} (limit {LIMIT_RATIO})")
    dearest = max(capture.middle_us for capture in (base, longer, wider))
    met = dearest <= LIMIT_US and max(by_length, by_window) <= LIMIT_RATIO
    return 0 if met or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
