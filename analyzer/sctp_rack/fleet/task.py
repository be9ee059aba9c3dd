# SPDX-License-Identifier: BSD-2-Clause
"""What one process does at a time: it reads some captures, or shares one with other processes."""

from dataclasses import dataclass

from sctp_rack.fleet.dataset import Dataset
from sctp_rack.fleet.found import Found
from sctp_rack.fleet.one import Reading, read_some
from sctp_rack.fleet.rows import CaptureRow
from sctp_rack.fleet.shared import Shared, read_share


@dataclass(frozen=True)
class Task:
    """Captures; of a capture that is shared, which share of how many."""

    captures: list[Found]
    share: tuple[int, int] | None = None

    def carry_out(self, dataset: Dataset, reading: Reading) -> list[CaptureRow] | Shared:
        """What `captures` gets, or what is to be put together before. Raises as `read_some`."""
        if self.share is not None:
            return read_share(dataset, self.captures[0], reading, self.share)
        return list(read_some(dataset, self.captures, reading))
