# SPDX-License-Identifier: BSD-2-Clause
"""Three ranges of seeds that never mix: what was looked at is no measure any more."""

#: To look at: to find mistakes and to understand them.
LOOK = range(1000)
#: To choose constants and thresholds on.
CHOOSE = range(1000, 2000)
#: To report only: nobody looks at what is said of a run of these, and nothing is chosen on them.
REPORT = range(2000, 3000)

RANGES = {"look": LOOK, "choose": CHOOSE, "report": REPORT}


#: Of each range the last hundred: one host has a stack that has no profile, the sender of the main
#: data flow in the first half, the receiver in the second.
UNFAMILIAR = 900


def sends_unfamiliar(seed: int) -> bool | None:
    """Whether the unfamiliar stack sends; None where there is none."""
    first = seed % 1000 - UNFAMILIAR
    return None if first < 0 else first < 50


def range_of(seed: int) -> str | None:
    """The name of the range; None: outside all."""
    return next((name for name, seeds in RANGES.items() if seed in seeds), None)
