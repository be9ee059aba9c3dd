# SPDX-License-Identifier: BSD-2-Clause
"""A small picture of a direction: TSNs over time, what was sent again, what was acknowledged.

It has as many marks as pixels, whatever the number of rows.
"""

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_TIME
from sctp_rack.columns.table import Table
from sctp_rack.names import Kind

_WIDTH, _HEIGHT = 640, 150

Numbers = npt.NDArray[np.integer]


def sketch(transmissions: Table, sacks: Table, lowest_tsn: int) -> str:
    """SVG: a dot for a TSN sent, a line for the cumulative TSN.

    What was sent again is a cross in the colour of its verdict.
    """
    from sctp_rack.plots.style import VERDICTS  # whose package draws directions, which draw this

    times = transmissions["time_ns"]
    if not len(times) or np.ma.is_masked(times):
        return ""
    # Distance from the lowest TSN: serial numbers wrap (RFC 9260 section 1.6).
    height = transmissions["tsn"] - np.uint32(lowest_tsn)
    first, last, top = float(times.min()), float(times.max()), float(max(height.max(), 1))

    def place(time: Numbers, tsn: Numbers) -> list[tuple[int, int]]:
        """Pixels from the left and from the bottom, each once, in the order of time."""
        across = (time - first) / max(last - first, 1) * (_WIDTH - 8)
        up = tsn / top * (_HEIGHT - 8)
        pixels = np.unique(across.astype(np.int64) * _HEIGHT + up.astype(np.int64))
        return [(4 + pixel // _HEIGHT, _HEIGHT - 4 - pixel % _HEIGHT) for pixel in pixels.tolist()]

    again = transmissions["kind"] == Kind.RETRANSMISSION.value
    sent = "".join(f"M{x} {y}h1" for x, y in place(times[~again], height[~again]))
    crosses = {}
    for verdict, (_, colour, _) in VERDICTS.items():
        of_it = transmissions.equal(verdict=verdict.value)
        if of_it.any():
            marks = (
                f"M{x - 3} {y - 3}l6 6m-6 0l6-6" for x, y in place(times[of_it], height[of_it])
            )
            crosses[verdict] = f'<path d="{"".join(marks)}" stroke="{colour}" stroke-width="1.5"/>'
    acked = sacks["cum_tsn"] - np.uint32(lowest_tsn)
    sack_times = np.ma.filled(sacks["time_ns"], NO_TIME)
    seen = (sack_times >= first) & (acked <= top)
    steps = "".join(
        f"H{x}V{y}" if step else f"M{x} {y}"
        for step, (x, y) in enumerate(place(sack_times[seen], acked[seen]))
    )
    span = f"TSN over {(last - first) / 1e9:.3f} s"
    legend = f"{span}; crosses: sent again; line: acknowledged cumulatively"
    keys = "".join(
        f'<tspan dx="8" fill="{VERDICTS[word][1]}">{word.value}</tspan>' for word in crosses
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'style="max-width:100%" fill="none" stroke="currentColor" role="img">'
        f'<text x="4" y="11" font-size="11" fill="currentColor" stroke="none" opacity="0.65">'
        f"{legend}</text>"
        f'<text x="4" y="25" font-size="11" stroke="none">{keys}</text>'
        f'<path d="{steps}" stroke-opacity="0.35"/><path d="{sent}" stroke-width="2"/>'
        f"{''.join(crosses.values())}</svg>"
    )
