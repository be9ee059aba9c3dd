# SPDX-License-Identifier: BSD-2-Clause
"""Which mutants no test has to find, and why: survivors.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutants.mutations import Mutant

FILE = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True)
class Listed:
    """Lines that are left alone, and single mutants."""

    lines: tuple[dict[str, Any], ...]
    mutants: tuple[dict[str, Any], ...]

    def reason(self, mutant: Mutant) -> str | None:
        """Why nobody need find it; None where a test has to."""
        for entry in self.lines:
            if entry.get("file", mutant.file) == mutant.file and entry["has"] in mutant.was:
                return str(entry["reason"])
        for entry in self.mutants:
            if (entry["file"], entry["was"], entry["becomes"]) == (
                mutant.file,
                mutant.was,
                mutant.becomes,
            ):
                return str(entry["reason"])
        return None


def listed() -> Listed:
    """As committed."""
    said = tomllib.loads(FILE.read_text())
    return Listed(tuple(said.get("line", ())), tuple(said.get("survivor", ())))
