# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP would have made of a direction, in sentences."""

from collections.abc import Iterator, Sequence

from sctp_rack.report.versus import Versus
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration


def hindsight(several: Sequence[Versus]) -> str:
    """The first of them, of the direction where RACK-TLP would have known of most earlier."""
    most = max(several, key=_earlier, default=None)
    return next(sentences(most)) if most and _earlier(most) else ""


def _earlier(one: Versus) -> int:
    return sum(row.earlier + row.by_probe for row in one.known)


def sentences(one: Versus) -> Iterator[str]:
    """What it would have known earlier, not have sent, got wrong, and sent in addition."""
    if one.needed:
        yield _known(one)
    if one.spurious:
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
        made = f"; this sender sent {one.probes:,}" if one.probes else "; this sender sent none"
        due = many(one.probes_due, "tail loss probe")
        yield (
            f"About {due} would have been due{made}."
            if one.probes_due
            else (f"No tail loss probe would have been due{made}.")
        )


def _known(one: Versus) -> str:
    """How many it knows at which time; all of it adds up to those that were needed."""
    parts = [(count, text) for count, text in _when(one) if count]
    if len(parts) == 1:
        all_of_them = "the one needed" if one.needed == 1 else f"all {one.needed:,} needed ones"
        return f"RACK-TLP would have known of {all_of_them} {parts[0][1]}."
    counted = [f"of {count:,} {text}" for count, text in parts]
    return (
        f"Of the {one.needed:,} needed RACK-TLP would have known {'; '.join(counted[:-1])}; and "
        f"{counted[-1]}."
    )


def _when(one: Versus) -> Iterator[tuple[int, str]]:
    longest = max(row.longest_ns or 0 for row in one.known)
    probe = max(row.probe_median_ns or 0 for row in one.known)
    yield sum(row.earlier for row in one.known), f"earlier, by {duration(longest)} at most"
    yield (
        sum(row.by_probe for row in one.known),
        f"earlier by a tail loss probe, by about {duration(probe)}",
    )
    yield sum(row.alike for row in one.known), "at the same time"
    yield sum(row.later for row in one.known), "later"
    yield sum(row.untold for row in one.known), "by its own timeout only"


def _avoided(one: Versus) -> str:
    if one.rack.avoided == one.spurious:
        return (
            "It would not have sent the spurious one."
            if one.spurious == 1
            else f"It would have sent none of the {one.spurious:,} spurious ones."
        )
    if one.rack.avoided:
        return f"Of the {one.spurious:,} spurious ones it would not have sent {one.rack.avoided:,}."
    return (
        "Whether it would have avoided the spurious one cannot be told."
        if one.spurious == 1
        else f"Whether it would have avoided any of the {one.spurious:,} spurious ones cannot be "
        "told."
    )
