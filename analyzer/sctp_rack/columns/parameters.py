# SPDX-License-Identifier: BSD-2-Clause
"""How the columns of `paths` that estimate the parameters of its hosts are read."""

from sctp_rack.binding.rows import NO_TIME
from sctp_rack.columns.fields import Reader, null_at, number, share

#: Of a path: between which values parameters of its hosts lie, and how many observations say so.
PARAMETERS: dict[str, Reader] = {
    **{
        f"{name}_{end}_ns": null_at(NO_TIME)
        for name in ("rto_initial", "rto_min", "rto_max", "sack_delay")
        for end in ("lo", "hi")
    },
    **{
        f"{name}_{end}": null_at(0)
        for name in ("sack_frequency", "missing_reports")
        for end in ("lo", "hi")
    },
    "rto_backoff_lo": share,
    "rto_backoff_hi": share,
    **{
        f"{name}_count": number
        for name in (
            "rto_initial",
            "rto_min",
            "rto_max",
            "rto_backoff",
            "sack_delay",
            "sack_frequency",
            "missing_reports",
        )
    },
}
