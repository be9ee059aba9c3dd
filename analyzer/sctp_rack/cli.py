# SPDX-License-Identifier: BSD-2-Clause
"""The command `sctp-rack`: what it takes and with which status it exits."""

import atexit
import contextlib
import ctypes
import io
import os
import shutil
import signal
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from sctp_rack import signals
from sctp_rack.analyze import FEW_ROWS, Printed, Write, analyses
from sctp_rack.annotate.on_disk import on_disk
from sctp_rack.annotate.remarks import comments
from sctp_rack.annotate.rewrite import check_is_capture, rewrite
from sctp_rack.capture import Capture, read
from sctp_rack.chosen import Chosen
from sctp_rack.comparison.compare import compare
from sctp_rack.comparison.measures import TABLES as MEASURED_TABLES
from sctp_rack.comparison.text import write_comparison, write_comparison_json
from sctp_rack.counted import many
from sctp_rack.errors import MissingExtraError, SctpRackError, UsageError
from sctp_rack.explain import TABLES as STORY_TABLES
from sctp_rack.explain import explain
from sctp_rack.export import FORMATS, TEXTS
from sctp_rack.exports import Wanted, export_capture, exports, file_names
from sctp_rack.glossary import entries, lines_of, look_up
from sctp_rack.harmless import harmless
from sctp_rack.layout import LAYOUTS
from sctp_rack.many.figures import CaptureRow
from sctp_rack.many.ranked import ranked_lines
from sctp_rack.many.which import captures_in, is_folder
from sctp_rack.names import Severity
from sctp_rack.output_file import (
    check_is_another,
    check_no_terminal,
    directory,
    in_directory,
    on_terminal,
    output_file,
    write_page,
)
from sctp_rack.plots import KINDS, Unit
from sctp_rack.plots.choose import choose, directions
from sctp_rack.plots.data import TABLES as PLOT_TABLES
from sctp_rack.plots.save import fields, writer
from sctp_rack.progress import AllProgress, FileProgress
from sctp_rack.reading_options import (
    association_option,
    capture_options,
    check_jobs,
    check_one,
    direction_options,
    jobs_option,
    open_session,
    time_options,
)
from sctp_rack.say import say
from sctp_rack.signals import Ended, ignore_signals, take_signals
from sctp_rack.source import STANDARD_INPUT, open_source
from sctp_rack.story_text import write_story, write_story_json
from sctp_rack.which_tsn import which_tsn

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_FAILED = 3
EXIT_BY_SIGNAL = 128
EXIT_INTERRUPTED = EXIT_BY_SIGNAL + signal.SIGINT

#: Of `--table`, for each of them.
ALL_TABLES = "all"

#: Captures that `analyze` tells of one by one; of more there is the table alone.
IN_FULL = 20

#: Of mallopt(3).
_M_MMAP_THRESHOLD = -3

#: A name that a shell completes; nothing is checked before it is opened.
FILE = click.Path(readable=False)


def main() -> None:
    """Runs the command.

    The exit status is 0, 1 for findings at or above `--fail-on`, 2 for a wrong call, 3 for input
    that cannot be read, output that cannot be written or memory that runs out, 128 and the number
    of the signal that ended it: 130 of SIGINT, 143 of SIGTERM, 129 of SIGHUP.
    """
    try:
        take_signals()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a file name need not be UTF-8
                stream.reconfigure(errors="backslashreplace")
        status = _written(_status())
        ignore_signals()
    except KeyboardInterrupt:  # another one
        status = EXIT_INTERRUPTED
    if status > EXIT_BY_SIGNAL:
        atexit._run_exitfuncs()
        os._exit(status)  # without what Python does last, which takes longer than all else of it
    sys.exit(status)


def _give_memory_back() -> None:
    """Large blocks that are freed go back to the system.

    The C library of GNU keeps them, once some were freed, and the next pass of the core finds no
    whole one among them. Others have no such setting. It costs those who make large arrays again
    and again.
    """
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, 1 << 18)


