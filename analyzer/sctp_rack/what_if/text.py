# SPDX-License-Identifier: BSD-2-Clause
"""How the answers read in a terminal, and as JSON."""

import json
from collections.abc import Iterator
from typing import TextIO

from sctp_rack.names import Answer, Dir
from sctp_rack.summary.show import SCHEMAS, fields_of, seconds_told
from sctp_rack.what_if.full_buffer_bounds import Bounds
from sctp_rack.what_if.held_sacks import HeldSacks
from sctp_rack.what_if.nr_sack import Kept, OtherAcknowledgements, Periods
from sctp_rack.what_if.rack import ProbesSent, WithRack
from sctp_rack.what_if.what_if import WhatIf
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration
from sctp_rack.wording.harmless import harmless
from sctp_rack.wording.rates import percent, signed_percent
from sctp_rack.wording.terminal_width import columns, wrapped


def write_what_if_json(capture: str, found: WhatIf, output: TextIO) -> None:
    """One line: the fields of `WhatIf`."""
    told = {"schema": SCHEMAS["whatif"], "capture": capture, **fields_of(found)}
    if found.of_time is None:
        del told["of_time"]
    output.write(json.dumps(told, ensure_ascii=False, default=fields_of) + "\n")


def write_what_if(found: WhatIf, output: TextIO, first_ns: int | None = None) -> None:
    """Of each direction the answers, then what is assumed in them.

    `first_ns`: the first frame of the capture, from which a time counts.
    """
    for line in what_if_lines(found, columns(output), first_ns):
        output.write(f"{line}\n")


def what_if_lines(
    found: WhatIf, width: int | None = None, first_ns: int | None = None
) -> Iterator[str]:
    """The text, line by line."""
    queues, recoveries = found.nr_sack or [], found.rack or []
    timed = found.of_time is not None
    answers = {(one.assoc, one.dir, one.ends): [*queue_lines(one, timed=timed)] for one in queues}
    for other in recoveries:
        answers.setdefault((other.assoc, other.dir, other.ends), []).extend(rack_lines(other))
    for held in found.sack_rule or []:
        answers.setdefault((held.assoc, held.dir, held.ends), []).extend(
            held_lines(held, timed=timed)
        )
    if not answers:
        yield (
            "No data was seen." if found.of_time is None else "No data was under way at that time."
        )
        return
    if found.of_time is not None:
        yield f"{seconds_told(found.of_time, first_ns or 0)} alone, of what all of the capture says"
        yield ""
    for (_, direction, ends), lines in answers.items():
        way = "a to b" if direction == Dir.A2B else "b to a"
        yield from wrapped(f"Association {ends}, {way}", width, 2)
        for line in lines:
            yield from wrapped(f"  {line}", width, 4)
        yield ""
    yield "Assumed:"
    for said in (*found.assumed.nr_sack, *found.assumed.rack, *found.assumed.sack_rule):
        yield from wrapped(f"  {said}", width, 4)


def queue_lines(one: OtherAcknowledgements, *, timed: bool = False) -> Iterator[str]:
    """The queue with each way to acknowledge, and which path made it long; `timed`: in a time."""
    was = one.captured.whole
    lasted = duration(one.end_ns - one.begin_ns)
    of = "of that time" if timed else "from first data to last feedback"
    yield f"Retransmission queue, {lasted} {of}, user data:"
    by = "NR-SACKs" if one.nr_sacks else "SACKs"
    yield f"  with the {by} of the capture: {_kept(was)}{_utilisation(one.captured)}"
    if one.nr_sacks:
        yield f"  with SACKs: {_other(one.with_sacks.whole, was)}{_utilisation(one.with_sacks)}"
    for name, other, bounds in (
        ("what could be delivered", one.with_nr_sacks_of_delivered, one.bounds_of_delivered),
        ("all that arrived", one.with_nr_sacks_of_all, one.bounds_of_all),
    ):
        yield f"  with NR-SACKs of {name}: {_other(other.whole, was)}"
        if bounds:
            yield f"    {_bounds(bounds)}"
    if full := one.full_buffer:
        yield (
            f"  its send buffer looks full at {full.bytes:,} bytes, {many(full.times, 'time')}, for"
            f" {duration(full.time_ns)}: then it would have sent more, kept what is between the"
            " bounds, and been done sooner"
        )
    if was.arrived_byte_seconds:
        yield (f"  {was.arrived_byte_seconds:,.0f} byte-seconds of it had arrived{_of_paths(one)}")


def _kept(kept: Kept) -> str:
    return f"{kept.average_bytes:,.0f} bytes on average, {kept.largest_bytes:,} at most"


