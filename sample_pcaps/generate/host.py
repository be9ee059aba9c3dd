# SPDX-License-Identifier: BSD-2-Clause
"""A host: a program with a real stack in virtual time, asked and answering line by line."""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

Command = tuple[list[str], Mapping[str, str]]  #: arguments, additions to the environment


_AT_ONCE = 32_000  #: bytes that a pipe holds before either end waits for the other


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
        self._command = command
        self._told: list[str] = []
        self._idle = False  #: what it was told last moved its time alone
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def again(self) -> "Host":
        """Another that was told the same, and so is where this one is."""
        other = Host(self._command)
        other._told, other._idle = [*self._told], self._idle
        for some in _at_once(self._told):
            other._tell(some)
            for command in some:
                other._answer(command)
        return other

    def ask(self, command: str) -> list[Report]:
        """What the host reports; `run NS` ends at the first report."""
        self._tell([command])
        reports = self._answer(command)
        runs = command.startswith("run ")
        if self._idle and runs:
            self._told.pop()
        self._told.append(command)
        self._idle = runs and not reports
        return reports

    def _tell(self, commands: list[str]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(command + "\n" for command in commands))
        self._process.stdin.flush()

    def _answer(self, command: str) -> list[Report]:
        assert self._process.stdout is not None
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


def _at_once(commands: Iterable[str]) -> Iterator[list[str]]:
    """As many at a time as can be told before an answer is read."""
    some: list[str] = []
    size = 0
    for command in commands:
        if some and size + len(command) > _AT_ONCE:
            yield some
            some, size = [], 0
        some.append(command)
        size += len(command) + 1
    if some:
        yield some
