# SPDX-License-Identifier: BSD-2-Clause
"""Decides what the command line of the reference model does: print the timelines of a vector."""

import argparse
import os
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from sctp_rack.names import Profile
from sctp_rack.reference.timeline import Timeline, timeline
from sctp_rack.reference.variants import VARIANTS
from sctp_rack.reference.vector import Run, VectorError, load

USAGE_ERROR = 2
UNREADABLE = 3


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def main(arguments: list[str] | None = None) -> int:
    """Print a vector's story and a timeline for each run; return an exit code."""
    parser = _Parser(
        prog="python -m sctp_rack.reference",
        description="Replay a test vector and print its timeline, line by line.",
    )
    parser.add_argument("vector", help="a name such as T01, or the path of a vector's JSON file")
    parser.add_argument("--vectors", type=Path, help="folder in which names are looked up")
    parser.add_argument(
        "--profile", choices=[str(p) for p in Profile], help="replay with this profile instead"
    )
    parser.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"vary a parameter: {', '.join(VARIANTS)}",
    )
    try:
        options = parser.parse_args(arguments)
        changes = _changes(options.parameter)
        vector = load(options.vector, options.vectors)
        runs = _asked(vector.runs, Profile(options.profile) if options.profile else None)
        why_none = f"No timeline: {vector.not_checked[-1]}"
        tables = _tables(runs, changes) if runs else [textwrap.fill(why_none, 96)]
        story = [f"{vector.name}: {vector.title}", textwrap.fill(vector.story, 96)]
        print(*story, *tables, sep="\n\n", flush=True)
    except VectorError as error:
        print(error, file=sys.stderr)
        return UNREADABLE
    except ValueError as error:
        print(error, file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:
        # Whoever read this has seen enough. Python would complain again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _changes(arguments: list[str]) -> dict[str, str]:
    for argument in arguments:
        if "=" not in argument:
            raise ValueError(f"a parameter is NAME=VALUE, not {argument!r}")
    return dict(argument.split("=", 1) for argument in arguments)


def _tables(runs: list[Run], changes: dict[str, str]) -> list[str]:
    """Return a table for each run that the changes fit; ValueError if they fit none."""
    shown: list[Timeline] = []
    texts: list[str] = []
    misfits: list[ValueError] = []
    for run in runs:
        varied = replace(run, changes={**run.changes, **changes})
        words = " ".join(f"{name}={value}" for name, value in varied.changes.items())
        title = f"{varied.profile} {words}".strip()
        try:
            _ = varied.parameters
        except ValueError as error:
            misfits.append(error)
            texts.append(f"{title}\n\n{error}")
            continue
        table = timeline(varied, title)
        same = next((other for other in shown if other.rows == table.rows), None)
        if same is None:
            shown.append(table)
            texts.append(str(table))
        elif same.title != title:
            texts.append(f"{title}\n\nThe same as {same.title}.")
    if not shown:
        raise misfits[0]
    return texts


def _asked(runs: list[Run], profile: Profile | None) -> list[Run]:
    if profile is None or not runs:
        return runs
    return [replace(runs[0], profile=profile, changes={})]


if __name__ == "__main__":
    sys.exit(main())
