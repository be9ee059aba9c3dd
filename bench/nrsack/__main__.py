# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.nrsack [--jobs N]: makes the runs of the figures and their tables anew."""

import argparse
import multiprocessing
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bench.nrsack.evolution import moments
from bench.nrsack.measured import Row, row
from bench.nrsack.paper import CHECKED, CHECKED_SEEDS, REPORTED, Case, cases
from bench.nrsack.two_paths import TwoPaths, two_paths
from sample_pcaps.generate.build import program
from sample_pcaps.generate.scenario import Stack

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    """All tables are other ones afterwards."""
    parser = argparse.ArgumentParser(prog="python -m bench.nrsack")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seeds", type=int, nargs=2, default=[REPORTED.start, REPORTED.stop])
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder of the tables")
    options = parser.parse_args()
    program(Stack.USRSCTP)  # once, before there are processes
    runs = [
        (case, seed, nr_sack)
        for seed in range(*options.seeds)
        for case in cases()
        for nr_sack in (False, True)
    ]
    last = options.seeds[0] + CHECKED_SEEDS
    with multiprocessing.Pool(options.jobs) as pool:
        rows = pool.starmap(_row, runs, chunksize=1)
    _write(options.to / "results.parquet", [asdict(one) for one in rows if one])
    evolution = [one for nr_sack in (False, True) for one in moments(nr_sack=nr_sack)]
    _write(options.to / "evolution.parquet", [asdict(one) for one in evolution])
    with multiprocessing.Pool(options.jobs) as pool:
        checks = pool.starmap(_check, [run for run in runs if run[0] in CHECKED and run[1] < last])
    _write(options.to / "two_paths.parquet", [asdict(one) for one in checks])
    return 0


def _check(case: Case, seed: int, nr_sack: bool) -> TwoPaths:
    return two_paths(case, seed, nr_sack=nr_sack)


def _row(case: Case, seed: int, nr_sack: bool) -> Row | None:
    return row(case, seed, nr_sack=nr_sack)


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Five digits and a half are enough of what is drawn."""
    table = pa.Table.from_pylist(list(rows))
    for at, field in enumerate(table.schema):
        if pa.types.is_floating(field.type):
            table = table.set_column(at, field.name, table.column(at).cast(pa.float32()))
    pq.write_table(table, path, compression="zstd", compression_level=19)


if __name__ == "__main__":
    sys.exit(main())
