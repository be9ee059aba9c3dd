# SPDX-License-Identifier: BSD-2-Clause
"""SCTP loss recovery from packet captures.

>>> import sctp_rack
>>> capture = sctp_rack.read()
>>> capture.associations[0].a2b
<Direction a2b of association 0: 390 DATA chunks, 30 retransmissions, 360 of 360 TSNs acknowledged>

docs/python-api.md of the project shows what there is, docs/tables.md every column and word.
"""

from typing import TYPE_CHECKING

__all__ = [
    "Association",
    "Capture",
    "CaptureError",
    "CaptureRow",
    "Captures",
    "Comparison",
    "Direction",
    "InputError",
    "MissingExtraError",
    "SctpRackError",
    "Table",
    "compare",
    "read",
    "read_many",
]

if TYPE_CHECKING:
    from sctp_rack.association import Association, Direction
    from sctp_rack.capture import Capture, read
    from sctp_rack.columns.table import Table
    from sctp_rack.comparison.compare import compare
    from sctp_rack.comparison.comparison import Comparison
    from sctp_rack.errors import CaptureError, InputError, MissingExtraError, SctpRackError
    from sctp_rack.many.figures import CaptureRow
    from sctp_rack.many.read import Captures, read_many

    __version__: str
else:
    #: Where each is, which is imported when it is asked for: the command takes signals before.
    _PLACES = {
        "sctp_rack.association": ("Association", "Direction"),
        "sctp_rack.capture": ("Capture", "read"),
        "sctp_rack.comparison.compare": ("compare",),
        "sctp_rack.comparison.comparison": ("Comparison",),
        "sctp_rack.errors": ("CaptureError", "InputError", "MissingExtraError", "SctpRackError"),
        "sctp_rack.many.figures": ("CaptureRow",),
        "sctp_rack.many.read": ("Captures", "read_many"),
        "sctp_rack.columns.table": ("Table",),
    }

    def __getattr__(name: str) -> object:
        """Also the version, which takes longer to find than all else here to import."""
        if name == "__version__":
            from importlib.metadata import version

            return version("sctp-rack")
        for module, names in _PLACES.items():
            if name in names:
                from importlib import import_module

                return globals().setdefault(name, getattr(import_module(module), name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
