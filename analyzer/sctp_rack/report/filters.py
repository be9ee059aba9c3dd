# SPDX-License-Identifier: BSD-2-Clause
"""Display filters that show in Wireshark what a page speaks of."""

from collections.abc import Sequence


def frames_filter(frames: Sequence[int]) -> str:
    """These frames: `frame.number == 7`, or `frame.number in {7, 9}`."""
    if len(frames) == 1:
        return f"frame.number == {frames[0]}"
    return f"frame.number in {{{', '.join(map(str, frames))}}}"
