# SPDX-License-Identifier: BSD-2-Clause
"""The commands under attack: how each is called, how large its captures are, what it may take."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile.measure import COUNTING, COUNTS_S, HANGS_S, WAITS_S, Cost, instructions, run
from tests.hostile.shape import Made
from tests.lua.lua_model import DROP_IN
from tests.plugin.wireshark import NOBODY, Wireshark, build

SCTP_RACK = str(Path(sys.executable).with_name("sctp-rack"))


@dataclass(frozen=True)
class Command:
    """One face of the tool."""

    name: str
    arguments: tuple[str, ...]
    largest: int  #: bytes of the last of its captures
    peak_mib: int | None = None  #: else three times what a bulk transfer of that size takes
    status: frozenset[int] = frozenset({0})
    in_tshark: bool = False
    bare: "Command | None" = field(default=None, compare=False)  #: without us

    def fits(self, made: Made) -> bool:
        """`explain` needs data to be asked about."""
        return "FRAME" not in self.arguments or made.frame_of_data > 0


MB = 1_000_000
_TSHARK = ("tshark", "-2", "-r", "CAPTURE", "-q", "-z")

ANALYZE = Command("analyze", ("analyze", "CAPTURE"), 4 * MB, 100)
EXPORT = Command(
    "export",
    ("export", "--table", "all", "--format", "parquet", "-o", "FOLDER", "CAPTURE"),
    2 * MB,
    400,
)
EXPLAIN = Command(
    "explain",
    ("explain", "--frame", "FRAME", "CAPTURE"),
    2 * MB,
    500,
    frozenset({0, 2}),  # 2: several TSNs of the frame, they are listed
)
REPORT = Command("report", ("report", "-o", "FILE", "CAPTURE"), 2 * MB, 500)
#: With a filter, as each face has one: without, tshark 4.0 makes no tree, and leaves out what
#: packet-sctp looks up for each block of a SACK (1 MB of NR-SACKs: 0.9 G instructions, not 6.6).
BARE = Command(
    "tshark alone", ("tshark", "-2", "-r", "CAPTURE", "-q", "-Y", "sctp"), MB, in_tshark=True
)
PLUGIN = Command("plugin", (*_TSHARK, "sctp_rack,stat"), MB, in_tshark=True, bare=BARE)
LUA = Command(
    "Lua",
    ("tshark", "-2", "-r", "CAPTURE", "-q", "-X", "lua_script:SCRIPT", "-X", "lua_script1:stat"),
    MB // 2,
    in_tshark=True,
    bare=BARE,
)
COMMANDS = (ANALYZE, EXPORT, EXPLAIN, REPORT, PLUGIN, LUA)


class Bench:
    """A folder that captures are made in, and where Wireshark finds the plugin or does not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.chmod(0o777)
        self._homes = dict[str, Wireshark]()

    def cost(self, command: Command, made: Made) -> Cost:
        """One run."""
        return self._run(command, made)

    def instructions(self, command: Command, made: Made) -> int | None:
        """Of one run; None: it was ended. The same twice, but for a thousandth."""
        return instructions(self._run(command, made, COUNTING))

    def _run(self, command: Command, made: Made, under: tuple[str, ...] = ()) -> Cost:
        hangs_s, waits_s = (COUNTS_S, COUNTS_S) if under else (HANGS_S, WAITS_S)
        output = self.folder / "output"
        words = {
            "CAPTURE": str(made.path),
            "FRAME": str(made.frame_of_data),
            "FOLDER": str(output),
            "FILE": str(output.with_suffix(".html")),
            "SCRIPT": str(self._script()),
        }
        arguments = [_replaced(word, words) for word in command.arguments]
        if not command.in_tshark:
            command_line = [*under, sys.executable, SCTP_RACK, *arguments]
            cost = run(command_line, self.folder, hangs_s=hangs_s, waits_s=waits_s)
            shutil.rmtree(output, ignore_errors=True)
            return cost
        home = self._home(command.name)
        made.path.chmod(0o644)
        environment = {"HOME": str(home.home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        as_nobody = NOBODY if os.getuid() == 0 else []
        return run([*as_nobody, *under, *arguments], home.home, environment, hangs_s, waits_s)

    def _script(self) -> Path:
        """The drop-in where anybody can read it."""
        copy = self.folder / DROP_IN.name
        if not copy.exists():
            shutil.copy(DROP_IN, copy)
            copy.chmod(0o644)
        return copy

    def _home(self, name: str) -> Wireshark:
        if name not in self._homes:
            self._homes[name] = Wireshark(build() if name == PLUGIN.name else None)
        return self._homes[name]

    def close(self) -> None:
        """Removes what Wireshark was given."""
        for home in self._homes.values():
            home.close()


@contextmanager
def bench() -> Iterator[Bench]:
    """A bench in a folder of its own, which is removed."""
    with tempfile.TemporaryDirectory(prefix="sctp-rack-hostile-") as folder:
        bench = Bench(Path(folder))
        try:
            yield bench
        finally:
            bench.close()


def _replaced(word: str, words: dict[str, str]) -> str:
    before, colon, last = word.rpartition(":")
    return before + colon + words.get(last, last)
