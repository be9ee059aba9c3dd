# SPDX-License-Identifier: BSD-2-Clause
"""What a capture is worth: everything that is looked at before its verdicts are trusted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sctp_rack.names import Checksum, Skip
from sctp_rack.summary.summary import Flow, Side, Summary
from sctp_rack.wording.counted import many

#: How reasons read for which a frame is not counted.
_SKIPPED = {Skip.OTHER_PROTOCOL: "another protocol", Skip.FRAGMENT: "fragments, put together"}

_CHECKSUMS = {
    Checksum.CRC32C: "right",
    Checksum.ADLER32: "Adler-32",
    Checksum.ZERO: "zero",
    Checksum.WRONG: "wrong",
    Checksum.CUT: "of cut packets, unverified",
}


@dataclass(frozen=True)
class Check:
    """What was looked at, what was found, and whether that is as it should be."""

    what: str
    found: str
    fine: bool


def checks(summary: Summary) -> list[Check]:
    """Of a whole capture."""
    sides = [side for one in summary.associations for side in (one.a, one.b)]
    flows = [side.flow for side in sides if side.flow]
    return [
        Check(
            "Read to its end",
            summary.stopped or f"{many(summary.frames, 'frame')}, all of them",
            summary.stopped is None,
        ),
        *_frames(summary),
        _counted(
            "Lost by the capture itself",
            summary.dropped_by_capture,
            "packet",
            "none that the file tells of",
        ),
        _counted("Acknowledged, but never captured", sum(one.unseen_tsns for one in flows), "TSN"),
        _counted("Captured twice", sum(side.captured_again for side in sides), "packet"),
        _counted("Behind the feedback that acknowledges them", sum(_inverted(flows)), "chunk"),
        _counted("Cut away", sum(side.blind_bytes for side in sides), "byte"),
        _counted("Steps back in time", summary.time_steps_back, "frame"),
        *_checksums(sides),
    ]


def _counted(what: str, count: int, noun: str, none: str = "none") -> Check:
    return Check(what, many(count, noun) if count else none, not count)


def _inverted(flows: Iterable[Flow]) -> Iterator[int]:
    return (flow.inverted for flow in flows)


def _frames(summary: Summary) -> Iterator[Check]:
    reasons = [
        f"{count:,} {_SKIPPED.get(Skip(word), word.replace('_', ' '))}"
        for word, count in summary.skipped.items()
    ]
    harmless = {Skip.OTHER_PROTOCOL.value, Skip.FRAGMENT.value}
    yield Check(
        "Frames that are not SCTP, or not read",
        ", ".join(reasons) or "none",
        set(summary.skipped) <= harmless,
    )


def _checksums(sides: Iterable[Side]) -> Iterator[Check]:
    total = dict.fromkeys(Checksum, 0)
    for side in sides:
        for word, count in side.checksums.items():
            total[Checksum(word)] += count
    counted = [f"{count:,} {_CHECKSUMS[word]}" for word, count in total.items() if count]
    if counted:
        yield Check("Checksums", ", ".join(counted), not total[Checksum.WRONG])
