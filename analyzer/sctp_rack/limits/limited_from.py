# SPDX-License-Identifier: BSD-2-Clause
"""What shares of time need of a capture and of a direction, whose graphs and reports show them."""

from typing import Protocol

from sctp_rack.columns.table import Table
from sctp_rack.summary.summary import Side, Summary


class LimitedCapture(Protocol):
    """As `sctp_rack.capture.Capture`; to import that would be a circle."""

    summary: Summary

    @property
    def path(self) -> str: ...

    def table(self, name: str) -> Table: ...


class LimitedHalf(Protocol):
    """As `sctp_rack.association.Direction`."""

    sender: Side
    receiver: Side

    def table(self, name: str) -> Table: ...
