# SPDX-License-Identifier: BSD-2-Clause
"""Measures a fleet: small captures with one and two processes, against tshark, and a large answer.

python -m bench.fleet                  2,000 captures, 100,000 short ones, 100,000,000 rows; prints
python -m bench.fleet --captures 100 --short 100 --rows 1000000    whether it works

tshark is asked what is nearest: in a loop over files, how many retransmissions each has. It reads
fewer of them, and its time is that of as many. What two processors can give is measured, too: two
calls at once that share nothing, of half of the captures each. Short ones are the first 40 packets
of the samples. The rows of the large answer are those of the small captures, again and again under
other names. All is below a temporary folder; 100,000,000 rows take a gigabyte.
"""

import argparse
import contextlib
import itertools
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sctp_rack.fleet.dataset import ROWS, Dataset
from sctp_rack.fleet.rows import schema

SAMPLES = Path(__file__).resolve().parent.parent / "sample_pcaps"
COMMAND = str(Path(sys.executable).with_name("sctp-rack"))

#: Of a pcap file: its header, the headers of packets, and packets of a short one.
_HEADER, _RECORD, _PACKETS = 24, struct.Struct("4I"), 40
#: Files that tshark reads.
_OF_TSHARK = 50
#: Tables of what is asked, and rows of a file.
_ASKED, _ROWS = ("transmissions", "recoveries", "sent", "associations", "captures"), 4_000_000


class Took(NamedTuple):
    """Seconds, of all processors together, and the most memory of a process."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captures", type=int, default=2000)
    parser.add_argument("--short", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=100_000_000)
    told = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="sctp-rack-bench-") as name:
        folder = Path(name)
        for line in _lines(folder, told.captures, told.short, told.rows):
            print(line, flush=True)
    return 0


def _lines(folder: Path, captures: int, short: int, rows: int) -> Iterator[str]:
    yield f"{captures:,} captures, {os.cpu_count()} processors"
    files = _captures(folder / "captures", captures, lambda sample: sample.read_bytes())
    for jobs in (1, 2):
        call = _batch(folder / "captures", folder / f"fleet-{jobs}", jobs)
        yield _line(f"batch --jobs {jobs}", _measured(call))
    halves = [
        _batch(_linked(folder / f"half-{at}", files[at::2]), folder / f"fleet-half-{at}", 1)
        for at in (0, 1)
    ]
    yield _line("two calls at once, of half each", _measured(*halves))
    yield _line("batch, nothing to do", _measured(call))
    yield _line(
        "batch of one table",
        _measured([*_batch(folder / "captures", folder / "one", 2), "--table", "storms"]),
    )
    if shutil.which("tshark"):
        few = files[:_OF_TSHARK]
        took = _measured_of(lambda: list(map(_tshark, few)))
        times = len(files) / len(few)
        name = f"tshark loop ({len(few)} files, times {times:g})"
        yield _line(name, Took(took.wall_s * times, took.cpu_s * times, took.peak_mib))
    yield from _short(folder, short)
    for named in ("causes", "ab"):
        yield _line(f"query --named {named}", _measured(_query(folder / "fleet-1", named)))
    many = _again(folder / "fleet-1", folder / "large", rows)
    yield f"{many:,} rows of transmissions"
    for named in ("causes", "ab"):
        yield _line(f"query --named {named}", _measured(_query(folder / "large", named)))


def _short(folder: Path, count: int) -> Iterator[str]:
    """Whether memory grows with the captures, and what it costs to go on where all is done."""
    yield f"{count:,} short captures"
    _captures(folder / "short", count, lambda sample: _beginning(sample.read_bytes()))
    call = _batch(folder / "short", folder / "fleet-short", 2)
    memory: list[float] = []
    whole = _measured(call, memory=memory)
    yield _line("batch --jobs 2", whole)
    fifths = [max(memory[at * len(memory) // 5 :][: len(memory) // 5 + 1]) for at in range(5)]
    yield f"MiB of all processes, most in each fifth: {', '.join(f'{one:,.0f}' for one in fifths)}"
    again = _measured(call)
    yield _line("batch, nothing to do", again)
    yield f"that is {again.cpu_s / whole.cpu_s:.2%} of the time of processors"


def _batch(captures: Path, out: Path, jobs: int) -> list[str]:
    return [COMMAND, "batch", str(captures), "-o", str(out), "--jobs", str(jobs)]


def _linked(folder: Path, files: Sequence[Path]) -> Path:
    folder.mkdir()
    for file in files:
        (folder / file.name).hardlink_to(file)
    return folder


def _beginning(capture: bytes) -> bytes:
    """Of a pcap file in this machine's byte order."""
    at = _HEADER
    for _ in range(_PACKETS):
        at += _RECORD.size + _RECORD.unpack_from(capture, at)[2]
    return capture[:at]


