#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures speed and memory against bars and other tools, and writes docs/performance.md.

bench/run.py                   build, measure, print
bench/run.py --write           also write docs/performance.md
bench/run.py --check           exit 1 when a bar is missed
bench/run.py --packets 10000   small captures, for a quick look at whether it works

Everything is built and generated below build/bench. The programs of a round run one after the
other, so what else the machine does hits all of them: a ratio holds, an absolute time does not.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pyarrow.parquet import read_metadata

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
PROGRAMS = BUILD / "bench"
TABLES = BUILD / "tables"
SAMPLE = ROOT / "analyzer/sctp_rack/sample.pcapng"
COMMAND = str(Path(sys.executable).with_name("sctp-rack"))
DOCUMENT = ROOT / "docs" / "performance.md"
FULL_PACKETS, FEWEST_PACKETS = 1_000_000, 4
YARDSTICK = "libpcap loop"
DECODE, ENGINE, ROWS, JUDGE = "decode", "engine", "engine --rows", "engine --judge"
LIMITS = "engine --limits"
ANALYZE, PARQUET, NDJSON = "analyze", "export as parquet", "export as ndjson"
EVERY_TABLE = "export of all tables as parquet"
INTERPRETER = "python -c pass"
CAPINFOS, STATISTICS, FIELDS = "capinfos -c", "tshark -q -z sctp,stat", "tshark -T fields"
TSHARK_FIELDS = (
    "frame.number",
    "sctp.data_tsn",
    "sctp.sack_cumulative_tsn_ack",
    "sctp.sack_gap_block_start",
    "sctp.sack_gap_block_end",
)


@dataclass(frozen=True)
class Capture:
    name: str
    payload: int
    window: int
    seed: int
    part: int = 1  # one packet in so many of what is asked for
    all_programs: bool = True  # also those that write it as something else, and tools of others


LARGE = Capture("large", 1152, 200, 1)
SMALL = Capture("small", 20, 200, 2)
WIDE = Capture("wide", 1152, 50_000, 3, part=5, all_programs=False)
CAPTURES = (LARGE, SMALL, WIDE)


@dataclass
class Program:
    name: str
    command: list[str]
    rounds: int
    counts: bool = True  # prints how many packets and chunks it saw
    seconds: list[float] = field(default_factory=list)
    peak_kib: int = 0
    counted: set[str] = field(default_factory=set)
    transmissions: int = 0

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
            words = output[0].split()
            seen = dict(zip(words[::2], words[1::2], strict=True))
            self.counted.add(f"{seen['packets']} packets, {seen['chunks']} chunks")
            self.transmissions = int(seen.get("transmissions", 0))


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
    rows: dict[str, int]  # that a program wrote
    lines: dict[str, Line]

    def per_byte(self, program: str) -> float:
        """Seconds."""
        return self.lines[program].seconds / self.size


Results = dict[str, Result]


@dataclass(frozen=True)
class Bar:
    """What the project holds itself to; `measure` raises KeyError where a program did not run."""

    words: str
    measure: Callable[[Results], float]
    limit: float
    at_least: bool = False

    def line(self, results: Results) -> str:
        """The bar, what was measured, and whether that meets it."""
        try:
            measured = self.measure(results)
        except KeyError as program:
            return f"{self.words}: not measured, {program.args[0]} did not run"
        return f"{self.words}: {measured:.2f}, {'met' if self.is_met(results) else 'NOT MET'}"

    def is_met(self, results: Results) -> bool:
        """A bar that was not measured is no miss."""
        try:
            measured = self.measure(results)
        except KeyError:
            return True
        return measured >= self.limit if self.at_least else measured <= self.limit


def ratio(capture: Capture, program: str, limit: float) -> Bar:
    return Bar(
        f"{capture.name}: {program} at most {limit} x {YARDSTICK}",
        lambda results: results[capture.name].lines[program].ratio,
        limit,
    )


def peak(capture: Capture, program: str, limit: float) -> Bar:
    return Bar(
        f"{capture.name}: {program} at most {limit:.0f} MiB of memory",
        lambda results: results[capture.name].lines[program].peak_kib / 1024,
        limit,
    )


