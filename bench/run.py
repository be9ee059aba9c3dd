#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares how fast the core decodes with a libpcap loop, and writes docs/performance.md.

bench/run.py                   build, measure, print
bench/run.py --write           also write docs/performance.md
bench/run.py --check           exit 1 when a ratio is over its limit
bench/run.py --packets 10000   small captures, for a quick look at whether it works

Everything is built and generated below build/bench. The programs of a round run one after the
other, so what else the machine does hits all of them: a ratio holds, an absolute time does not.
"""

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
PROGRAMS = BUILD / "bench"
COMMAND = Path(sys.executable).with_name("sctp-rack")
DOCUMENT = ROOT / "docs" / "performance.md"
FULL_PACKETS = 1_000_000
YARDSTICK = "libpcap loop"
DECODE, ENGINE = "decode", "engine --rows"


@dataclass(frozen=True)
class Capture:
    name: str
    payload: int
    window: int
    seed: int
    limits: dict[str, float]  # by program, of its time in times of the yardstick's


CAPTURES = (
    Capture("large", 1152, 200, 1, {DECODE: 1.0, ENGINE: 1.5}),
    Capture("small", 20, 200, 2, {DECODE: 1.5, ENGINE: 4.0}),
)


@dataclass
class Program:
    name: str
    command: list[str]
    rounds: int
    counts: bool = True  # prints how many packets and chunks it saw
    seconds: list[float] = field(default_factory=list)
    peak_kib: int = 0
    counted: set[str] = field(default_factory=set)

    def run(self) -> None:
        measured = [str(PROGRAMS / "bench_measure"), *self.command]
        done = subprocess.run(measured, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(self.command)}: {done.stderr or done.stdout}")
        *output, measurement = done.stdout.splitlines()
        seconds, peak_kib = measurement.split()
        self.seconds.append(float(seconds))
        self.peak_kib = max(self.peak_kib, int(peak_kib))
        if self.counts:
            self.counted.add(output[0].partition(" rows")[0])


@dataclass(frozen=True)
class Line:
    name: str
    seconds: float
    rate: float
    ratio: float
    peak_kib: int


@dataclass(frozen=True)
class Result:
    capture: Capture
    size: int
    counted: str
    lines: list[Line]

    def ratio(self, program: str) -> float:
        return next(line.ratio for line in self.lines if line.name == program)

    @property
    def met(self) -> bool:
        limits = self.capture.limits.items()
        return all(self.ratio(program) <= limit for program, limit in limits)


def build() -> None:
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSCTP_RACK_BENCH=ON", "-DSCTP_RACK_TESTS=OFF"]
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(BUILD), *options],
        ["cmake", "--build", str(BUILD)],
    ):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout)


def generate(capture: Capture, packets: int) -> Path:
    """The file, made unless it is there and no older than the program that makes it."""
    generator = PROGRAMS / "bench_generate"
    numbers = [str(n) for n in (packets, capture.payload, capture.window, capture.seed)]
    path = BUILD / "captures" / f"{'-'.join([capture.name, *numbers])}.pcap"
    if path.exists() and path.stat().st_mtime >= generator.stat().st_mtime:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    subprocess.run([str(generator), str(part), *numbers], check=True)
    return part.rename(path)


def programs(path: Path, rounds: int, few_rounds: int) -> list[Program]:
    engine = str(PROGRAMS / "bench_engine")
    found = [
        Program(YARDSTICK, [str(PROGRAMS / "bench_libpcap_loop"), str(path)], rounds),
        Program(DECODE, [str(PROGRAMS / "bench_decode"), str(path)], rounds),
        Program("engine", [engine, str(path)], rounds),
        Program(ENGINE, [engine, "--rows", str(path)], rounds),
        Program("engine --judge", [engine, "--judge", str(path)], rounds),
    ]
    for file_format in ("parquet", "ndjson"):
        command = ["export", "--table", "transmissions", "--format", file_format, "-o", os.devnull]
        found.append(
            Program(f"export as {file_format}", [str(COMMAND), *command, str(path)], rounds, False)
        )
    if shutil.which("capinfos"):
        found.append(Program("capinfos -c", ["capinfos", "-c", str(path)], few_rounds, False))
    if shutil.which("tshark"):
        command = ["tshark", "-r", str(path), "-q", "-z", "sctp,stat"]
        found.append(Program("tshark -q -z sctp,stat", command, few_rounds, False))
    return [program for program in found if program.rounds > 0]


def warm(path: Path) -> None:
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def compare(capture: Capture, packets: int, rounds: int, few_rounds: int) -> Result:
    path = generate(capture, packets)
    warm(path)
    all_programs = programs(path, rounds, few_rounds)
    for number in range(max(rounds, few_rounds)):
        for program in all_programs:
            if number < program.rounds:
                program.run()
    counted = set[str]().union(*(program.counted for program in all_programs))
    if len(counted) != 1:
        sys.exit(f"{capture.name}: the programs did not count the same: {sorted(counted)}")
    yardstick = statistics.median(all_programs[0].seconds)
    lines = []
    for program in all_programs:
        seconds = statistics.median(program.seconds)
        rate, ratio = packets / seconds / 1e6, seconds / yardstick
        lines.append(Line(program.name, seconds, rate, ratio, program.peak_kib))
    return Result(capture, path.stat().st_size, counted.pop(), lines)


def table(result: Result) -> list[str]:
    rows = [
        f"| {line.name} | {line.seconds:.3f} | {line.rate:.2f} | {line.ratio:.2f} "
        f"| {line.peak_kib / 1024:.1f} |"
        for line in result.lines
    ]
    head = f"| program | seconds | million packets/s | ratio to the {YARDSTICK} | peak MiB |"
    return [head, "|---|---:|---:|---:|---:|", *rows]


def title(result: Result) -> str:
    return f"{result.capture.name}: {result.size / 1e6:.0f} MB, {result.counted}"


def verdicts(result: Result) -> list[str]:
    lines = []
    for program, limit in result.capture.limits.items():
        ratio = result.ratio(program)
        met = "met" if ratio <= limit else "NOT MET"
        lines.append(
            f"{result.capture.name}: {program} at most {limit} x {YARDSTICK}: {ratio:.2f}, {met}"
        )
    return lines


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def document(results: list[Result], packets: int, rounds: int, few_rounds: int) -> str:
    sizes = " and ".join(f"`{r.capture.name}` ({r.size / 1e6:.0f} MB)" for r in results)
    paragraphs = [
        "<!-- Generated by `make bench`: do not edit. -->",
        "# Performance",
        "This page is generated by `make bench` (`bench/run.py --write`).",
        f"Machine: {os.cpu_count()} cores, {processor()}, Linux {platform.release()}.",
        f"Two generated captures of {packets:,} SCTP packets each, {sizes}: one bulk transfer over "
        "Ethernet and IPv4, one association, one chunk in each packet, 55 % DATA and 45 % SACK, "
        "200 packets in flight, 1 % loss, retransmissions, SACKs with gap blocks and duplicate "
        "TSNs, right CRC32c. DATA chunks carry "
        + " and ".join(f"{r.capture.payload:,}" for r in results)
        + " bytes of user data.",
        "\n".join(
            [
                f"- `{YARDSTICK}`: `pcap_open_offline`, `pcap_loop`, a walk over the chunk headers "
                "that counts them, nothing else. Not even a checksum is looked at.",
                f"- `{DECODE}`: reader and decoder: every chunk, every field of DATA and SACK, the "
                "CRC32c of every packet. No association is followed.",
                "- `engine`: the same, and associations and their scoreboards are kept.",
                f"- `{ENGINE}`: the same, and every row of transmissions and SACKs is kept.",
                "- `engine --judge`: the same, and the rows are judged.",
                "- `export as …`: the command `sctp-rack export --table transmissions`, from the "
                "start of the interpreter to the last row, thrown away.",
                "- `capinfos -c`: counts records and looks into none.",
                "- `tshark -q -z sctp,stat`: dissects every packet and counts chunks by endpoint.",
            ]
        ),
        f"Whole processes, one after the other in each of {rounds} rounds ({few_rounds} for "
        "`capinfos` and `tshark`), page cache warm: medians of the wall time, their ratio to that "
        f"of the {YARDSTICK}, largest resident memory. A ratio holds on another machine better "
        "than a time does.",
    ]
    for result in results:
        paragraphs += [f"## {title(result)}", "\n".join(table(result))]
    paragraphs += [
        "## Limits",
        "What the project holds itself to; `bench/run.py --check` fails where it is not met.",
        "\n".join(f"- {line}" for result in results for line in verdicts(result)),
    ]
    return "\n\n".join(paragraphs) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the core's speed with libpcap's.")
    parser.add_argument("--packets", type=int, default=FULL_PACKETS, help="in each capture")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each program")
    parser.add_argument("--few-rounds", type=int, default=2, help="of capinfos and tshark; 0: none")
    parser.add_argument("--check", action="store_true", help="exit 1 when a limit is not met")
    parser.add_argument("--write", action="store_true", help=f"write {DOCUMENT.relative_to(ROOT)}")
    options = parser.parse_args()
    few_rounds = min(options.few_rounds, options.rounds)
    if options.rounds < 1 or options.packets < 4:
        parser.error("at least one round and four packets")
    if options.write and not (few_rounds and shutil.which("capinfos") and shutil.which("tshark")):
        parser.error("--write needs capinfos and tshark: the document compares with them")

    build()
    results = [compare(c, options.packets, options.rounds, few_rounds) for c in CAPTURES]
    for result in results:
        print(title(result), *table(result), *verdicts(result), "", sep="\n")
    if options.write:
        text = document(results, options.packets, options.rounds, few_rounds)
        DOCUMENT.write_text(text, encoding="utf-8")
    return 1 if options.check and not all(result.met for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
