# SPDX-License-Identifier: BSD-2-Clause
"""How a length of time reads: three digits or so, in the unit that fits it."""


def duration(length_ns: int) -> str:
    """Nanoseconds as `438 µs`, `3.2 ms`, `640 ms` or `1.28 s`; a negative one with its sign."""
    length = abs(length_ns)
    sign = "-" if length_ns < 0 else ""
    if length < 999_500:
        return f"{sign}{round(length / 1e3)} µs"
    if length < 99_950_000:
        return f"{sign}{length / 1e6:.1f} ms"
    if length < 999_500_000:
        return f"{sign}{round(length / 1e6)} ms"
    return f"{sign}{length / 1e9:,.2f} s"
