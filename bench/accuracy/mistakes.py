# SPDX-License-Identifier: BSD-2-Clause
"""What is still wrong, as a list: where, what is true, what was said, and what is known of why."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from sctp_rack.story.evidence import of_cause, of_verdict

from bench.accuracy.table import table
from bench.accuracy.tally import Mistake

#: Frames that are listed of mistakes that are alike.
_FRAMES = 8
_ORDER = ("row", "kind", "verdict", "outcome", "probe", "cause", "mark")
_UNSEEN = "not seen here"


def mistakes_table(mistakes: Iterable[Mistake]) -> str:
    """Those of a capture that are alike share a line."""
    alike: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for one in mistakes:
        key = (one.what, one.capture, one.true, one.said, _known_of(one))
        alike[key].append(one.frame)
    if not alike:
        return "Nothing.\n"
    ordered = sorted(alike.items(), key=lambda item: (_ORDER.index(item[0][0]), item[0][1:]))
    lines = ["| what | capture | is | said | known of it | frames |", "|---|---|---|---|---|---|"]
    for (what, capture, true, said, reason), frames in ordered:
        lines.append(f"| {what} | {capture} | {true} | {said} | {reason} | {_listed(frames)} |")
    return "\n".join(lines) + "\n"


def mechanisms_table(mistakes: Iterable[Mistake], most: int) -> str:
    """The most frequent ways to be wrong, in all captures together, each with its first example."""
    counts: Counter[tuple[str, str, str, str, str]] = Counter()
    examples: dict[tuple[str, str, str, str, str], Mistake] = {}
    for one in mistakes:
        key = (one.what, one.true, one.said, _evidence(one), _circumstance(one))
        counts[key] += 1
        examples.setdefault(key, one)
    if not counts:
        return "Nothing.\n"
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        (f"{count:,}", *key, f"`{examples[key].capture}` {examples[key].frame}")
        for key, count in ordered[:most]
    ]
    head = ("how often", "what", "is", "said", "evidence", "known of it", "example, frame")
    left = sum(count for _, count in ordered[most:])
    more = f"\n{left:,} more, in {len(ordered) - most:,} rarer ways.\n" if left else ""
    return table(head, rows) + more


def _known_of(one: Mistake) -> str:
    codes = " ".join(of_verdict(one.evidence)) if one.what == "verdict" else ""
    return f"{one.reason}; evidence {codes}" if codes else one.reason


def _evidence(one: Mistake) -> str:
    """The codes that this claim rests on (docs/verdicts.md)."""
    codes = of_cause(one.evidence) if one.what in ("cause", "probe") else of_verdict(one.evidence)
    return " ".join(codes) if one.what != "outcome" else ""


def _circumstance(one: Mistake) -> str:
    """In as few words as there are ways: not which copies, but whether one of them is not seen."""
    if one.what not in ("kind", "verdict"):
        return one.reason
    return f"an earlier copy {_UNSEEN}" if _UNSEEN in one.reason else ""


def _listed(frames: list[int]) -> str:
    shown = ", ".join(map(str, frames[:_FRAMES]))
    return f"{shown} and {len(frames) - _FRAMES} more" if len(frames) > _FRAMES else shown