def _bounds(one: Bounds) -> str:
    """Where its send buffer was full: what follows, and how much of that is chance."""
    found = (
        "if its send buffer was full when it held most:"
        f" {one.least_average_bytes:,.0f} to {one.most_average_bytes:,.0f} bytes on average"
    )
    if one.least_rtxq_util is not None and one.most_rtxq_util is not None:
        least, most = percent(one.least_rtxq_util), percent(one.most_rtxq_util)
        found += f", RtxQ_Util {most if least == most else f'{least} to {most}'}"
    found += f"; with the same losses up to {one.filled_bytes:,.0f} bytes more,"
    if one.chance_bytes is None:
        return f"{found} by chance anything, as too few recoveries tell"
    return f"{found} by chance {one.chance_bytes:,.0f} either way"


def _other(kept: Kept, was: Kept) -> str:
    if not was.average_bytes:
        return _kept(kept)
    return f"{_kept(kept)} ({signed_percent(kept.average_bytes / was.average_bytes - 1)})"


def _utilisation(periods: Periods) -> str:
    named = (
        ("", periods.whole),
        (" while gaps are reported", periods.gaps),
        (" in recovery", periods.recovery),
    )
    told = [
        f"{percent(kept.rtxq_util)}{when}" for when, kept in named if kept.rtxq_util is not None
    ]
    return f"; outstanding of it (RtxQ_Util): {', '.join(told)}" if told else ""


def _of_paths(one: OtherAcknowledgements) -> str:
    if len(one.paths) < 2:
        return ""
    whole = one.captured.whole.arrived_byte_seconds
    shares = (
        f"{percent(path.arrived_byte_seconds / whole)} behind what was missing on "
        f"{harmless(path.path) if path.path else 'a path that was not seen'}"
        for path in one.paths
    )
    return f": {', '.join(shares)}"


def rack_lines(one: WithRack) -> Iterator[str]:
    """Timeouts that need not have been, and probes that were sent."""
    if one.sender_has_rack == Answer.YES:
        yield "RACK-TLP, which the sender has:"
    else:
        yield "RACK-TLP, if the sender had it:"
    if not one.needed_timeouts:
        yield "  no timeout that sent anything needed again"
    else:
        yield (
            f"  {many(one.needed_timeouts, 'timeout')} that sent something needed again; it would"
            f" have come before {one.by_mark + one.by_probe:,} of them"
        )
    if one.by_mark:
        yield f"  {one.by_mark:,} by marks, {duration(one.saved_by_marks_ns)} earlier in all"
    if one.by_probe:
        yield (
            f"  {one.by_probe:,} by a probe, at most {duration(one.saved_by_probes_most_ns)}"
            " earlier in all"
        )
    if one.answered_timeouts:
        yield (
            f"  {many(one.answered_timeouts, 'timeout')} that brought feedback that was lost; a"
            f" probe was due before {one.answered_by_probe:,} of them, at most"
            f" {duration(one.saved_by_answers_most_ns)} earlier in all"
        )
    if one.probes:
        yield f"  {_probes(one.probes)}"


def _probes(probes: ProbesSent) -> str:
    outcomes = ", ".join(f"{count:,} {name}" for name, count in probes.outcomes.items())
    return (
        f"its {many(probes.probes, 'probe')} cost {probes.bytes:,} bytes,"
        f" {percent(probes.share_of_chunks)} of its chunks: {outcomes}"
    )


def _rule(one: HeldSacks) -> str:
    if one.sack_every == 1:
        return "a SACK for each packet, at once"
    delay = duration(one.sack_delay_ns)
    return f"a SACK for {one.sack_every:,} packets, held back for {delay} at most"


def held_lines(one: HeldSacks, *, timed: bool = False) -> Iterator[str]:
    """Waits for SACKs that were held back, and how many SACKs there would have been."""
    yield f"With {_rule(one)}:"
    if one.waits:
        of = "of that time" if timed else "from first data to last acknowledgement"
        least, most = duration(one.would_wait_least_ns), duration(one.would_wait_most_ns)
        within = f" ({least} to {most})" if least != most else ""
        yield (
            f"  {many(one.waits, 'wait')} for SACKs that were held back would have lasted"
            f" {duration(one.would_wait_ns)}{within}, not {duration(one.waited_ns)}, of"
            f" {duration(one.time_ns)} {of}"
        )
    else:
        yield "  no wait for a SACK that was held back"
    yield (
        f"  the receiver would have sent {many(one.would_send_sacks, 'SACK')}, not {one.sacks:,}"
        f" (its own rule replayed: {one.sacks_replayed:,})"
    )