def peak_above_interpreter(capture: Capture, program: str, limit: float) -> Bar:
    def measure(results: Results) -> float:
        lines = results[capture.name].lines
        return (lines[program].peak_kib - lines[INTERPRETER].peak_kib) / 1024

    words = f"{capture.name}: {program} at most {limit:.0f} MiB above that of `{INTERPRETER}`"
    return Bar(words, measure, limit)


def seconds(capture: Capture, program: str, limit: float) -> Bar:
    return Bar(
        f"{capture.name}: {program} at most {limit} s",
        lambda results: results[capture.name].lines[program].seconds,
        limit,
    )


def rows_a_second(capture: Capture, program: str, limit: float) -> Bar:
    def measure(results: Results) -> float:
        result = results[capture.name]
        return result.rows[program] / result.lines[program].seconds / 1e6

    words = f"{capture.name}: {program} at least {limit} million rows/s"
    return Bar(words, measure, limit, at_least=True)


def times_as_fast(capture: Capture, program: str, other: str, limit: float) -> Bar:
    def measure(results: Results) -> float:
        lines = results[capture.name].lines
        return lines[other].seconds / lines[program].seconds

    words = f"{capture.name}: {program} at least {limit:.0f} x as fast as {other}"
    return Bar(words, measure, limit, at_least=True)


def at_most_more(capture: Capture, program: str, than: str, share: float) -> Bar:
    def measure(results: Results) -> float:
        lines = results[capture.name].lines
        return lines[program].seconds / lines[than].seconds - 1

    words = f"{capture.name}: {program} at most {share:.0%} longer than {than}"
    return Bar(words, measure, share)


def per_byte(capture: Capture, of: Capture, program: str, limit: float) -> Bar:
    return Bar(
        f"{capture.name}: {program} at most {limit:.0f} x the time for a byte of {of.name}",
        lambda results: (
            results[capture.name].per_byte(program) / results[of.name].per_byte(program)
        ),
        limit,
    )


BARS = (
    ratio(LARGE, DECODE, 1.0),
    ratio(SMALL, DECODE, 1.5),
    ratio(LARGE, ROWS, 1.5),
    ratio(SMALL, ROWS, 4.0),
    ratio(LARGE, JUDGE, 2.5),
    ratio(SMALL, JUDGE, 8.0),
    *(at_most_more(capture, LIMITS, JUDGE, 0.1) for capture in (LARGE, SMALL)),
    *(peak(capture, JUDGE, 64) for capture in CAPTURES),
    seconds(LARGE, ANALYZE, 1.5),
    *(peak_above_interpreter(capture, ANALYZE, 64) for capture in CAPTURES),
    rows_a_second(LARGE, PARQUET, 1.0),
    rows_a_second(LARGE, EVERY_TABLE, 1.0),
    times_as_fast(LARGE, ROWS, FIELDS, 30),
    times_as_fast(SMALL, ROWS, FIELDS, 30),
    *(per_byte(WIDE, of, program, 3) for program in (ROWS, JUDGE) for of in (LARGE, SMALL)),
)


def build() -> None:
    """As setup.py does: the compiler learns from the bundled sample which branches are rare."""
    learnt = BUILD / "learnt"
    if not learnt.exists() or learnt.stat().st_mtime < latest_change():
        shutil.rmtree(BUILD / "branches", ignore_errors=True)
        build_with("count")
        must_run(str(PROGRAMS / "bench_engine"), "--judge", str(SAMPLE))
        learnt.touch()
    build_with("known")


def build_with(branches: str) -> None:
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSCTP_RACK_BENCH=ON", "-DSCTP_RACK_TESTS=OFF"]
    branches = f"-DSCTP_RACK_BRANCHES={branches}"
    must_run("cmake", "-S", str(ROOT), "-B", str(BUILD), *options, branches)
    must_run("cmake", "--build", str(BUILD))


def must_run(*command: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout)


def latest_change() -> float:
    """Of what the programs are made of."""
    folders = (ROOT / "core", ROOT / "bench")
    sources = [path for folder in folders for path in folder.rglob("*.[ch]")]
    return max(path.stat().st_mtime for path in (*sources, ROOT / "CMakeLists.txt", SAMPLE))


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


