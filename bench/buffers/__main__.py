# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.buffers [--jobs N]: makes the runs and both tables anew."""

import argparse
import multiprocessing
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bench.buffers.cases import Case, cases
from bench.buffers.measured import more_of, transfer
from bench.buffers.tuned_run import Size
from sample_pcaps.generate.build import program
from sample_pcaps.generate.scenario import SECOND, Stack

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    """Both tables are other ones afterwards."""
    parser = argparse.ArgumentParser(prog="python -m bench.buffers")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder of the tables")
    options = parser.parse_args()
    for stack in (Stack.USRSCTP, Stack.PION, Stack.DCSCTP):
        program(stack)  # once, before there are processes
    first = list(cases())
    with multiprocessing.Pool(options.jobs) as pool:
        done = list(zip(first, pool.map(transfer, first, chunksize=1), strict=True))
        second = [more for case, (one, _) in done for more in more_of(case, one)]
        done += zip(second, pool.map(transfer, second, chunksize=1), strict=True)
    _write(options.to / "transfers.parquet", [asdict(one) for _, (one, _) in done])
    sizes = [row for case, (_, sizes) in done for row in _rows(case, sizes)]
    _write(options.to / "sizes.parquet", sizes)
    return 0


def _rows(case: Case, sizes: Sequence[Size]) -> list[dict[str, Any]]:
    return [
        {
            "delay_ms": case.delay_ms,
            "kind": case.kind,
            "time_s": one.time_ns / SECOND,
            "which": one.which,
            "bytes": one.bytes,
        }
        for one in sizes
    ]


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    pq.write_table(pa.Table.from_pylist(list(rows)), path, compression="zstd")


if __name__ == "__main__":
    sys.exit(main())
