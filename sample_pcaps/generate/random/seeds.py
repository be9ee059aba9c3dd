# SPDX-License-Identifier: BSD-2-Clause
"""Three ranges of seeds that never mix: what was looked at is no measure any more."""

#: To look at: to find mistakes and to understand them.
LOOK = range(1000)
#: To choose constants and thresholds on.
CHOOSE = range(1000, 2000)
#: To report only: nobody looks at what is said of a run of these, and nothing is chosen on them.
REPORT = range(2000, 3000)

RANGES = {"look": LOOK, "choose": CHOOSE, "report": REPORT}


def range_of(seed: int) -> str | None:
    """The name of the range; None: outside all."""
    return next((name for name, seeds in RANGES.items() if seed in seeds), None)
