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
        lines: list[str] = []
        for line in self._process.stdout:
            if line.startswith("now "):
                self.now_ns = int(line[4:])
                return self._reports(lines)
            lines.append(line)
        raise RuntimeError(f"the host ended at {self.now_ns} ns, told {command[:60]!r}")

    def close(self) -> list[Report]:
        """Ends the program; what it reports then: its counters, where it has some."""
        told, _ = self._process.communicate("quit\n")
        return self._reports(told.splitlines())

    def _reports(self, lines: list[str]) -> list[Report]:
        words = [line.split() for line in lines]
        return [Report(self.now_ns, word, tuple(rest)) for word, *rest in words]
