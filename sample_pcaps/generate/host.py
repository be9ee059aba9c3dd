# SPDX-License-Identifier: BSD-2-Clause
"""A host: a program with a real stack in virtual time, asked and answering line by line."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

Command = tuple[list[str], Mapping[str, str]]  #: arguments, additions to the environment


@dataclass(frozen=True)
class Report:
    """Something that the host did, at the time of its own clock."""

    time_ns: int
    word: str
    arguments: tuple[str, ...]


class Host:
    """Runs until it is closed; its time moves only when it is told to."""

    def __init__(self, command: Command) -> None:
        arguments, environment = command
        self.now_ns = 0
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def ask(self, command: str) -> list[Report]:
        """What the host reports; `run NS` ends at the first report."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines: list[list[str]] = []
        for line in self._process.stdout:
            word, *arguments = line.split()
            if word == "now":
                self.now_ns = int(arguments[0])
                return [Report(self.now_ns, word, tuple(rest)) for word, *rest in lines]
            lines.append([word, *arguments])
        raise RuntimeError(f"the host ended at {self.now_ns} ns, told {command[:60]!r}")

    def close(self) -> None:
        """Ends the program."""
        self._process.communicate("quit\n")
