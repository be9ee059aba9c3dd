# SPDX-License-Identifier: BSD-2-Clause
"""Options of the commands that read captures, and the session that they ask for."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from sctp_rack.errors import UsageError
from sctp_rack.names import Dir
from sctp_rack.progress import FileProgress
from sctp_rack.readers.choose import READERS, open_reader
from sctp_rack.session import LONGEST_MS, PROFILES, VANTAGES, Session
from sctp_rack.source import STANDARD_INPUT, is_live

#: Processes at the same time; more is a mistake.
MOST_JOBS = 1024


def direction_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of a command that is about one association and one direction of it."""
    words = click.Choice([word.value for word in Dir])
    command = click.option("--dir", "direction", type=words, help="Data sent this way.")(command)
    return association_option(command)


def association_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Option of a command that is about one association."""
    return click.option("--assoc", type=click.IntRange(0), metavar="N", help="This association.")(
        command
    )


def check_one(captures: Sequence[str], assoc: int | None) -> None:
    """Raises `UsageError` where an association of several captures is asked for."""
    if assoc is not None and len(captures) > 1:
        raise UsageError("--assoc is about one capture: each numbers its own associations")


def time_options(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Options of a command that is about a time of the capture."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option, name, where in (("--to", "end", "up to"), ("--from", "begin", "from")):
            text = f"{what} {where} this second since the first frame."
            command = click.option(option, name, type=float, metavar="S", help=text)(command)
        return command

    return add


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
            help="tshark: every format and encapsulation that Wireshark knows, and DTLS with keys. "
            "log: lines with `# SCTP_PACKET` (usrsctp, dcSCTP, browsers). pion-scp: its "
            "packets/*.jsonl. auto: by the content, else native.",
        ),
        click.option(
            "--keylog",
            metavar="FILE",
            help="TLS key log that decrypts DTLS, as for data channels of WebRTC; needs tshark.",
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
) -> Session:
    """Reads `capture`, or the file at `path` under that name."""
    source = open_reader(
        path or capture, reader, keylog=keylog, udp_ports=udp_ports, progress=progress
    )
    return Session(
        capture,
        tables,
        source=source,
        udp_ports=udp_ports,
        verify_checksum=verify_checksum,
        judges=judges,
        vantage=vantage,
        loop_ms=loop_ms,
        profile=profile,
        max_ack_delay_ms=max_ack_delay_ms,
        rows_at_once=rows_at_once,
        live=is_live(path or capture),
    )
