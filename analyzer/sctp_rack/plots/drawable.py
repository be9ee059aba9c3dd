# SPDX-License-Identifier: BSD-2-Clause
"""What graphs need of a direction, which draws itself."""

from typing import Protocol

from sctp_rack.columns.table import Table
from sctp_rack.summary.summary import Data, Side


class Drawable(Protocol):
    """As `sctp_rack.association.Direction`, which knows graphs; the other way would be a circle."""

    assoc: int
    name: str
    capture: str
    sender: Side
    receiver: Side
    begins_ns: int | None

    @property
    def reverse(self) -> "Drawable": ...

    @property
    def data(self) -> Data | None: ...

    @property
    def retransmissions(self) -> int: ...

    @property
    def transmissions(self) -> Table: ...

    @property
    def sacks(self) -> Table: ...

    @property
    def rack_tlp(self) -> Table: ...

    def table(self, name: str) -> Table: ...
