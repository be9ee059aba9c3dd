# SPDX-License-Identifier: BSD-2-Clause
"""What FORWARD-TSNs skip: what truth says of it, and which copies came too late for that."""

from collections.abc import Iterator

from .checked import Checked, Fault, Record, is_below


def what_is_abandoned_was_given_up(run: Checked) -> Iterator[Fault]:
    """At the tap of the host that sends it a FORWARD-TSN skips it; and what a FORWARD-TSN skips
    while no acknowledgement of it has come there is abandoned."""
    if run.misses:
        return
    for host, other in ("ab", "ba"):
        tap, way = run.tap_at(host), f"{host}2{other}"
        told = {tsn for one_way, tsn in run.abandoned if one_way == way}
        outstanding: set[int] = set()
        acknowledged: set[int] = set()
        skipped: dict[int, int] = {}
        highest: int | None = None
        for frame in run.seen[tap]:
            if run.host_of.get(frame.source) == other:
                if (said := frame.acknowledged) is not None:
                    acknowledged |= {tsn for tsn in outstanding if said.covers(tsn)}
                    outstanding -= acknowledged
                continue
            for up_to in frame.forward:
                highest = up_to if not is_below(up_to, highest) else highest
                for tsn in outstanding:
                    if is_below(tsn, up_to):
                        skipped.setdefault(tsn, frame.number)
            outstanding.update(tsn for tsn in frame.tsns if tsn not in acknowledged)
        for tsn in sorted(told):
            if not is_below(tsn, highest):
                yield run.fault(tap, None, f"TSN {tsn} is called abandoned, and nothing skips it")
        for tsn, number in skipped.items():
            if tsn not in told:
                yield run.fault(tap, number, f"TSN {tsn} is skipped, and not called abandoned")


def came_after_its_forward_tsn(run: Checked, record: Record) -> bool | None:
    """Whether the receiver had the FORWARD-TSN that skips it before this copy came; None where its
    tap does not tell, for it may have missed the FORWARD-TSN."""
    way = record["dir"]
    tap, at, arrive_ns = run.tap_at(way[2]), record["frames"], record["arrive_ns"]
    if (way, record["tsn"]) not in run.abandoned:
        return False
    came_ns = run.as_written(tap, arrive_ns)
    for frame in run.seen[tap]:
        before = frame.time_ns < came_ns if at[tap] is None else frame.number <= at[tap]
        if not before:
            break
        if run.host_of.get(frame.source) == way[0] and any(
            is_below(record["tsn"], up_to) for up_to in frame.forward
        ):
            return True
    return None if run.misses else False
