# SPDX-License-Identifier: BSD-2-Clause
"""What a finding is: how bad, of which kind, where to look, and one sentence."""

from dataclasses import dataclass

from sctp_rack.names import Severity

#: Most frames that a finding names.
MOST_FRAMES = 8


@dataclass(frozen=True, slots=True)
class CaptureFinding:
    """One finding: `text` is a sentence a person can act on, `frames` where to look first."""

    severity: str
    code: str
    frames: list[int]
    text: str
    #: Association and direction of the data that it is about; None for the whole capture.
    assoc: int | None = None
    dir: str | None = None

    def at_least(self, severity: Severity) -> bool:
        """Whether it is of this severity or a worse one."""
        order = list(Severity)
        return order.index(Severity(self.severity)) >= order.index(severity)
