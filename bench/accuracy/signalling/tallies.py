# SPDX-License-Identifier: BSD-2-Clause
"""What was claimed of signalling without any loss, added up by how the captures differ."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .setting import Setting


@dataclass
class Invented:
    """Claims that are wrong, as nothing was lost, sent again, repeated or overtaken."""

    captures: int = 0
    originals: int = 0
    resends: int = 0  #: originals said to be sent again
    duplicates: int = 0  #: said to be repeated by the network or the capture
    probes: int = 0  #: said to be tail loss probes, and not sent again
    lost: int = 0  #: said not to have arrived
    findings: Counter[str] = field(default_factory=Counter)  #: captures with it, by code; no notes

    def add(self, other: "Invented") -> None:
        """Sums up."""
        for name in ("captures", "originals", "resends", "duplicates", "probes", "lost"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.findings += other.findings

    @property
    def resends_per_million(self) -> float:
        """False retransmissions per million originals."""
        return self.resends * 1e6 / self.originals if self.originals else 0.0


#: In what captures differ, and the word of each for it.
DIFFERENCES: dict[str, Callable[[Setting], str]] = {
    "shape": lambda setting: setting.shape,
    "IP-ID": lambda setting: setting.ip_id,
    "tap": lambda setting: setting.tap,
    "capture": lambda setting: setting.kept,
}


@dataclass
class Tallies:
    """All captures, and those that have a word in common."""

    total: Invented = field(default_factory=Invented)
    groups: dict[tuple[str, str], Invented] = field(default_factory=dict)
    crossed: dict[tuple[str, str], Invented] = field(default_factory=dict)  #: by IP-ID and tap

    def add(self, setting: Setting, of_it: Invented) -> None:
        """One capture."""
        self.total.add(of_it)
        for name, word in DIFFERENCES.items():
            self.groups.setdefault((name, word(setting)), Invented()).add(of_it)
        self.crossed.setdefault((setting.ip_id, setting.tap), Invented()).add(of_it)

    def group(self, name: str) -> Iterator[tuple[str, Invented]]:
        """The words of one difference, with their sums."""
        for (difference, word), sums in sorted(self.groups.items()):
            if difference == name:
                yield word, sums
