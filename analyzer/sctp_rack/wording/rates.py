# SPDX-License-Identifier: BSD-2-Clause
"""How rates, shares and differences read."""


def rate(bits_per_second: float) -> str:
    """Bits per second as `812 bit/s`, `64.2 kbit/s`, `3.07 Mbit/s` or `1.20 Gbit/s`."""
    for unit, size in (("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3)):
        if bits_per_second >= 0.9995 * size:
            value = bits_per_second / size
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"
    return f"{bits_per_second:.0f} bit/s"


def percent(share: float) -> str:
    """A share of one as `4.1 %`."""
    return f"{100 * share:.1f} %"


def signed_percent(change: float) -> str:
    """A relative change as `+34.9 %`, `−27 %` or `±0 %`; at least ten times as much as a factor."""
    if change >= 9:
        return f"× {change + 1:.0f}"
    text = f"{100 * abs(change):.1f}"
    return "±0 %" if text == "0.0" else f"{'−' if change < 0 else '+'}{text} %"


def signed_count(change: int) -> str:
    """A difference as `+3`, `−12` or `±0`."""
    return f"{'−' if change < 0 else '+'}{abs(change):,}" if change else "±0"


def signed_points(change: float) -> str:
    """A difference of shares as `+3.1 points`."""
    text = f"{100 * abs(change):.1f}"
    return "±0" if text == "0.0" else f"{'−' if change < 0 else '+'}{text} points"
