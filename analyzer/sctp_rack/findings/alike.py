# SPDX-License-Identifier: BSD-2-Clause
"""Which findings are shown as one: a line that is there a thousand times hides all others."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.wording.counted import many

#: Findings of one kind that are shown one by one.
MOST_ALIKE = 8


def gathered(findings: Sequence[CaptureFinding]) -> list[CaptureFinding]:
    """In their order; of more than `MOST_ALIKE` of one kind the first, with how many there are."""
    kinds: defaultdict[tuple[str, str], list[CaptureFinding]] = defaultdict(list)
    for finding in findings:
        kinds[finding.severity, finding.code].append(finding)
    shown: list[CaptureFinding] = []
    for alike in kinds.values():
        shown += [_one(alike)] if len(alike) > MOST_ALIKE else alike
    return shown


def _one(alike: Sequence[CaptureFinding]) -> CaptureFinding:
    first = alike[0]
    looked_at = [finding.frames[0] for finding in alike if finding.frames]
    others = many(len(alike) - 1, "other finding")
    text = f"{first.text} And {others} of this kind; `analyze --json` has each."
    return replace(first, text=text, frames=looked_at[:MOST_FRAMES], assoc=None, dir=None)
