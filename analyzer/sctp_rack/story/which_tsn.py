# SPDX-License-Identifier: BSD-2-Clause
"""Which TSN of a capture is meant: by frame, by number, by association and direction."""

from dataclasses import dataclass

from sctp_rack.columns.moments import Moment
from sctp_rack.errors import UsageError
from sctp_rack.story.told_from import ToldFrom
from sctp_rack.wording.counted import many

#: Candidates that an error lists.
_LISTED = 12


@dataclass(frozen=True, order=True)
class Place:
    """A TSN of one direction of an association."""

    assoc: int
    dir: str
    tsn: int


def which_tsn(
    capture: ToldFrom,
    *,
    frame: int | None = None,
    tsn: int | None = None,
    assoc: int | None = None,
    direction: str | None = None,
    begin: Moment | None = None,
    end: Moment | None = None,
) -> Place:
    """The one TSN that all that is given fits, with a copy sent between `begin` and `end`.

    Raises `UsageError` where none fits, or several, which it lists.
    """
    if frame is None and tsn is None:
        raise UsageError("which TSN? Give --frame or --tsn")
    given = {"frame": frame, "tsn": tsn, "assoc": assoc, "dir": direction}
    named = {name: value for name, value in given.items() if value is not None}
    found: dict[Place, list[int]] = {}
    rows = capture.transmissions.where(**named)
    timed = begin is not None or end is not None
    if timed:
        rows = rows.between(begin, end)
    for row in rows:
        if row["assoc"] is not None:
            place = Place(row["assoc"], row["dir"], row["tsn"])
            found.setdefault(place, []).append(row["frame"])
    if len(rows) and not found:
        followed = len(capture.associations)
        raise UsageError(
            f"that data is of an association beyond the {followed:,} that are followed;"
            " `export` has its rows"
        )
    if not found:
        raise UsageError(_nothing(capture, frame, tsn, len(named) > 1 or timed))
    if len(found) > 1:
        raise UsageError(_several(found))
    return next(iter(found))


def _nothing(capture: ToldFrom, frame: int | None, tsn: int | None, narrowed: bool) -> str:
    if frame is not None:
        if frame > capture.summary.frames:
            return f"{capture.path} has {many(capture.summary.frames, 'frame')}, none {frame}"
        if not len(capture.transmissions.where(frame=frame)):
            return f"frame {frame} of {capture.path} holds no DATA or I-DATA chunk"
    elif not len(capture.transmissions.where(tsn=tsn)):
        spans = [
            f"association {one.assoc} {one.name}: {one.data.lowest_tsn} to {one.data.highest_tsn}"
            for association in capture.associations
            for one in association.directions
            if one.data
        ]
        seen = "; ".join(spans[:_LISTED]) or "none"
        return f"TSN {tsn} is in no DATA chunk of {capture.path}; TSNs are {seen}"
    assert narrowed
    return "no DATA chunk fits all of --frame, --tsn, --assoc, --dir, --from and --to"


def _several(found: dict[Place, list[int]]) -> str:
    lines = [
        f"  --tsn {place.tsn} --assoc {place.assoc} --dir {place.dir}  (frame "
        f"{', '.join(map(str, frames[:4]))}{', …' if len(frames) > 4 else ''})"
        for place, frames in list(found.items())[:_LISTED]
    ]
    if len(found) > _LISTED:
        lines.append(f"  and {len(found) - _LISTED:,} more")
    return "\n".join([f"{len(found):,} TSNs fit; name one of them:", *lines])
