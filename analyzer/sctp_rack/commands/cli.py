# SPDX-License-Identifier: BSD-2-Clause
"""The command `sctp-rack`: which commands it has, and what each exception makes its status."""

import atexit
import io
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, cast

import click

from sctp_rack.commands import signals
from sctp_rack.commands.ending import (
    EXIT_BY_SIGNAL,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    abandon_output,
    ended_by,
    not_written,
    written,
)
from sctp_rack.commands.say import say
from sctp_rack.commands.signals import Ended, ignore_signals, take_signals
from sctp_rack.errors import MissingExtraError, SctpRackError, UsageError
from sctp_rack.wording.harmless import harmless

#: Each is `NAME_command` of the module `NAME_command`.
_NAMES = (
    *("analyze", "annotate", "batch", "compare", "explain", "export", "glossary", "limits"),
    *("plot", "query", "report", "watch", "whatif"),
)


def main() -> None:
    """Runs the command, and exits with its status (`ending.py`)."""
    try:
        take_signals()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a file name need not be UTF-8
                stream.reconfigure(errors="backslashreplace")
        status = written(_status())
        ignore_signals()
    except KeyboardInterrupt:  # another one
        status = EXIT_INTERRUPTED
    if status > EXIT_BY_SIGNAL:
        atexit._run_exitfuncs()
        os._exit(status)  # without what Python does last, which takes longer than all else of it
    sys.exit(status)


def _status() -> int:
    try:
        return int(cli.main(prog_name="sctp-rack", standalone_mode=False) or 0)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except Ended as ended:
        return ended_by(ended.number)
    except click.Abort:
        return EXIT_INTERRUPTED
    except Exception as error:
        if number := signals.raised():  # a library in C may have made another exception of it
            return ended_by(number)
        return _said_of(error)


def _said_of(error: Exception) -> int:
    """Says what went wrong, on one line. Raises it where that is our mistake."""
    match error:
        case click.ClickException():
            text = io.StringIO()
            error.show(text)
            lines = text.getvalue().expandtabs(2).splitlines()  # click lists what to choose from
            click.echo("\n".join(map(harmless, lines)), err=True)
            return error.exit_code
        case MissingExtraError() | UsageError():
            say(*str(error).split("\n"))
            return EXIT_USAGE
        case SctpRackError():
            say(str(error))
            return EXIT_FAILED
        case MemoryError():
            say("out of memory")
            return EXIT_FAILED
        case ImportError():
            no_room = "failed to map" in str(error)  # says the loader
            say("out of memory" if no_room else f"a library cannot be loaded: {error}")
            return EXIT_FAILED
        case OSError():
            return not_written(error)
        case _:
            raise error


class _Commands(Mapping[str, click.Command]):
    """By name; each is imported when it is called: all take half as long again as `analyze`."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in _NAMES:
            raise KeyError(name)
        module = import_module(f"sctp_rack.commands.{name}_command")
        return cast(click.Command, getattr(module, f"{name}_command"))

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


def load(arguments: Sequence[str]) -> None:
    """Imports the command that is called, while a signal has nothing to tidy up."""
    if arguments and arguments[0] in _NAMES:
        cli.commands[arguments[0]]


class _Group(click.Group):
    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **options)
        except KeyboardInterrupt as interrupt:
            raise Ended(signal.SIGINT) from interrupt

    def invoke(self, ctx: click.Context) -> Any:
        """Keeps from click what it would say of."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            raise Ended(signal.SIGINT) from interrupt
        except BrokenPipeError:
            abandon_output()  # its reader left; there is nobody to tell
            return 0


@click.group(
    cls=_Group,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="sctp-rack")
def cli() -> None:
    """Why was this TSN sent again? SCTP loss recovery from packet captures.

    What a word of the output means: sctp-rack glossary WORD.
    """
