# SPDX-License-Identifier: BSD-2-Clause
"""Decides how much of the sender's retransmission queue is needed: RtxQ_Util of the NR-SACK paper.

Section IV.B there: in each interval r is what the queue holds and k what of it is necessary, and
RtxQ_Util is the average of k/r over the time that the queue is not empty. A capture does not show
which gap-acked data the receiver could still drop; here, all of it counts as not necessary, as in
the paper's unordered transfers, so k/r is the lower bound.
"""

from dataclasses import dataclass

from sctp_rack.reference.chunk import GapAcked
from sctp_rack.reference.scoreboard import Scoreboard


@dataclass(frozen=True, slots=True)
class QueueStep:
    """From this time on the queue holds this much, in chunks and in bytes of user data."""

    time_ns: int
    chunks: int
    necessary_chunks: int
    bytes: int
    necessary_bytes: int


class RetransmissionQueue:
    """The queue over time, as steps."""

    def __init__(self) -> None:
        """Start empty."""
        self.steps: list[QueueStep] = []

    def observe(self, board: Scoreboard, now_ns: int) -> None:
        """Add a step if the queue has changed."""
        held = [c for c in board if c.outstanding or isinstance(c.state, GapAcked)]
        needed = [c for c in held if c.outstanding]
        step = QueueStep(
            now_ns,
            len(held),
            len(needed),
            sum(c.size_bytes for c in held),
            sum(c.size_bytes for c in needed),
        )
        if self.steps and self.steps[-1].time_ns == now_ns:
            self.steps.pop()
        self.steps.append(step)

    def utilisation_ppm(self, from_ns: int, to_ns: int, *, in_bytes: bool = False) -> int | None:
        """Return RtxQ_Util between two times in parts per million, None if the queue was empty."""
        efficient_ns = total_ns = 0
        ends = [step.time_ns for step in self.steps[1:]] + [to_ns]
        for step, end_ns in zip(self.steps, ends, strict=True):
            duration_ns = min(end_ns, to_ns) - max(step.time_ns, from_ns)
            r = step.bytes if in_bytes else step.chunks
            k = step.necessary_bytes if in_bytes else step.necessary_chunks
            if duration_ns > 0 and r > 0:
                # NR-SACK §IV.B utilisation: the sum of k/r weighted by time.
                efficient_ns += k * duration_ns // r
                total_ns += duration_ns
        return efficient_ns * 1_000_000 // total_ns if total_ns else None
