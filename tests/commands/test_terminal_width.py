# SPDX-License-Identifier: BSD-2-Clause
"""On a terminal texts are as wide as it is, and say the same; in a pipe their lines stay whole."""

import fcntl
import functools
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from tests.analyzer.test_bad_input import COMMAND, run
from tests.captures import BUNDLED

REORDER = BUNDLED / "pion-reorder-low.sender.pcap"
WITHOUT, WITH = (BUNDLED / f"pion-tail-loss{end}.sender.pcap" for end in ("-no-rack", ""))


@functools.cache
def in_pipe(*arguments: str | Path) -> str:
    """What is written to a pipe."""
    return run(*arguments).stdout.decode()


def on_terminal(width: int, *arguments: str | Path) -> list[str]:
    """The lines that a terminal of so many columns gets, without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, width, 0, 0))
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("COLUMNS", None)
    command = [*COMMAND, *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    ):
        os.close(theirs)
        data = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            data += part
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode()).splitlines()


@pytest.mark.parametrize(
    "arguments",
    [("analyze", REORDER), ("explain", REORDER, "--assoc", "0"), ("compare", WITHOUT, WITH)],
    ids=["analyze", "explain", "compare"],
)
def test_a_text_is_as_wide_as_the_terminal_and_says_the_same(
    arguments: tuple[str | Path, ...],
) -> None:
    width = 60
    if arguments[0] == "explain":
        arguments = (*arguments, "--dir", "a2b", "--tsn", "1890380604")
    lines = on_terminal(width, *arguments)
    whole = in_pipe(*arguments)

    assert " ".join(" ".join(lines).split()) == " ".join(whole.split())
    assert any(len(line) > 0.8 * width for line in lines)
    # A path has no place to be broken at, nor has a row of the table of figures.
    longer = [line for line in lines if len(line) > width and str(BUNDLED) not in line]
    assert all(arguments[0] == "compare" and re.search(r"\S {3,}\S", line) for line in longer)
    if arguments[0] == "analyze":
        assert lines[1].startswith("  50 of 64 ") and lines[2].startswith("  ")
        said = next(at for at, line in enumerate(lines) if "a sent again" in line)
        assert lines[said + 1].startswith(" " * 18)


def test_in_a_pipe_lines_stay_whole() -> None:
    lines = in_pipe("analyze", REORDER).splitlines()

    assert max(map(len, lines)) > 200
