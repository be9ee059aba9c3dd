# SPDX-License-Identifier: BSD-2-Clause
"""What is still wrong, as a list: where, what is true, what was said, and what is known of why."""

from collections import defaultdict
from collections.abc import Iterable

from bench.accuracy.tally import Mistake

#: Frames that are listed of mistakes that are alike.
_FRAMES = 8
_ORDER = ("row", "kind", "verdict", "outcome", "probe", "cause", "mark")


def mistakes_table(mistakes: Iterable[Mistake]) -> str:
    """Those of a capture that are alike share a line."""
    alike: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for one in mistakes:
        key = (one.what, one.capture, one.true, one.said, one.reason)
        alike[key].append(one.frame)
    if not alike:
        return "Nothing.\n"
    ordered = sorted(alike.items(), key=lambda item: (_ORDER.index(item[0][0]), item[0][1:]))
    lines = ["| what | capture | is | said | known of it | frames |", "|---|---|---|---|---|---|"]
    for (what, capture, true, said, reason), frames in ordered:
        lines.append(f"| {what} | {capture} | {true} | {said} | {reason} | {_listed(frames)} |")
    return "\n".join(lines) + "\n"


def _listed(frames: list[int]) -> str:
    shown = ", ".join(map(str, frames[:_FRAMES]))
    return f"{shown} and {len(frames) - _FRAMES} more" if len(frames) > _FRAMES else shown
