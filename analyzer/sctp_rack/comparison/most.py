# SPDX-License-Identifier: BSD-2-Clause
"""How much a figure changed, so that figures of different kinds can be put in one order."""

from math import log

#: What is at least so many times as much, or as little, is simply very different.
_MOST = log(10)

#: Changes of speed and latency below this are not worth a word.
NOTABLE = 0.02


def changed(before: float | None, after: float | None, least: float = 0) -> float:
    """By what factor, as a logarithm without sign; `least` is what is as good as nothing.

    Of counts `least` is one, so that 0 and 1 differ as 1 and 3 do; rates and times have none.
    """
    if before is None or after is None or before == after:
        return 0.0
    low, high = sorted((before + least, after + least))
    return min(log(high / low), _MOST) if low > 0 else _MOST
