# SPDX-License-Identifier: BSD-2-Clause
"""What a finding is, and how its sentence names things."""

from dataclasses import dataclass

from sctp_rack.names import Severity
from sctp_rack.summary import Association, Side

#: Most frames that a finding names.
MOST_FRAMES = 8


@dataclass(frozen=True)
class CaptureFinding:
    """One finding: `text` is a sentence a person can act on, `frames` where to look first."""

    severity: str
    code: str
    frames: list[int]
    text: str

    def at_least(self, severity: Severity) -> bool:
        """Whether it is of this severity or a worse one."""
        order = list(Severity)
        return order.index(Severity(self.severity)) >= order.index(severity)


def ends_text(association: Association) -> str:
    """`number: address:port - address:port`, a first."""
    a, b = association.a, association.b
    return f"{association.assoc}: {_end(a, 'a')} - {_end(b, 'b')}"


def _end(side: Side, name: str) -> str:
    more = f" (+{len(side.addresses) - 1})" if len(side.addresses) > 1 else ""
    return f"{side.addresses[0] if side.addresses else name}:{side.port}{more}"