def programs(capture: Capture, path: Path, rounds: int, few_rounds: int) -> list[Program]:
    engine, file = str(PROGRAMS / "bench_engine"), str(path)
    found = [
        Program(YARDSTICK, [str(PROGRAMS / "bench_libpcap_loop"), file], rounds),
        Program(DECODE, [str(PROGRAMS / "bench_decode"), file], rounds),
        Program(ENGINE, [engine, file], rounds),
        Program(ROWS, [engine, "--rows", file], rounds),
        Program(JUDGE, [engine, "--judge", file], rounds),
        Program(LIMITS, [engine, "--limits", file], rounds),
        Program(INTERPRETER, [sys.executable, "-c", "pass"], rounds, False),
        Program(ANALYZE, [COMMAND, "analyze", file], rounds, False),
    ]
    if not capture.all_programs:
        return found
    for name, file_format in ((PARQUET, "parquet"), (NDJSON, "ndjson")):
        command = ["export", "--table", "transmissions", "--format", file_format, "-o", os.devnull]
        found.append(Program(name, [COMMAND, *command, file], rounds, False))
    command = ["export", "--table", "all", "--format", "parquet", "-o", str(TABLES)]
    found.append(Program(EVERY_TABLE, [COMMAND, *command, file], rounds, False))
    if shutil.which("capinfos"):
        found.append(Program(CAPINFOS, ["capinfos", "-c", file], few_rounds, False))
    if shutil.which("tshark"):
        statistics = ["tshark", "-r", file, "-q", "-z", "sctp,stat"]
        found.append(Program(STATISTICS, statistics, few_rounds, False))
        fields = [word for name in TSHARK_FIELDS for word in ("-e", name)]
        command = ["tshark", "-n", "-r", file, "-T", "fields", *fields]
        found.append(Program(FIELDS, command, few_rounds, False))
    return [program for program in found if program.rounds > 0]


