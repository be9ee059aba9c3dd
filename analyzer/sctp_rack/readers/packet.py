# SPDX-License-Identifier: BSD-2-Clause
"""The one input shape in Python: frames with the SCTP packets that they hold."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Protocol, runtime_checkable

from sctp_rack.names import Encapsulation, Skip

#: Time of a frame that has none: the core's SR_NO_TIME.
NO_TIME = -(1 << 63)

#: Address of an end below which there is no IP header.
NO_ADDRESS = bytes(17)


def address(ip: IPv4Address | IPv6Address) -> bytes:
    """As the core has it: 16 bytes in network order, an IPv4 address in the first four; family."""
    return ip.packed.ljust(16, b"\0") + bytes([ip.version])


def saturated(time_ns: int) -> int:
    """The time, at an end of the range of int64 where it lies beyond."""
    return max(min(time_ns, -NO_TIME - 1), NO_TIME + 1)


@dataclass(frozen=True, slots=True)
class Packet:
    """One SCTP packet from its common header on; `wire` is how many bytes it had on the wire.

    `src` and `dst` are 17 bytes as `address` makes them. With family 0 the 16 bytes before it are
    nobody's address and only tell the ends apart.
    """

    src: bytes
    dst: bytes
    data: bytes
    wire: int
    encapsulation: Encapsulation
    #: By its sender: lowest 16 bits of a DTLS record's number, else identification of the IPv4
    #: header; 0 without.
    id: int = 0
    #: Of the IPv6 header, TTL of the IPv4 header; 0 without.
    hop_limit: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame, numbered from 1, its time in ns since the Unix epoch (or `NO_TIME`) and packets.

    `skip` says why there is no packet where there is none.
    """

    number: int
    time_ns: int
    packets: Sequence[Packet]
    interface: int = 0
    skip: Skip | None = None


@runtime_checkable
class PacketSource(Protocol):
    """Where frames come from."""

    @property
    def format(self) -> str:
        """What it reads, in a word or two."""

    def frames(self) -> Generator[Frame, None, None]:
        """Each frame once, in order; closing the iterator ends whatever it has started.

        Raises `CaptureError` where the input stops making sense, `CutCaptureError` where it only
        ends early.
        """
