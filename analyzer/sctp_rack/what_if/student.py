# SPDX-License-Identifier: BSD-2-Clause
"""How far a mean of few values may be off: quantile 0.975 of Student's t, for 95 % both ways."""

#: By degrees of freedom, from 1 on.
_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045),
)


def student(values: int) -> float:
    """Of so many values, two at least; of more than 30 that of 30, which is a little too much."""
    return _T[min(values - 1, len(_T)) - 1]
