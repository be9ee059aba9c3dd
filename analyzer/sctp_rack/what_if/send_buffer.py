# SPDX-License-Identifier: BSD-2-Clause
"""Whether the queue of a sender looks as if its send buffer were full: send buffer blocking of the
NR-SACK paper, section II.B.

A full buffer shows as the same largest size again and again, while part of what is kept has
arrived: what is outstanding leaves room in the network, and nothing new is sent. A size that was
reached less than three times may be chance; one that pauses of the application, the congestion
window or the peer's window make is not told apart where it is as regular.
"""

from dataclasses import dataclass

from sctp_rack.what_if.queue import Step

#: So often the same size has to be reached.
_TIMES = 3


@dataclass(frozen=True)
class FullBuffer:
    """Size of the queue that looks like that of the send buffer. Bytes of user data."""

    bytes: int
    #: How often it was reached, and how long it stayed so while part of it had arrived.
    times: int
    time_ns: int


class FullBufferWatch:
    """Told the steps of a queue, in order."""

    def __init__(self, chunk_bytes: int) -> None:
        """`chunk_bytes`: the largest chunk, for which there has to be room."""
        self._chunk_bytes = chunk_bytes
        self._largest = 0
        self._times = self._time_ns = 0
        self._reached = False

    def add(self, step: Step) -> None:
        """The next one."""
        if step.kept > self._largest:
            if step.kept >= self._largest + self._chunk_bytes:
                self._times = self._time_ns = 0
                self._reached = False
            self._largest = step.kept
        if step.kept + self._chunk_bytes <= self._largest:
            self._reached = False
        elif step.outstanding < step.kept:
            self._times += not self._reached
            self._time_ns += step.end_ns - step.begin_ns
            self._reached = True

    def found(self) -> FullBuffer | None:
        """None where nothing looks like it."""
        if self._times < _TIMES:
            return None
        return FullBuffer(self._largest, self._times, self._time_ns)