def _status() -> int:
    try:
        return int(cli.main(prog_name="sctp-rack", standalone_mode=False) or 0)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except Ended as ended:
        return _ended_by(ended.number)
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
        return _not_written(error)
    except MemoryError:
        say("out of memory")
        return EXIT_FAILED
    except ImportError as error:
        no_room = "failed to map" in str(error)  # says the loader
        say("out of memory" if no_room else f"a library cannot be loaded: {error}")
        return EXIT_FAILED
    except Exception:
        if number := signals.raised():
            return _ended_by(number)
        raise


def _ended_by(number: int) -> int:
    name = signal.Signals(number).name
    say("interrupted" if number == signal.SIGINT else f"ended by {name}")
    return EXIT_BY_SIGNAL + number


def _written(status: int) -> int:
    """What is still buffered is written while it can still be said that it cannot be."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
    except OSError as error:
        return status or _not_written(error)
    return status


def _not_written(error: OSError) -> int:
    say(f"the output cannot be written: {error.strerror}")
    _abandon_output()
    return EXIT_FAILED


def _abandon_output() -> None:
    """What is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
            _abandon_output()  # its reader left; there is nobody to tell
            return 0


@click.group(
    cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="sctp-rack")
def cli() -> None:
    """Why was this TSN sent again? SCTP loss recovery from packet captures.

    What a word of the output means: sctp-rack glossary WORD.
    """


@cli.command("analyze")
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per capture, one per line.")
@click.option(
    "--fail-on",
    type=click.Choice([severity.value for severity in Severity]),
    help="Exit with 1 where a capture has a finding of this severity or a worse one.",
)
@association_option
@jobs_option
@capture_options
def analyze_command(
    captures: tuple[str, ...],
    as_json: bool,
    fail_on: str | None,
    assoc: int | None,
    jobs: int,
    **reading: Any,
) -> None:
    """Say what each CAPTURE (a file, a folder of them, or - for standard input) holds.

    For each association: what was sent and acknowledged, TSNs that came again, gap blocks,
    duplicate reports; then what limits the analysis, and what could not be read. Of several
    captures a table follows, those with the most spurious retransmissions first; of more than 20
    there is the table alone. Interrupt a live capture that comes through a pipe to see what came so
    far.

    Exit status: 0; 1 for findings at or above --fail-on; 2 for a wrong call; 3 for input that
    cannot be read, when the others are done; 128 and the number of the signal that ended it.
    A capture that only ends early is read up to there, with a finding.
    """
    _check_read_once(captures)
    _give_memory_back()
    meant = captures_in(captures)
    check_jobs(meant, jobs)
    check_one(meant, assoc)
    printed = Printed(text=not as_json and len(meant) <= IN_FULL, json=as_json)
    rows: list[CaptureRow] = []
    with contextlib.ExitStack() as ended:
        shown = not any(printed) or not on_terminal(sys.stdout)
        progress = ended.enter_context(AllProgress(meant, shown))
        told = {**reading, "assoc": assoc, "watched": not progress.shown}
        done = ended.enter_context(contextlib.closing(analyses(meant, jobs, printed, **told)))
        for row, write in done:
            rows.append(row)
            progress.add(row.capture)
            if not _printed(write) and fail_on is None:
                return  # its reader left, and nothing else was asked
            del write  # with what would be kept while the next one is read
            if row.error is not None:
                say(row.error)
    if len(rows) > 1 and not as_json:
        table = "".join(f"{line}\n" for line in ranked_lines(rows, "--json"))
        if not _printed(lambda output: output.write(table)) and fail_on is None:
            return
    if any(row.error is not None for row in rows):
        raise click.exceptions.Exit(EXIT_FAILED)
    if fail_on is not None and any(row.has(Severity(fail_on)) for row in rows):
        raise click.exceptions.Exit(EXIT_FINDINGS)


