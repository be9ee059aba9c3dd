# SPDX-License-Identifier: BSD-2-Clause
"""How long a transfer takes that waits for its windows alone, as the core counts it."""

from dataclasses import dataclass

from sctp_rack._core import ffi, lib
from sctp_rack.names import Profile

#: Whose congestion window a sender has that looks like that; any other has the one of RFC 9260.
_RULES = {
    Profile.USRSCTP: lib.SR_CWND_USRSCTP,
    Profile.PION: lib.SR_CWND_PION,
    Profile.DCSCTP: lib.SR_CWND_DCSCTP,
    Profile.LINUX: lib.SR_CWND_LINUX,
}


@dataclass(frozen=True)
class Transfer:
    """Packets alike of a sender that has all of them at the beginning, and none is lost.

    `packets`, `bytes` of user data and `chunks` are those of all of it; `mtu` is SCTP's part of the
    path's; 0: as large as the packets. The receiver answers each `sack_every` of them, and fewer
    after `sack_delay_ns`.
    """

    profile: str | None
    packets: int
    bytes: int
    chunks: int
    #: a_rwnd with nothing to be read; with packets that just came it is `unread` less.
    peer_window: int
    round_trip_ns: int
    unread: int = 0
    mtu: int = 0
    #: User data that may be outstanding; 0: any.
    send_buffer: int = 0
    #: RFC 9260 section 6.2: every second packet, and within 200 ms.
    sack_every: int = 2
    sack_delay_ns: int = 200_000_000
    #: Whether the first packet is answered at once.
    first_alone: bool = False
    #: The path takes a packet in so long.
    apart_ns: int = 0
    #: Of the clock of usrsctp for timers: a tick was so long before the first packet.
    phase_ns: int = 0

    @property
    def packet_bytes(self) -> float:
        """User data of each."""
        return self.bytes / self.packets

    def lasts_ns(self) -> int | None:
        """From the first packet to the last; None where not a single one fits the windows."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        rules = _RULES.get(told.pop("profile"), lib.SR_CWND_RFC9260)
        lasts = lib.sr_imagined_ns(ffi.new("struct sr_imagined *", {**told, "rules": rules}))
        return int(lasts) if lasts >= 0 else None
