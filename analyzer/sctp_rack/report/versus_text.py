# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP would have made of a direction, in sentences."""

from collections.abc import Iterator

from sctp_rack.counted import many
from sctp_rack.durations import duration
from sctp_rack.report.versus import Versus


def sentences(one: Versus) -> Iterator[str]:
    """What it would have known earlier, not have sent, got wrong, and sent in addition."""
    if one.needed:
        yield f"{_of_needed(one.needed)} RACK-TLP would have known {_and(list(_when(one)))}."
    if one.needless:
        yield _avoided(one)
    if one.rack.false_marks:
        yield (
            f"Of {many(one.rack.marks, 'transmission')} that it would have marked lost, "
            f"{one.rack.false_marks:,} had arrived."
        )
    if one.rack.saved.timeouts:
        yield (
            f"It comes before {many(one.rack.saved.timeouts, 'timeout')}: together "
            f"{duration(one.rack.saved.total_ns)} less of waiting."
        )
    if one.probes_due or one.probes:
        made = f"; this sender made {one.probes:,}" if one.probes else ", which this sender has not"
        due = many(one.probes_due, "tail loss probe")
        yield (
            f"About {due} would have been due{made}."
            if one.probes_due
            else (f"No tail loss probe would have been due{made}.")
        )


def _of_needed(count: int) -> str:
    return "Of the one needed" if count == 1 else f"Of the {count:,} needed"


def _when(one: Versus) -> Iterator[str]:
    """How many at which time; all of it adds up to those that were needed."""
    earlier = [row for row in one.known if row.earlier]
    by_probe = [row for row in one.known if row.by_probe]
    if earlier:
        longest = max(row.longest_ns or 0 for row in earlier)
        yield f"of {sum(row.earlier for row in earlier):,} earlier, by {duration(longest)} at most"
    if by_probe:
        most = max(row.probe_median_ns or 0 for row in by_probe)
        count = sum(row.by_probe for row in by_probe)
        yield f"of {count:,} earlier by a tail loss probe, by about {duration(most)}"
    for count, text in (
        (sum(row.alike for row in one.known), "at the same time"),
        (sum(row.later for row in one.known), "later"),
        (sum(row.untold for row in one.known), "by its own timeout only"),
    ):
        if count:
            yield f"of {count:,} {text}"


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{'; '.join(parts[:-1])}; and {parts[-1]}"


def _avoided(one: Versus) -> str:
    if one.rack.avoided == one.needless:
        return (
            "It would not have sent the needless one."
            if one.needless == 1
            else f"It would have sent none of the {one.needless:,} needless ones."
        )
    if one.rack.avoided:
        return f"Of the {one.needless:,} needless ones it would not have sent {one.rack.avoided:,}."
    return (
        "That it would not have sent the needless one cannot be said."
        if one.needless == 1
        else f"Of none of the {one.needless:,} needless ones can be said that it would not have "
        "sent it."
    )
