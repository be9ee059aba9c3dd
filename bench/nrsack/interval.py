# SPDX-License-Identifier: BSD-2-Clause
"""Means with 95 % confidence intervals (Student), and averages over time."""

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import mean, stdev

from sctp_rack.what_if.student import student


def half_width(values: Sequence[float]) -> float:
    """Of the 95 % confidence interval of the mean; 0 of one value, which tells of none."""
    if len(values) < 2:
        return 0.0
    return student(len(values)) * stdev(values) / sqrt(len(values))


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
