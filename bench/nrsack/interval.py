# SPDX-License-Identifier: BSD-2-Clause
"""Means with 95 % confidence intervals (Student), and averages over time."""

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import mean, stdev

#: Quantile 0.975 of Student's t by degrees of freedom, up to those of 30 runs.
_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045),
)


def half_width(values: Sequence[float]) -> float:
    """Of the 95 % confidence interval of the mean; 0 of one value, which tells of none."""
    if len(values) < 2:
        return 0.0
    return _T[min(len(values) - 1, len(_T)) - 1] * stdev(values) / sqrt(len(values))


def mean_and_half_width(values: Sequence[float]) -> tuple[float, float]:
    """Both."""
    return mean(values), half_width(values)


def time_average(steps: Iterable[tuple[int, float]], begin_ns: int, end_ns: int) -> float:
    """Of what has each value from its time until the next one, 0 before the first."""
    whole, value, since = 0.0, 0.0, begin_ns
    for time_ns, following in steps:
        at = min(max(time_ns, begin_ns), end_ns)
        whole += value * (at - since)
        value, since = following, at
    return (whole + value * (end_ns - since)) / (end_ns - begin_ns)
