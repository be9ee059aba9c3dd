# SPDX-License-Identifier: BSD-2-Clause
"""Measures what the Wireshark plugin costs a packet and a chunk.

python -m bench.plugin                   build, measure, print
python -m bench.plugin --check           exit 1 when it is over its limits
python -m bench.plugin --packets 20000   a small capture, for a quick look at whether it works

tshark runs without a plugin, with one that wants the same fields and does nothing, and with ours,
one after the other in each round; of each the fastest round counts, the one that the machine's
other work disturbed least.
"""

import argparse
import resource
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from bench.run import BUILD, Capture, build, generate
from tests.plugin import wireshark

FULL_PACKETS = 200_000
LIMIT_OVER_EMPTY_US, LIMIT_OVER_NONE_US, LIMIT_BYTES = 2.0, 6.0, 200.0

EMPTY = BUILD / "empty-plugin"
HERE = Path(__file__).resolve().parent

MODES = {
    "-T fields": ["-T", "fields", "-e", "frame.number", "-e", "sctp.data_tsn"],
    "-2 -Y": ["-2", "-Y", "sctp.retransmission"],
}


@dataclass
class Runs:
    """Of one plugin in one mode: seconds of each round, and the largest peak of memory."""

    seconds: list[float] = field(default_factory=list)
    peak_kib: int = 0

    @property
    def least(self) -> float:
        return min(self.seconds)


def build_empty() -> Path:
    for command in (
        ["cmake", "-S", str(HERE), "-B", str(EMPTY)],
        ["cmake", "--build", str(EMPTY)],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
    return EMPTY / "empty.so"


def measure(installed: wireshark.Wireshark, capture: Path, mode: str, runs: Runs) -> None:
    """One run. Time is that of the processor: the machine has other work."""
    program = str(BUILD / "bench" / "bench_measure")
    command = [program, "tshark", "-r", str(capture), *MODES[mode]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = installed.process(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(done.stderr)
    runs.seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    runs.peak_kib = max(runs.peak_kib, int(done.stdout.split()[-1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--packets", type=int, default=FULL_PACKETS)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    build()
    programs = {
        "none": wireshark.Wireshark(None),
        "empty": wireshark.Wireshark(build_empty()),
        "ours": wireshark.Wireshark(wireshark.build()),
    }
    path = generate(Capture("small", 20, 200, 2), options.packets)
    chunks = int(
        subprocess.run(
            [str(BUILD / "bench" / "bench_decode"), str(path)], capture_output=True, text=True
        ).stdout.split()[3]
    )
    print(
        f"{options.packets} packets, {chunks} chunks; CPU time, the least of {options.rounds} runs"
    )
    met = True
    for mode in MODES:
        runs = {name: Runs() for name in programs}
        for _ in range(options.rounds):
            for name, installed in programs.items():
                measure(installed, installed.capture(path), mode, runs[name])
        us = {name: each.least * 1e6 / options.packets for name, each in runs.items()}
        over_empty, over_none = us["ours"] - us["empty"], us["ours"] - us["none"]
        size = (runs["ours"].peak_kib - runs["empty"].peak_kib) * 1024 / chunks
        print(f"tshark {mode}")
        for name, each in runs.items():
            print(f"  {name:6} {each.least:6.2f} s  {us[name]:6.2f} µs a packet  "
                  f"{each.peak_kib / 1024:6.0f} MiB")  # fmt: skip
        print(f"  ours over empty {over_empty:5.2f} µs a packet (limit {LIMIT_OVER_EMPTY_US}), "
              f"over none {over_none:5.2f} (limit {LIMIT_OVER_NONE_US}), "
              f"{size:.0f} bytes a chunk (limit {LIMIT_BYTES:.0f})")  # fmt: skip
        met &= over_empty <= LIMIT_OVER_EMPTY_US and over_none <= LIMIT_OVER_NONE_US
        met &= size <= LIMIT_BYTES
    for installed in programs.values():
        installed.close()
    return 0 if met or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