def _printed(write: Write) -> bool:
    """Whether somebody reads it."""
    try:
        write(sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
        return False
    return True


def _held(capture: str, tables: Sequence[str], **reading: Any) -> Capture:
    """A capture in memory, of a broken one what came before; then standard error says so."""
    held = read(capture, tables=tables, partial=True, **reading)
    if held.summary.stopped:
        say(f"{held.summary.stopped}; what came before counts")
    return held


def _end(captures: Iterable[Capture]) -> None:
    """The status is that of broken input, where one was, also when what came before is told."""
    if any(one.summary.broken for one in captures):
        raise click.exceptions.Exit(EXIT_FAILED)


def _check_read_once(captures: Sequence[str]) -> None:
    if captures.count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input can be read only once")


@cli.command("explain")
@click.argument("capture", type=FILE)
@click.option("--frame", type=click.IntRange(1), metavar="N", help="The TSN in this frame.")
@click.option("--tsn", type=click.IntRange(0, 2**32 - 1), metavar="N", help="This TSN.")
@direction_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@capture_options
def explain_command(
    capture: str,
    frame: int | None,
    tsn: int | None,
    assoc: int | None,
    direction: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Tell the story of one TSN of CAPTURE: sent, missed, marked, sent again, acknowledged.

    For each retransmission: whether it was needed and by which evidence, why it was sent and what
    is ruled out, and what RACK-TLP (RFC 8985) would have done and when. Where several TSNs fit they
    are listed, with status 2.
    """
    held = _held(capture, STORY_TABLES, **reading)
    place = which_tsn(held, frame=frame, tsn=tsn, assoc=assoc, direction=direction)
    (write_story_json if as_json else write_story)(explain(held, place), sys.stdout)
    _end([held])


@cli.command("compare")
@click.argument("before", type=FILE)
@click.argument("after", nargs=-1, required=True, metavar="AFTER...", type=FILE)
@direction_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=FILE,
    help="An HTML page with graphs over each other instead; needs the extra `report`.",
)
@capture_options
def compare_command(
    before: str,
    after: tuple[str, ...],
    assoc: int | None,
    direction: str | None,
    as_json: bool,
    output: str | None,
    **reading: Any,
) -> None:
    """Say what changed from the capture BEFORE to each capture AFTER.

    Goodput, delivery latency of TSNs and of messages, time in recovery, recoveries driven by
    timeouts, retransmissions by cause, how many of them were spurious, probes, and bytes sent for
    each useful one; from the captures alone. Take them at the same place, best at the sender.
    """
    _check_read_once((before, *after))
    if output is None:
        captures = [(path, _held(path, MEASURED_TABLES, **reading)) for path in (before, *after)]
        compared = compare(captures, assoc=assoc, direction=direction)
        (write_comparison_json if as_json else write_comparison)(compared, sys.stdout)
        _end(one for _, one in captures)
        return
    if as_json:
        raise click.UsageError("--json and --output contradict each other")
    from sctp_rack.report.compared import TABLES as DRAWN_TABLES
    from sctp_rack.report.compared import compared_page

    captures = [(path, _held(path, DRAWN_TABLES, **reading)) for path in (before, *after)]
    write_page(compared_page(captures, assoc=assoc, direction=direction), output)
    _end(one for _, one in captures)


@cli.command("report")
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...", type=FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=FILE,
    help="The HTML file to write; - for standard output.",
)
@association_option
@capture_options
def report_command(
    captures: tuple[str, ...], output: str, assoc: int | None, **reading: Any
) -> None:
    """Write a page on each CAPTURE (a file, or - for standard input): one HTML file, no network.

    What was spurious in words, findings with display filters, graphs, causes and verdicts, RACK-TLP
    against the sender, stories of single TSNs, what the capture is worth, method and limits. Needs
    the extra `report`. FILE is replaced only when all went well.
    """
    _check_read_once(captures)
    check_one(captures, assoc)
    from sctp_rack.report.contents import TABLES as REPORT_TABLES
    from sctp_rack.report.contents import contents
    from sctp_rack.report.page import report_page

    broken, told = False, []
    for capture in captures:
        held = _held(capture, REPORT_TABLES, **reading)
        broken |= held.summary.broken
        told.append(contents(held if assoc is None else held.only(assoc)))
    write_page(report_page(told), output)
    if broken:
        raise click.exceptions.Exit(EXIT_FAILED)


@cli.command("export")
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...", type=FILE)
@click.option(
    "--table",
    "tables",
    type=click.Choice([*LAYOUTS, ALL_TABLES]),
    multiple=True,
    required=True,
    help="Which table (may be repeated).",
)
@click.option(
    "--format", "file_format", type=click.Choice(FORMATS), default="ndjson", show_default=True
)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    type=FILE,
    help="Instead of standard output; of several tables or captures a directory.",
)
@direction_options
@time_options("Rows")
@jobs_option
@capture_options
def export_command(
    captures: tuple[str, ...],
    tables: tuple[str, ...],
    file_format: str,
    output: str,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    jobs: int,
    **reading: Any,
) -> None:
    """Write tables of each CAPTURE (a file, a folder of them, or - for standard input).

    docs/tables.md of the project says what is in each table. Columns that do not apply, or that the
    capture cannot tell, are null. A capture is read once, whatever is written of it. Several tables
    become TABLE.FORMAT each, in a directory that is made where there is none. Of several captures,
    or of a folder, rows begin with a column `capture`, and in the directory there is a directory
    for each table with a file for each capture. Parquet and Arrow need the extra `arrow`. A file is
    replaced only when all of its capture went well.
    """
    _check_read_once(captures)
    names = list(dict.fromkeys(LAYOUTS if ALL_TABLES in tables else tables))
    wanted = Wanted(names, file_format, Chosen(assoc, direction, begin, end))
    wanted.chosen.check(names)
    if file_format not in TEXTS:
        check_no_terminal(output, sys.stdout, file_format)
    if len(captures) > 1 or is_folder(captures[0]):
        _export_many(captures_in(captures), wanted, output, jobs, **reading)
        return
    (capture,) = captures
    shown = None if output == "-" and on_terminal(sys.stdout) else FileProgress(capture)
    with contextlib.ExitStack() as files:
        outputs = {names[0]: output}
        if len(names) > 1:
            outputs = files.enter_context(in_directory(output, names, file_format))
        done = export_capture(capture, outputs, wanted, named=False, shown=shown, **reading)
    if done.said:
        say(done.said)
    if done.failed:
        raise click.exceptions.Exit(EXIT_FAILED)


def _export_many(
    captures: Sequence[str], wanted: Wanted, output: str, jobs: int, **reading: Any
) -> None:
    """Text of one table may go to standard output, one capture after the other."""
    check_jobs(captures, jobs)
    names = file_names(captures, wanted.file_format)
    failed = False
    with contextlib.ExitStack() as folders:
        outputs = {name: dict.fromkeys(wanted.tables, output) for name in names}
        if output != "-":
            _check_is_folder(output, wanted.file_format)
            into = folders.enter_context(directory(output))
            for table in wanted.tables:
                folder = folders.enter_context(directory(str(into / table)))
                for name, file in names.items():
                    outputs[name][table] = str(folder / file)
        elif len(wanted.tables) > 1 or wanted.file_format not in TEXTS or jobs > 1:
            why = "--jobs needs" if jobs > 1 else "of several captures that needs"
            raise UsageError(f"{why} --output, a directory")
        with (
            AllProgress(captures, shown=not on_terminal(sys.stdout)) as progress,
            contextlib.closing(exports(outputs, wanted, jobs, **reading)) as all_done,
        ):
            for name, done in all_done:
                progress.add(name)
                failed |= done.failed
                if done.said:
                    say(done.said)
        if failed:
            raise click.exceptions.Exit(EXIT_FAILED)


def _check_is_folder(output: str, file_format: str) -> None:
    """Raises `UsageError` for what is called as a file is."""
    if output.endswith(f".{file_format}"):
        raise UsageError(f"{output}: of several captures --output is a directory")


@cli.command("plot")
@click.argument("capture", type=FILE)
@click.option("--kind", type=click.Choice(KINDS), default="tsn", show_default=True)
@direction_options
@click.option(
    "--unit",
    type=click.Choice(["tsn", "bytes"]),
    default="tsn",
    show_default=True,
    help="What the time-sequence graph counts.",
)
@time_options("What is shown")
@click.option("--alone", is_flag=True, help="Without the panels linked below kind tsn.")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=FILE,
    help="FILE.html, .png, .svg, .pdf; .xpl for xplot, .qlog for tools of QUIC.",
)
@capture_options
def plot_command(
    capture: str,
    kind: str,
    assoc: int | None,
    direction: str | None,
    unit: Unit,
    begin: float | None,
    end: float | None,
    alone: bool,
    output: str,
    **reading: Any,
) -> None:
    """Draw one direction of CAPTURE: what was sent and acknowledged, why it came again.

    \b
    tsn         TSNs over time, in the grammar of tcptrace, over round trips, flight and queue
    both        the two directions above each other, over one axis of time
    rtt         round trips: samples, min, srtt, rto, pto
    flight      bytes in flight
    rwnd        the receive window and what takes it up
    rtxq        the retransmission queue, and how much of it may still be needed
    throughput  of user data: sent, sent again, newly acknowledged
    delay       of each TSN until its acknowledgement, and until all before it were
    useful      bytes received, and those of them that were new

    An HTML page works without a network, refines when it is zoomed, and gives display filters at a
    click. Without --assoc and --dir the direction with the most DATA is drawn. Times are seconds
    since the first frame. Needs the extra `plot`; pictures need Chromium or Chrome too.
    """
    save = writer(output)
    with FileProgress(capture) as progress:
        held = _held(capture, PLOT_TABLES, progress=progress, fields=fields(output), **reading)
    chosen = choose(held, assoc, direction)
    content = save(chosen, kind, unit=unit, linked=not alone, between=(begin, end))
    with output_file(output, sys.stdout) as stream:
        stream.write(content)
    if others := sum(1 for one in directions(held)) - 1:
        say(
            f"drawn: {chosen.name} of association {chosen.assoc}; "
            f"{many(others, 'other direction')} with data (--assoc, --dir)"
        )
    _end([held])


@cli.command("glossary")
@click.argument("words", nargs=-1, metavar="[WORD]...")
def glossary_command(words: tuple[str, ...]) -> None:
    """Say what each WORD of the output means: a, class, needed, t3_gbn, S8, K14…

    A WORD may be an enum, as cause is, and then all its words are told. Without a WORD: all.
    """
    found = [entry for word in words for entry in look_up(word)] if words else entries()
    for line in lines_of(found, shutil.get_terminal_size().columns):
        click.echo(line)


@cli.command("annotate")
@click.argument("capture", type=FILE)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    type=FILE,
    help="The pcapng file to write, instead of standard output.",
)
@click.option("--all", "every", is_flag=True, help="Comment on every DATA and I-DATA chunk.")
@capture_options
def annotate_command(capture: str, output: str, every: bool, **reading: Any) -> None:
    """Write CAPTURE (a file, or - for standard input) as pcapng with verdicts as packet comments.

    Any Wireshark shows them without a plugin, and filters them:

    \b
        frame.comment contains "spurious"
        frame.comment contains "cause t3 "
        frame.comment contains "lost"

    Frames with retransmissions, losses, tail loss probes, late and repeated chunks get one; all
    else stays as it is. Comments of an earlier time are replaced. FILE is replaced only when all
    went well.
    """
    check_no_terminal(output, sys.stdout, "a capture")
    check_is_another(output, capture)
    with on_disk(capture) as path:
        check_is_capture(capture, open_source(path))
        with FileProgress(capture) as progress:
            session = open_session(
                capture,
                ["transmissions"],
                progress,
                path=path,
                rows_at_once=FEW_ROWS,
                **reading,
            )
            remarks = comments(session.batches(), every)
        if not session.frames:
            session.check()
        with output_file(output, sys.stdout) as stream, FileProgress(capture) as progress:
            written = rewrite(capture, open_source(path, progress), remarks, stream)
    if written.without_room:
        say(
            f"{capture}: {many(written.without_room, 'frame')} without room for a comment, as in "
            "Simple Packet Blocks"
        )
    if session.end.message:
        session.check()
        say(f"{session.end.message}; what came before is annotated")
