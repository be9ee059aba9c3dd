# SPDX-License-Identifier: BSD-2-Clause
"""What is checked: a run as its truth tells it and as tshark sees it, and what is found wrong."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .seen import Frame

Record = dict[str, Any]
_DOUBLED_WITHIN_NS = 25_000  #: a little more than a tap takes to have a packet again


@dataclass(frozen=True)
class Fault:
    """A rule is broken."""

    file: str
    frame: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}{'' if self.frame is None else f' frame {self.frame}'}: {self.what}"


@dataclass(frozen=True)
class Checked:
    """A run: its truth, and at each tap what tshark sees."""

    document: Record
    seen: dict[str, list[Frame]]

    @cached_property
    def transmissions(self) -> list[Record]:
        return list(self.document["transmissions"])

    @cached_property
    def clock_ns(self) -> int:
        return int(self._options.get("clock_ns", 1))

    @cached_property
    def misses(self) -> bool:
        """Whether something that passed a tap may not be in its file."""
        return bool({"capture_loss", "skip_ms", "snaplen"} & self._options.keys())

    @cached_property
    def doubles(self) -> bool:
        return "capture_dup" in self._options

    @cached_property
    def abandoned(self) -> set[tuple[str, int]]:
        """The direction and TSN of what a FORWARD-TSN skips before it is acknowledged. Only truth
        tells where a tap has not the FORWARD-TSN."""
        return {(one["dir"], one["tsn"]) for one in self.transmissions if "abandoned" in one}

    @cached_property
    def host_of(self) -> dict[str, str]:
        """Of an address."""
        if "addresses" in self.document:
            told = self.document["addresses"].items()
            return {address: host for host, addresses in told for address in addresses}
        found: dict[str, str] = {}
        for record in self.transmissions:
            for tap, at in record["frames"].items():
                if at is not None and at <= len(self.seen[tap]):
                    found.setdefault(self.seen[tap][at - 1].source, record["dir"][0])
            if len(found) == 2:
                break
        if len(found) == 1:  # data goes one way
            (address, host), other = *found.items(), {"a": "b", "b": "a"}
            sources = {frame.source for frames in self.seen.values() for frame in frames}
            found |= dict.fromkeys(sources - {address}, other[host])
        return found

    @property
    def takes_ns(self) -> int:
        """How long a host may take with a packet and its answer, and its tap to have it again."""
        hosts_ns = 2000 * (int(self.document["scenario"]["host_jitter_us"]) + 1)
        return hosts_ns + self.clock_ns + (_DOUBLED_WITHIN_NS if self.doubles else 0)

    @property
    def _options(self) -> Record:
        return dict(self.document["capture_options"])

    def stack_of(self, host: str) -> str:
        """The stack's name."""
        main = self.document["tap_at"]["sender"]
        own = str(self.document["stack"])
        return own if host == main else str(self.document.get("receiver_stack", own))

    def tap_at(self, host: str) -> str:
        return next(str(tap) for tap, at in self.document["tap_at"].items() if at == host)

    def offset_ns(self, tap: str) -> int:
        return int(self.document["clock_offset_ns"].get(tap, 0))

    def as_written(self, tap: str, time_ns: int) -> int:
        """By the tap's own clock."""
        return (time_ns + self.offset_ns(tap)) // self.clock_ns * self.clock_ns

    def fault(self, tap: str, frame: int | None, what: str) -> Fault:
        return Fault(str(self.document["captures"][tap]), frame, what)

    def taps_of(self, record: Record) -> tuple[str, str]:
        """At the host that sends it, and at the other."""
        sender, receiver = record["dir"][0], record["dir"][2]
        return self.tap_at(sender), self.tap_at(receiver)


def is_below(tsn: int, highest: int | None) -> bool:
    """Whether a FORWARD-TSN up to `highest`, if there is one, skips the TSN."""
    return highest is not None and (highest - tsn) % 2**32 < 2**31
