# SPDX-License-Identifier: BSD-2-Clause
"""The command `sctp-rack`: which commands it has, and what each exception makes its status."""

import atexit
import io
import os
import signal
import sys
from typing import Any

import click

from sctp_rack.commands import signals
from sctp_rack.commands.analyze_command import analyze_command
from sctp_rack.commands.annotate_command import annotate_command
from sctp_rack.commands.batch_command import batch_command
from sctp_rack.commands.compare_command import compare_command
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
from sctp_rack.commands.explain_command import explain_command
from sctp_rack.commands.export_command import export_command
from sctp_rack.commands.glossary_command import glossary_command
from sctp_rack.commands.limits_command import limits_command
from sctp_rack.commands.plot_command import plot_command
from sctp_rack.commands.query_command import query_command
from sctp_rack.commands.report_command import report_command
from sctp_rack.commands.say import say
from sctp_rack.commands.signals import Ended, ignore_signals, take_signals
from sctp_rack.commands.watch_command import watch_command
from sctp_rack.commands.whatif_command import whatif_command
from sctp_rack.errors import MissingExtraError, SctpRackError, UsageError
from sctp_rack.wording.harmless import harmless


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
    except click.ClickException as error:
        text = io.StringIO()
        error.show(text)
        click.echo("\n".join(map(harmless, text.getvalue().splitlines())), err=True)
        return error.exit_code
    except (MissingExtraError, UsageError) as error:
        say(*str(error).split("\n"))
        return EXIT_USAGE
    except SctpRackError as error:
        say(str(error))
        return EXIT_FAILED
    except OSError as error:
        return not_written(error)
    except MemoryError:
        say("out of memory")
        return EXIT_FAILED
    except ImportError as error:
        no_room = "failed to map" in str(error)  # says the loader
        say("out of memory" if no_room else f"a library cannot be loaded: {error}")
        return EXIT_FAILED
    except Exception:
        if number := signals.raised():
            return ended_by(number)
        raise


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
    cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="sctp-rack")
def cli() -> None:
    """Why was this TSN sent again? SCTP loss recovery from packet captures.

    What a word of the output means: sctp-rack glossary WORD.
    """


for _command in (
    analyze_command,
    annotate_command,
    batch_command,
    compare_command,
    explain_command,
    export_command,
    glossary_command,
    limits_command,
    plot_command,
    query_command,
    report_command,
    watch_command,
    whatif_command,
):
    cli.add_command(_command)
