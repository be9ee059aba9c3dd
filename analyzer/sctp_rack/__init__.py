# SPDX-License-Identifier: BSD-2-Clause
"""SCTP loss recovery from packet captures.

>>> import sctp_rack
>>> capture = sctp_rack.read()
>>> capture.associations[0].a2b
<Direction a2b of association 0: 390 DATA chunks, 30 retransmissions, 360 of 360 TSNs acknowledged>

docs/python-api.md of the project shows what there is, docs/tables.md every column and word.
"""

from typing import TYPE_CHECKING

from sctp_rack.association import Association, Direction
from sctp_rack.capture import Capture, read
from sctp_rack.comparison.compare import Comparison, compare
from sctp_rack.errors import CaptureError, InputError, MissingExtraError, SctpRackError
from sctp_rack.table import Table

__all__ = [
    "Association",
    "Capture",
    "CaptureError",
    "Comparison",
    "Direction",
    "InputError",
    "MissingExtraError",
    "SctpRackError",
    "Table",
    "compare",
    "read",
]

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """The version, which takes longer to find than all else here to import."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import version

        return version("sctp-rack")
