# SPDX-License-Identifier: BSD-2-Clause
"""What a story needs of a capture, which tells stories itself."""

from collections.abc import Sequence
from typing import Protocol

from sctp_rack.association import Association
from sctp_rack.columns.table import Table
from sctp_rack.summary.summary import Summary


class ToldFrom(Protocol):
    """As `sctp_rack.capture.Capture`, which knows this module; the other way would be a circle."""

    summary: Summary

    @property
    def path(self) -> str: ...

    @property
    def associations(self) -> Sequence[Association]: ...

    @property
    def transmissions(self) -> Table: ...
