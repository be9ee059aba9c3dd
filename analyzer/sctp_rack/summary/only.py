# SPDX-License-Identifier: BSD-2-Clause
"""A summary of one association, or of one direction: what is said of the capture itself stays."""

from collections.abc import Iterable
from dataclasses import replace

from sctp_rack.errors import UsageError
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.names import Dir
from sctp_rack.summary.summary import ACKNOWLEDGE, CARRY_DATA, Association, Side, Summary


def check_there(capture: str, assoc: int | None, numbers: Iterable[int]) -> None:
    """Raises `UsageError` where none of the capture's associations has this number."""
    last = None
    for number in numbers:
        if assoc in (None, number):
            return
        last = number
    if assoc is None:
        return
    if last is None:
        raise UsageError(f"{capture}: no association in it")
    there = f"they are numbered 0 to {last:,}" if last else "there is only 0"
    raise UsageError(f"{capture}: no association {assoc}: {there}")


def no_data(
    capture: str, summary: Summary, assoc: int | None = None, direction: str | None = None
) -> UsageError:
    """What is wrong where there is none of the data that was asked for."""
    where = "" if assoc is None else f" in association {assoc}"
    where += "" if summary.of_time is None else " at that time"
    asked = [one for one in summary.associations if assoc in (None, one.assoc)]
    if direction is None or not _has_data(asked):
        return UsageError(f"{capture}: no DATA{where}")
    return UsageError(f"{capture}: no DATA goes {direction}{where}: all goes the other way")


def only(summary: Summary, assoc: int) -> Summary:
    """Without the others. Raises `UsageError` where there is no such association."""
    check_there(summary.capture, assoc, (one.assoc for one in summary.associations))
    found = [one for one in summary.associations if one.assoc == assoc]
    findings = [finding for finding in summary.findings if finding.assoc == assoc]
    return replace(summary, associations=found, findings=findings)


def one_way(summary: Summary, direction: str) -> Summary:
    """Without what goes the other way: its data, and what acknowledges that.

    Findings are found before: to most of what looks for them the half would look like a fault.
    Raises `UsageError` where all data goes the other way.
    """
    associations = [_one_way(one, direction) for one in summary.associations]
    if _has_data(summary.associations) and not _has_data(associations):
        raise no_data(summary.capture, summary, direction=direction)
    findings = of_direction(summary.findings, direction)
    return replace(summary, associations=associations, findings=findings)


def of_direction(findings: Iterable[CaptureFinding], direction: str) -> list[CaptureFinding]:
    """Those that are not about the data of the other one."""
    return [finding for finding in findings if finding.dir in (None, direction)]


def _has_data(associations: Iterable[Association]) -> bool:
    return any(side.data for one in associations for side in (one.a, one.b))


def _one_way(association: Association, direction: str) -> Association:
    if direction == Dir.A2B:
        return replace(association, a=_sends(association.a), b=_receives(association.b))
    return replace(association, a=_receives(association.a), b=_sends(association.b))


def _sends(side: Side) -> Side:
    return replace(side, sacks=None, chunks=_without(side.chunks, ACKNOWLEDGE))


def _receives(side: Side) -> Side:
    chunks = _without(side.chunks, CARRY_DATA)
    return replace(side, data=None, flow=None, recovery=None, delivery=None, chunks=chunks)


def _without(chunks: dict[str, int], names: tuple[str, ...]) -> dict[str, int]:
    return {name: count for name, count in chunks.items() if name not in names}
