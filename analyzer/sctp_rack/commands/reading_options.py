# SPDX-License-Identifier: BSD-2-Clause
"""Options of the commands that read captures, and the session that they ask for."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from sctp_rack.binding.session import Session
from sctp_rack.binding.source import STANDARD_INPUT, is_live
from sctp_rack.binding.told import LONGEST_MS, PROFILES, VANTAGES
from sctp_rack.commands.progress import FileProgress
from sctp_rack.errors import UsageError
from sctp_rack.names import Dir
from sctp_rack.readers.choose import READERS, open_reader

#: A name that a shell completes; nothing is checked before it is opened.
FILE = click.Path(readable=False)

#: Processes at the same time; more is a mistake.
MOST_JOBS = 1024


def direction_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that choose what a command tells of: an association, a direction of its data."""
    words = click.Choice([word.value for word in Dir])
    text = "Tell of data sent this way alone."
    command = click.option("--dir", "direction", type=words, help=text)(command)
    text = "Tell of this association alone."
    return click.option("--assoc", type=click.IntRange(0), metavar="N", help=text)(command)


def chosen_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Those, and a time; what is judged is the whole capture, whatever is told of."""
    for option, name, where in (("--to", "end", "up to"), ("--from", "begin", "from")):
        text = f"Tell of frames {where} this second since the first; all are read and judged."
        command = click.option(option, name, type=float, metavar="S", help=text)(command)
    return direction_options(command)


def check_read_once(captures: Sequence[str]) -> None:
    """Raises `click.UsageError` where standard input is named twice."""
    if captures.count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input can be read only once")


def check_one(captures: Sequence[str], assoc: int | None, direction: str | None) -> None:
    """Raises `UsageError` where an association or a direction of several captures is asked for."""
    if assoc is not None and len(captures) > 1:
        raise UsageError("--assoc is about one capture: each numbers its own associations")
    if direction is not None and len(captures) > 1:
        raise UsageError("--dir is about one capture: each calls another side a")


def jobs_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Option of a command that reads many captures, each by itself."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, MOST_JOBS),
        default=1,
        show_default=True,
        metavar="N",
        help="Captures that are read at the same time, each by a process.",
    )(command)


def check_jobs(captures: Sequence[str], jobs: int) -> None:
    """Raises `UsageError` where standard input would be read by a process of its own."""
    if jobs > 1 and len(captures) > 1 and STANDARD_INPUT in captures:
        raise UsageError("standard input is read without --jobs")


def capture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of every command that reads captures."""
    options = (
        click.option(
            "--udp-port",
            "udp_ports",
            type=click.IntRange(0, 65535),
            multiple=True,
            metavar="N",
            help="SCTP over UDP also on this port (may be repeated). Flows on other ports are "
            "found by their first packet with a right CRC32c.",
        ),
        click.option(
            "--verify-checksum",
            is_flag=True,
            help="Call every wrong checksum bad, also from a side that never has a right one.",
        ),
        click.option(
            "--reader",
            type=click.Choice(READERS),
            default="auto",
            show_default=True,
            help="tshark: every format and encapsulation that Wireshark knows. "
            "log: lines with `# SCTP_PACKET` (usrsctp, dcSCTP, browsers). pion-scp: its "
            "packets/*.jsonl. auto: by the content, else native.",
        ),
        click.option(
            "--keylog",
            metavar="FILE",
            help="TLS key log that decrypts DTLS, as for data channels of WebRTC.",
        ),
        click.option(
            "--vantage",
            type=click.Choice(VANTAGES),
            help="Where the capture was taken, instead of what its times say: at the data sender, "
            "which is the side of each association that sends more user data, at the other side, "
            "or between them.",
        ),
        click.option(
            "--loop",
            "loop_ms",
            type=click.FloatRange(0, LONGEST_MS),
            metavar="MS",
            help="Milliseconds from the tap to the data sender and back, instead of what the "
            "handshake says.",
        ),
        click.option(
            "--profile",
            type=click.Choice(PROFILES),
            help="Whose loss detection the data sender has, instead of the one that explains most "
            "retransmissions.",
        ),
        click.option(
            "--max-ack-delay",
            "max_ack_delay_ms",
            type=click.FloatRange(0, LONGEST_MS),
            metavar="MS",
            help="How long receivers delay a SACK, for the probe timeout of RACK-TLP (RFC 8985 "
            "section 7.2, TLP.max_ack_delay). 200 unless told.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def open_session(
    capture: str,
    tables: Sequence[str],
    progress: FileProgress | None,
    *,
    udp_ports: tuple[int, ...],
    verify_checksum: bool,
    reader: str,
    keylog: str | None,
    vantage: str | None,
    loop_ms: float | None,
    profile: str | None,
    max_ack_delay_ms: float | None,
    judges: bool = False,
    path: str | None = None,
    rows_at_once: int | None = None,
    share: tuple[int, int] | None = None,
) -> Session:
    """Reads `capture`, or the file at `path` under that name."""
    source = open_reader(
        path or capture, reader, keylog=keylog, udp_ports=udp_ports, progress=progress
    )
    return Session(
        capture,
        tables,
        source=source,
        keylog=keylog,
        udp_ports=udp_ports,
        verify_checksum=verify_checksum,
        judges=judges,
        vantage=vantage,
        loop_ms=loop_ms,
        profile=profile,
        max_ack_delay_ms=max_ack_delay_ms,
        rows_at_once=rows_at_once,
        share=share,
        live=is_live(path or capture),
    )