def _captures(folder: Path, count: int, content: Callable[[Path], bytes]) -> list[Path]:
    """Of the samples, again and again."""
    folder.mkdir()
    samples = itertools.cycle([content(file) for file in sorted(SAMPLES.glob("*.pcap"))])
    files = [folder / f"{at:06}.pcap" for at in range(count)]
    for file, sample in zip(files, samples, strict=False):
        file.write_bytes(sample)
    return files


def _query(dataset: Path, named: str) -> list[str]:
    sides = ["--before", "*[02468].pcap", "--after", "*[13579].pcap"]
    return [COMMAND, "query", str(dataset), "--named", named, *(sides if named == "ab" else [])]


def _tshark(file: Path) -> object:
    call = [
        "tshark",
        "-r",
        str(file),
        "-Y",
        "sctp.retransmission",
        "-T",
        "fields",
        "-e",
        "frame.number",
    ]
    quiet = subprocess.DEVNULL
    return subprocess.run(call, stdout=quiet, stderr=quiet, check=True)


def _again(dataset: Path, into: Path, rows: int) -> int:
    """A dataset whose transmissions are those of `dataset` until there are so many."""
    small = {
        table: pa.concat_tables(
            [
                pq.read_table(file, partitioning=None)
                for segment in Dataset(str(dataset)).segments()
                for file in segment.files.get(table, ())
            ]
            or [schema(table).empty_table()]
        )
        for table in _ASKED
    }
    each = len(small["transmissions"])
    in_a_file = max(1, _ROWS // each)
    large, written = Dataset(str(into)), 0
    with large.writing():
        for number in range(-(-rows // (each * in_a_file))):
            parts = [f"/{number}-{part}" for part in range(in_a_file)]
            with large.segment(f"{number:024}") as files:
                for table, content in small.items():
                    at_once = max(1, ROWS // max(1, len(content)))
                    for at in range(0, in_a_file, at_once):
                        files.write(table, _renamed(content, parts[at : at + at_once]))
            written += each * in_a_file
    return written


def _renamed(content: pa.Table, parts: Sequence[str]) -> pa.Table:
    """The rows once for each part, as row groups of a dataset are."""
    names = content["capture"].combine_chunks()
    named = [
        content.set_column(0, "capture", pc.binary_join_element_wise(part, names, ""))
        for part in parts
    ]
    return pa.concat_tables(named).combine_chunks()


def _measured(*calls: Sequence[str], memory: list[float] | None = None) -> Took:
    """Of calls at the same time; `memory` gets MiB of the first one and its processes."""

    def run() -> None:
        begun = [subprocess.Popen(call, stdout=subprocess.DEVNULL) for call in calls]
        while memory is not None and begun[0].poll() is None:
            memory.append(_used(begun[0].pid))
            time.sleep(0.2)
        for call in begun:
            if call.wait():
                raise subprocess.CalledProcessError(call.returncode, call.args)

    return _measured_of(run)


def _used(process: int) -> float:
    """MiB of a process and those that it began; what they share counts once."""
    folder = Path(f"/proc/{process}")
    with contextlib.suppress(OSError):
        told = (folder / "smaps_rollup").read_text()
        pss = next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:"))
        children = (folder / f"task/{process}/children").read_text().split()
        return pss / 1024 + sum(_used(int(one)) for one in children)
    return 0.0


def _measured_of(run: Callable[[], object]) -> Took:
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run()
    wall_s, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(wall_s, cpu_s, after.ru_maxrss / 1024)


def _line(name: str, took: Took) -> str:
    peak = f"{took.peak_mib:,.0f} MiB at most so far"
    return f"{name:<40} {took.wall_s:8.2f} s  {took.cpu_s:8.2f} s of processors  {peak}"


if __name__ == "__main__":
    sys.exit(main())
