# SPDX-License-Identifier: BSD-2-Clause
"""How a tshark runs and ends: its output in pieces, its failures in one line, never an orphan."""

import contextlib
import os
import re
import selectors
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Sequence
from typing import IO, BinaryIO

from sctp_rack.errors import CaptureError, CutCaptureError

_PIECE = 1 << 17  # bytes
_GRACE_S = 2.0

#: What tshark says that is no error.
_REMARKS = ("Running as user", "Capturing on")


def output_of(
    command: Sequence[str], silence_s: float | None, stdin: int | None = None
) -> Generator[bytes, None, None]:
    """What `command` prints, piece by piece, in bounded memory.

    Raises `CaptureError` where it cannot be started, fails, or prints nothing for `silence_s`
    seconds (None: it may be silent for ever, as a live capture), and `CutCaptureError` where it
    says that its input is cut short. When the iterator is closed it is ended with all that it
    started.
    """
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # an interrupt is for us; its dumpcap ends with it
            )
        except OSError as error:
            raise CaptureError(
                f"{command[0]} cannot be started: {error.strerror}; it comes with Wireshark "
                "(Debian: apt install tshark)"
            ) from error
        assert process.stdout is not None
        try:
            yield from _pieces(process.stdout, silence_s)
            status = process.wait(_GRACE_S)
        except subprocess.TimeoutExpired as error:
            raise CaptureError(f"{command[0]} has closed its output and does not end") from error
        finally:
            _end(process)
        _check(command[0], status, errors)


def _pieces(stream: IO[bytes], silence_s: float | None) -> Iterator[bytes]:
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            if not selector.select(silence_s):
                raise CaptureError(f"tshark has printed nothing for {silence_s:g} s")
            piece = os.read(stream.fileno(), _PIECE)
            if not piece:
                return
            yield piece


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends it, if it has not ended, and all that it started; asks first."""
    assert process.stdout is not None
    process.stdout.close()
    if process.returncode is not None:
        return
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_S)


def _check(name: str, status: int, errors: BinaryIO) -> None:
    said = _said(errors)
    if said and "cut short" in said:
        raise CutCaptureError(said)
    if status < 0:
        raise CaptureError(f"{name} was ended by {signal.Signals(-status).name}")
    if status:
        raise CaptureError(said or f"{name} failed with status {status} and said nothing")


def _said(errors: BinaryIO) -> str | None:
    """What it complained of, in one line: its first `tshark: …`, else what it said last."""
    errors.seek(0)
    text = errors.read(_PIECE).decode(errors="replace")
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(_REMARKS)]
    named = [line for line in lines if re.match(r"\S*tshark: ", line)]
    return next(iter(named or lines[-1:]), None)
