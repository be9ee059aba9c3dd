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
    """Told the steps of a queue, in order, and how much of each is of the time that is told of."""

    def __init__(self, chunk_bytes: int) -> None:
        """`chunk_bytes`: the largest chunk, for which there has to be room."""
        self._chunk_bytes = chunk_bytes
        self._largest = 0
        self._times = self._told_times = self._told_ns = 0
        self._reached = False

    def add(self, step: Step, told_ns: int | None = None) -> None:
        """The next one; None: it is told as a whole."""
        lasts_ns = step.end_ns - step.begin_ns
        told_ns = lasts_ns if told_ns is None else told_ns
        if step.kept > self._largest:
            if step.kept >= self._largest + self._chunk_bytes:
                self._times = self._told_times = self._told_ns = 0
                self._reached = False
            self._largest = step.kept
        if step.kept + self._chunk_bytes <= self._largest:
            self._reached = False
        elif step.outstanding < step.kept:
            self._times += not self._reached
            self._told_times += not self._reached and told_ns > 0
            self._told_ns += told_ns
            self._reached = True

    def found(self) -> FullBuffer | None:
        """None where nothing looks like it, or did then."""
        if self._times < _TIMES or not self._told_ns:
            return None
        return FullBuffer(self._largest, self._told_times, self._told_ns)
