# SPDX-License-Identifier: BSD-2-Clause
"""How lengths of time read."""

import pytest
from sctp_rack.wording.durations import duration


@pytest.mark.parametrize(
    ("length_ns", "text"),
    [
        (0, "0 µs"),
        (438_000, "438 µs"),
        (999_499, "999 µs"),
        (999_500, "1.0 ms"),
        (3_240_000, "3.2 ms"),
        (99_949_999, "99.9 ms"),
        (99_950_000, "100 ms"),
        (640_000_000, "640 ms"),
        (1_280_000_000, "1.28 s"),
        (3_600_000_000_000, "3,600.00 s"),
        (-3_240_000, "-3.2 ms"),
    ],
)
def test_a_length_has_the_unit_that_fits_it(length_ns: int, text: str) -> None:
    assert duration(length_ns) == text