def warm(path: Path) -> None:
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def compare(capture: Capture, packets: int, rounds: int, few_rounds: int) -> Result:
    packets = max(packets // capture.part, FEWEST_PACKETS)
    path = generate(capture, packets)
    warm(path)
    all_programs = programs(capture, path, rounds, few_rounds)
    for number in range(max(rounds, few_rounds)):
        for program in all_programs:
            if number < program.rounds:
                program.run()
    counted = set[str]().union(*(program.counted for program in all_programs))
    if len(counted) != 1:
        sys.exit(f"{capture.name}: the programs did not count the same: {sorted(counted)}")
    yardstick = min(all_programs[0].seconds)
    lines = {}
    for program in all_programs:
        fastest = min(program.seconds)
        rate = packets / fastest / 1e6
        lines[program.name] = Line(
            program.name, fastest, rate, fastest / yardstick, program.peak_kib
        )
    written = {PARQUET: max(program.transmissions for program in all_programs)}
    if EVERY_TABLE in lines:
        written[EVERY_TABLE] = sum(read_metadata(file).num_rows for file in TABLES.iterdir())
    return Result(capture, path.stat().st_size, counted.pop(), written, lines)


def table(result: Result) -> list[str]:
    rows = [
        f"| {line.name} | {line.seconds:.3f} | {line.rate:.2f} | {line.ratio:.2f} "
        f"| {line.peak_kib / 1024:.1f} |"
        for line in result.lines.values()
        if line.name != INTERPRETER
    ]
    nothing = result.lines[INTERPRETER]
    rows.append(f"| {INTERPRETER} | {nothing.seconds:.3f} | | | {nothing.peak_kib / 1024:.1f} |")
    head = f"| program | seconds | million packets/s | ratio to the {YARDSTICK} | peak MiB |"
    return [head, "|---|---:|---:|---:|---:|", *rows]


def title(result: Result) -> str:
    return f"{result.capture.name}: {result.size / 1e6:.0f} MB, {result.counted}"


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def document(results: Results, packets: int, rounds: int, few_rounds: int) -> str:
    sizes = {name: f"`{name}` ({result.size / 1e6:.0f} MB)" for name, result in results.items()}
    paragraphs = [
        "<!-- Generated by `make bench`: do not edit. -->",
        "# Performance",
        "This page is generated by `make bench` (`bench/run.py --write`).",
        f"Machine: {os.cpu_count()} cores, {processor()}, Linux {platform.release()}.",
        f"Generated captures, {sizes['large']} and {sizes['small']} of {packets:,} SCTP packets: "
        "one bulk transfer over Ethernet and IPv4, one association, one chunk in each packet, 55 % "
        f"DATA and 45 % SACK, {LARGE.window} packets in flight, 1 % loss, retransmissions, SACKs "
        "with gap blocks and duplicate TSNs, right CRC32c. DATA chunks carry "
        f"{LARGE.payload:,} and {SMALL.payload} bytes of user data. {sizes['wide']} has "
        f"{packets // WIDE.part:,} packets as large, {WIDE.window:,} of them in flight, so that "
        "most SACKs have the 363 gap blocks that a packet has room for.",
        "\n".join(
            [
                f"- `{YARDSTICK}`: `pcap_open_offline`, `pcap_loop`, a walk over the chunk headers "
                "that counts them, nothing else. Not even a checksum is looked at.",
                f"- `{DECODE}`: reader and decoder: every chunk, every field of DATA and SACK, the "
                "CRC32c of every packet. No association is followed.",
                f"- `{ENGINE}`: the same, and associations and their scoreboards are kept, by a "
                "second thread while the first reads.",
                f"- `{ROWS}`: the same, and every row of transmissions and SACKs is kept.",
                f"- `{JUDGE}`: the same, and the rows are judged by all profiles.",
                f"- `{ANALYZE}`: the command `sctp-rack analyze`, from the start of the "
                "interpreter to the last line of its summary.",
                "- `export as …`: the command `sctp-rack export --table transmissions`, likewise; "
                "the rows, which are judged, are thrown away.",
                f"- `{EVERY_TABLE}`: the command `sctp-rack export --table all`, likewise; the "
                "files are written.",
                f"- `{CAPINFOS}`: counts records and looks into none.",
                f"- `{STATISTICS}`: dissects every packet and counts chunks by endpoint.",
                f"- `{FIELDS}`: writes frame, TSN, cumulative TSN and gap blocks as text.",
            ]
        ),
        "Our programs are built as the package's core is (`setup.py`): where the compiler is GCC, "
        "it has learnt from the bundled sample, not from these captures, which branches are rare.",
        f"Whole processes, one after the other in each round, {rounds} in all ({few_rounds} for "
        "`capinfos` and `tshark`), page cache warm: the wall time of the fastest, since what else "
        f"the machine does only adds to it, its ratio to that of the {YARDSTICK}, the largest "
        "resident memory. A ratio holds on another machine better than a time does.",
    ]
    for result in results.values():
        paragraphs += [f"## {title(result)}", "\n".join(table(result))]
    paragraphs += [
        "## Bars",
        "What the project holds itself to; `bench/run.py --check` fails where one is missed.",
        "\n".join(f"- {bar.line(results)}" for bar in BARS),
    ]
    return "\n\n".join(paragraphs) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures speed and memory against bars.")
    parser.add_argument("--packets", type=int, default=FULL_PACKETS, help="in a capture")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program")
    parser.add_argument("--few-rounds", type=int, default=1, help="of capinfos and tshark; 0: none")
    parser.add_argument("--check", action="store_true", help="exit 1 when a bar is missed")
    parser.add_argument("--write", action="store_true", help=f"write {DOCUMENT.relative_to(ROOT)}")
    options = parser.parse_args()
    few_rounds = min(options.few_rounds, options.rounds)
    if options.rounds < 1 or options.packets < FEWEST_PACKETS:
        parser.error(f"at least one round and {FEWEST_PACKETS} packets")
    if options.write and not (few_rounds and shutil.which("capinfos") and shutil.which("tshark")):
        parser.error("--write needs capinfos and tshark: the document compares with them")

    build()
    results = {}
    for capture in CAPTURES:
        result = compare(capture, options.packets, options.rounds, few_rounds)
        results[capture.name] = result
        print(title(result), *table(result), "", sep="\n", flush=True)
    print(*(bar.line(results) for bar in BARS), sep="\n")
    if options.write:
        text = document(results, options.packets, options.rounds, few_rounds)
        DOCUMENT.write_text(text, encoding="utf-8")
    return 1 if options.check and not all(bar.is_met(results) for bar in BARS) else 0


if __name__ == "__main__":
    sys.exit(main())
