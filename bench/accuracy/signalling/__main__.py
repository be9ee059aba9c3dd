# SPDX-License-Identifier: BSD-2-Clause
"""python -m bench.accuracy.signalling [--tsns N] [--first SEED]: false resends per million
originals of signalling without any loss; `--capture SEED` shows one capture. `--truth FOLDER`: of
captures with losses and their truth instead."""

import argparse
import sys
from pathlib import Path

import sctp_rack

from .make import make
from .measure import measure, resends
from .section import section
from .setting import FIRST_TO_REPORT, setting
from .with_loss import resends_in, resends_table


def main() -> int:
    """Prints the section of docs/accuracy.md."""
    parser = argparse.ArgumentParser(prog="bench.accuracy.signalling", description=__doc__)
    parser.add_argument("--tsns", type=int, default=1_000_000, help="how many originals")
    parser.add_argument("--first", type=int, default=FIRST_TO_REPORT, metavar="SEED")
    parser.add_argument("--each", type=int, default=0, help="originals in each capture")
    parser.add_argument("--capture", type=int, metavar="SEED", help="write this one, with its rows")
    parser.add_argument("--to", type=Path, default=Path("signalling.pcap"), metavar="FILE")
    parser.add_argument("--truth", type=Path, metavar="FOLDER", help="count in runs with truth")
    arguments = parser.parse_args()
    if arguments.truth is not None:
        print(resends_table(resends_in(arguments.truth)), end="")
    elif arguments.capture is not None:
        _show(arguments.capture, arguments.each, arguments.to)
    else:
        print("\n".join(section(measure(arguments.first, arguments.tsns, arguments.each))), end="")
    return 0


def _show(seed: int, tsns: int, path: Path) -> None:
    of = setting(seed, tsns)
    print(of)
    capture = sctp_rack.read(make(of, path))
    for row, again in zip(capture.transmissions, resends(capture), strict=True):
        if again:
            print({name: value for name, value in row.items() if value is not None})
    for finding in capture.findings:
        print(f"{finding.severity}: {finding.text}")


if __name__ == "__main__":
    sys.exit(main())
