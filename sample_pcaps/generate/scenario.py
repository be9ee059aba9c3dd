# SPDX-License-Identifier: BSD-2-Clause
"""A scenario: which stacks, which link, what the applications do, how it is captured."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum

from .encapsulation import Encapsulation
from .link import MS, Path
from .tap import TapOptions
from .workload import Answer, Dialogue, Message, Pause

SECOND = 1000 * MS


class Stack(Enum):
    """The stacks, with the version that runs."""

    USRSCTP = ("usrsctp", "0.9.5.0")
    PION = ("pion", "1.12.1")
    PION_NO_RACK = ("pion", "1.8.41")
    DCSCTP = ("dcsctp", "0.1.16")
    LINUX = ("linux", "6.1.192")
    AIORTC = ("aiortc", "1.16.0")
    SCTP_PROTO = ("sctp-proto", "0.10.8")
    WEBRTC_RS = ("webrtc-rs", "0.17.2")
    NPM_SCTP = ("npm-sctp", "1.0.0")
    WERIFT = ("werift", "0.0.11")


@dataclass(frozen=True)
class Scenario:
    """Everything that a run depends on."""

    name: str
    about: str
    stack: Stack
    seed: int
    messages: tuple[Message, ...]
    forth: Path = field(default_factory=Path)  #: from a to b
    back: Path = field(default_factory=Path)  #: from b to a
    second: tuple[Path, Path] | None = None  #: between second addresses; usrsctp, Linux
    peer_stack: Stack | None = None  #: of the other host, where it is another one
    main: str = "a"  #: the host of the main data flow, which has `stack`
    answer: Answer | None = None
    dialogue: Dialogue | None = None
    pauses: tuple[Pause, ...] = ()
    mtu: int = 600  #: of an SCTP packet
    rcvbuf: int = 0  #: of both; 0: the stack's choice
    sndbuf: int = 0  #: of both; 0: room for all messages; dcSCTP: of what is not sent; not pion
    undelivered: int = 0  #: an application stops writing above so many bytes; pion, dcSCTP
    undelivered_low: int = 0  #: and goes on where no more than that are left
    max_burst: int = 0  #: packets that leave at once; 0: the stack's choice; not pion
    strict_burst: bool = False  #: it leaves the congestion window as it is; usrsctp
    drops: bool = False  #: a receiver promises what it has delivered alone; usrsctp
    streams: int = 4
    rto_min_ms: int = 0  #: RTO.Min of both; 0: the stack's choice; not pion
    rto_initial_ms: int = 0  #: the same of RTO.Initial; usrsctp, Linux
    rto_max_ms: int = 0  #: and of RTO.Max; usrsctp, Linux
    sack_delay_ms: int = 0  #: how long both wait with a SACK; 0: the stack's choice; usrsctp
    sack_every: int = 0  #: after so many packets it comes at once; 0: the stack's choice; usrsctp
    nagle: bool = False  #: small messages wait for each other; usrsctp, Linux
    sysctls: tuple[tuple[str, int], ...] = ()  #: of net.sctp, both hosts; Linux
    nr_sack: bool = False
    interleaving: bool = False  #: both list I-DATA, and send it
    pion_interleaving: bool = False  #: pion lists I-DATA, the other does not
    cmt: bool = False  #: new data on both paths at once (CMT), with DAC; usrsctp
    initial_tsn: int = 0  #: of the main data flow; 0: any
    middle: float = 0.5  #: place of the tap on the way, from a to b
    host_jitter_ns: int = 0  #: a host takes up to this to react
    encapsulation: Encapsulation = Encapsulation.IP
    pcapng: bool = False
    ip_id_zero: bool = False
    ip_id_random: bool = False
    other_flows: float = 0.0  #: packets of a host's other flows, which it counts, too, for each
    hops: tuple[int, int] = (3, 3)  #: from the tap at a to the middle, from there to b
    hop_limits: tuple[int, int] = (64, 64)
    tap: TapOptions = field(default_factory=TapOptions)
    clock_offset_ns: Mapping[str, int] = field(default_factory=dict)  #: by tap
    patience_ns: int = 20 * SECOND  #: for what is never delivered
    cut_off_ns: int = 0  #: when the run ends, whatever is under way; 0: after the shutdown

    @property
    def ways(self) -> dict[str, tuple[Path, ...]]:
        """The paths away from each host, by the address of the other that they lead to."""
        paths = [(self.forth, self.back), *([self.second] if self.second else [])]
        return {"a": tuple(forth for forth, _ in paths), "b": tuple(back for _, back in paths)}

    def stack_of(self, side: str) -> Stack:
        """The stack of a host."""
        return self.stack if side == self.main else self.peer_stack or self.stack

    def lists_i_data(self, side: str) -> bool:
        """Whether a host says that it knows I-DATA (RFC 8260 section 2.2.1)."""
        return self.interleaving or (self.pion_interleaving and self.stack_of(side) is Stack.PION)

    @property
    def ip_ids_count(self) -> bool:
        """Whether the IP-IDs of a host tell in which order its packets left, and of a gap."""
        zero = self.ip_id_zero or self.encapsulation is Encapsulation.IP6
        return not (zero or self.ip_id_random)

    def in_short(self) -> dict[str, object]:
        """The parameters for a truth file: where the defaults do not hold."""
        named = (
            "mtu",
            "rcvbuf",
            "sndbuf",
            "undelivered",
            "undelivered_low",
            "max_burst",
            "strict_burst",
            "drops",
            "streams",
            "rto_min_ms",
            "rto_initial_ms",
            "rto_max_ms",
            "sack_delay_ms",
            "sack_every",
            "nagle",
            "sysctls",
            "nr_sack",
            "interleaving",
            "pion_interleaving",
            "cmt",
            "initial_tsn",
            "answer",
            "pauses",
            "other_flows",
            "hops",
            "cut_off_ns",
        )
        plain = {field.name: field.default for field in fields(self)}
        short = {name: getattr(self, name) for name in named if getattr(self, name) != plain[name]}
        return {
            "messages": len(self.messages),
            "forth": _differences(self.forth),
            "back": _differences(self.back),
            **({"second": [_differences(path) for path in self.second]} if self.second else {}),
            **{
                name: value if isinstance(value, int) else str(value)
                for name, value in short.items()
            },
            "mid": self.middle,
            "host_jitter_us": self.host_jitter_ns // 1000,
        }


def _differences(path: Path) -> dict[str, object]:
    changed = {
        part.name: getattr(path, part.name)
        for part in fields(path)
        if getattr(path, part.name) != part.default
    }
    return {
        name: value if isinstance(value, int | float) else str(value)
        for name, value in changed.items()
    }
