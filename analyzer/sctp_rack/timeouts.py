# SPDX-License-Identifier: BSD-2-Clause
"""Which retransmissions one T3-rtx timeout made: its first packet and what it marked for later."""

from collections.abc import Iterable
from dataclasses import dataclass

from sctp_rack.light_rows import AnyRow
from sctp_rack.names import Cause, Verdict


@dataclass(frozen=True)
class Timeout:
    """One expiry of T3-rtx (RFC 9260 section 6.3.3) and the retransmissions that it made."""

    assoc: int
    dir: str
    #: Of the first retransmission, and its time in nanoseconds.
    frame: int
    time_ns: int
    #: `t3`, then `t3_gbn` until the next timeout, in the order of the capture.
    rows: list[AnyRow]

    @property
    def needless(self) -> list[AnyRow]:
        """Those whose TSN had been accepted before."""
        return [row for row in self.rows if row["verdict"] == Verdict.SPURIOUS]


def timeouts(retransmissions: Iterable[AnyRow]) -> list[Timeout]:
    """The timeouts among retransmissions that are in the order of the capture.

    Chunks in the packet of the first are of the same timeout, as is what was marked by it and sent
    later. Where that comes first, its timeout was before the capture or is not recognised.
    """
    found: list[Timeout] = []
    current: dict[tuple[int, str], Timeout] = {}
    for row in retransmissions:
        if row["cause"] not in (Cause.T3, Cause.T3_GBN):
            continue
        place = row["assoc"], row["dir"]
        timeout = current.get(place)
        begins = row["cause"] == Cause.T3 and (timeout is None or timeout.frame != row["frame"])
        if timeout is None or begins:
            timeout = Timeout(row["assoc"], row["dir"], row["frame"], row["time_ns"], [])
            current[place] = timeout
            found.append(timeout)
        timeout.rows.append(row)
    return found
