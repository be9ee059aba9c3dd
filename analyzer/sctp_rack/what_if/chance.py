# SPDX-License-Identifier: BSD-2-Clause
"""How far the average of another run may be off by chance, from how far recoveries are apart.

Once two runs over a path differ in one packet, losses and timers meet other packets in them. What
the queue holds from the begin of one recovery to that of the next is a cycle; the average over a
time is a ratio of two sums over its cycles. How far such a ratio is off follows from how far each
cycle is from it: the regenerative method (Crane and Lemoine, *An Introduction to the Regenerative
Method for Simulation Analysis*, 1977, chapter 2). Only that a cycle does not begin anew: a loss
halves the window (RFC 9260 section 7.2.3), so that half of what chance did to one cycle is in the
next.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack.what_if.student import student

#: Two runs are compared, and chance is in both: variances add.
_RUNS = 2

#: Of what chance did to a cycle so much is in the next one, of that again in the one behind it: a
#: sum of such (autoregressive, of order 1) has (1 + a) / (1 - a) times the variance.
_CARRIED = 0.5
_VARIANCE = (1 + _CARRIED) / (1 - _CARRIED)


@dataclass(frozen=True)
class Chance:
    """What is known of chance; None: too few cycles tell of it."""

    cycles: int
    #: By which the averages of two runs may be apart, for 95 % of such runs.
    apart: float | None


def chance(
    values: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64],
    begins: npt.NDArray[np.bool_],
) -> Chance:
    """Of the average of values that last so long each; `begins`: a recovery begins with it."""
    cycle = np.cumsum(begins)
    lasts = np.bincount(cycle, weights)
    sums = np.bincount(cycle, weights * values)[lasts > 0]
    lasts = lasts[lasts > 0]
    count, whole = len(lasts), lasts.sum()
    # Cycles are nearer to their own average than to that of all such runs: by as much as it is off.
    free = count - _VARIANCE
    if free <= 0:
        return Chance(count, None)
    off = sums - sums.sum() / whole * lasts
    error = np.sqrt((off**2).sum() * count / free) / whole
    return Chance(count, float(student(count) * np.sqrt(_RUNS * _VARIANCE) * error))
