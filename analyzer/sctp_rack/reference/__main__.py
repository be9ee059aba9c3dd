# SPDX-License-Identifier: BSD-2-Clause
"""Decides what the command line of the reference model does: print the timelines of a vector."""

import argparse
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

from sctp_rack.names import Profile
from sctp_rack.reference.timeline import timeline
from sctp_rack.reference.variants import VARIANTS
from sctp_rack.reference.vector import Run, Vector, VectorError, load

USAGE_ERROR = 2
UNREADABLE = 3


def main(arguments: list[str] | None = None) -> int:
    """Print a vector's story and a timeline for each run; return an exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m sctp_rack.reference",
        description="Replay a test vector and print its timeline, line by line.",
    )
    parser.add_argument("vector", help="a name such as T01, or the path of a vector's JSON file")
    parser.add_argument("--vectors", type=Path, help="folder in which names are looked up")
    parser.add_argument(
        "--profile", type=Profile, choices=list(Profile), help="replay with this profile instead"
    )
    parser.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"vary a parameter: {', '.join(VARIANTS)}",
    )
    options = parser.parse_args(arguments)
    try:
        vector = load(options.vector, options.vectors)
        changes = _changes(options.parameter)
        _print(vector, options.profile, changes)
    except VectorError as error:
        print(error, file=sys.stderr)
        return UNREADABLE
    except ValueError as error:
        print(error, file=sys.stderr)
        return USAGE_ERROR
    return 0


def _changes(arguments: list[str]) -> dict[str, str]:
    for argument in arguments:
        if "=" not in argument:
            raise ValueError(f"a parameter is NAME=VALUE, not {argument!r}")
    return dict(argument.split("=", 1) for argument in arguments)


def _print(vector: Vector, profile: Profile | None, changes: dict[str, str]) -> None:
    tables = []
    for run in _asked(vector.runs, profile):
        varied = replace(run, changes={**run.changes, **changes})
        words = " ".join(f"{name}={value}" for name, value in varied.changes.items())
        tables.append(timeline(varied, f"{varied.profile} {words}".strip()))
    print(f"{vector.name}: {vector.title}", textwrap.fill(vector.story, 96), *tables, sep="\n\n")


def _asked(runs: list[Run], profile: Profile | None) -> list[Run]:
    if profile is None:
        return runs
    return [replace(runs[0], profile=profile, changes={})]


if __name__ == "__main__":
    sys.exit(main())
