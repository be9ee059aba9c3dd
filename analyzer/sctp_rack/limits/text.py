# SPDX-License-Identifier: BSD-2-Clause
"""How shares of time read in a terminal, and as JSON."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import TextIO

from sctp_rack.limits.alike import ETHERNET
from sctp_rack.limits.shares import LimitedDirection, Share
from sctp_rack.limits.words import LETTERS, SENTENCES
from sctp_rack.names import Dir, Limit
from sctp_rack.summary.show import SCHEMAS, fields_of
from sctp_rack.wording.durations import duration
from sctp_rack.wording.rates import percent, rate
from sctp_rack.wording.terminal_width import columns, wrapped

NO_DATA = "There is no time to tell of: no data was seen, or a single packet of it."

#: Of the time: what is shorter is not worth a larger buffer, or another rule.
_LONG = 0.1

#: Why a range is wide, where it is (docs/limits.md).
_BY_TIMER = "as usrsctp's T3-rtx may take what waits for a delayed SACK for lost"

#: User data outstanding that no congestion window stops, which is a packet at least (RFC 9260
#: section 7.2.3, section 6.1 B): what waits for its acknowledgement is small data (Nagle).
_ONE_PACKET = ETHERNET


def write_limits_json(capture: str, directions: Sequence[LimitedDirection], output: TextIO) -> None:
    """One line: the fields of each `LimitedDirection`."""
    told = {"schema": SCHEMAS["limits"], "capture": capture, "directions": directions}
    output.write(json.dumps(told, ensure_ascii=False, default=fields_of) + "\n")


def write_limits(
    directions: Sequence[LimitedDirection], output: TextIO, first_ns: int | None = None
) -> None:
    """Of each direction a strip of its time, and a sentence on each limit.

    `first_ns`: where a time was asked for, the first frame of the capture.
    """
    for line in limit_lines(directions, columns(output), first_ns):
        output.write(f"{line}\n")


def limit_lines(
    directions: Sequence[LimitedDirection], width: int | None = None, first_ns: int | None = None
) -> Iterator[str]:
    """The text, line by line."""
    if not directions:
        yield NO_DATA if first_ns is None else "No data was under way at that time."
    for at, one in enumerate(directions):
        if at:
            yield ""
        yield from wrapped(_title(one, first_ns), width, 2)
        yield f"  {''.join(LETTERS[Limit(limit)] for limit in one.parts)}"
        for share in one.limits:
            letter = LETTERS[Limit(share.limit)]
            yield from wrapped(f"  {letter}  {_sentence(one, share)}", width, 5)
        if one.given_up_tsns and first_ns is None:
            yield from wrapped(f"     {_given_up(one)}", width, 5)


def _title(one: LimitedDirection, first_ns: int | None) -> str:
    way = "a to b" if one.dir == Dir.A2B else "b to a"
    lasted = duration(one.end_ns - one.begin_ns)
    of = "from first data to last acknowledgement"
    if first_ns is not None:
        begin_s, end_s = ((moment_ns - first_ns) / 1e9 for moment_ns in (one.begin_ns, one.end_ns))
        of = f"from second {begin_s:.3f} to {end_s:.3f} of the capture"
    return f"Association {one.ends}, {way}: {lasted} {of}"


def _given_up(one: LimitedDirection) -> str:
    share, tsns = percent(one.given_up_share), one.given_up_tsns
    named = f"{tsns:,} TSN{'' if tsns == 1 else 's'}"
    return f"{named} ({share}) given up with FORWARD-TSN; what waited for them is not told apart"


def _sentence(one: LimitedDirection, share: Share) -> str:
    said = f"{percent(share.share)} of the time {SENTENCES[Limit(share.limit)]}"
    allows = "; ".join(part for part in (bound(one, share), _sooner(one, share)) if part)
    return f"{said}{f' ({allows})' if allows else ''}; class {share.limit_class}"


def bound(one: LimitedDirection, share: Share) -> str:
    """What a window allows: as much in each round trip."""
    if share.limit == Limit.PEER_WINDOW and share.a_rwnd is not None:
        size, of = share.a_rwnd, f"at most {share.a_rwnd:,} bytes"
    elif share.limit in (Limit.CONGESTION_WINDOW, Limit.SEND_BUFFER):
        size, of = share.outstanding_bytes, f"{share.outstanding_bytes:,} bytes outstanding at most"
    else:
        return ""
    if not one.round_trip_ns or not size:
        return of
    allowed = rate(8e9 * size / one.round_trip_ns)
    said = f"{of}; at a round trip of {duration(one.round_trip_ns)} that allows {allowed}"
    return f"{said}{_advice(one, share, size)}"


def _advice(one: LimitedDirection, share: Share, size: int) -> str:
    """What a larger buffer would give, where the sender waited for it for long."""
    if share.share >= _LONG and share.limit == Limit.SEND_BUFFER and one.send_buffer is not None:
        with_more = (
            one.mean_rate_buffered,
            one.mean_rate_buffered_least,
            one.mean_rate_buffered_most,
            one.mean_rate_buffered_by_timer,
        )
        return f"; one of {one.send_buffer:,} bytes predicts {_predicted(one, *with_more)}"
    if share.limit != Limit.PEER_WINDOW or share.share < _LONG:
        return ""
    if one.mean_rate_doubled is None:
        return "; most of it went unused while the receiver did not read"
    needed = (one.best_rate or 0) * (one.round_trip_ns or 0) / 8e9
    if needed >= 2 * size:
        kibibytes, best = 2 ** math.ceil(math.log2(needed / 1024)), rate(one.best_rate or 0)
        return f"; {kibibytes:,} KiB would allow what the path gave at best, {best}"
    twice = (
        one.mean_rate_doubled,
        one.mean_rate_doubled_least,
        one.mean_rate_doubled_most,
        one.mean_rate_doubled_by_timer,
    )
    return f"; twice that predicts {_predicted(one, *twice)}"


def _sooner(one: LimitedDirection, share: Share) -> str:
    """What a SACK for each packet would give, where SACKs were held back for long."""
    if share.held_ns < _LONG * (one.end_ns - one.begin_ns):
        return ""
    held = f"SACKs were held back for {duration(share.held_ns)} of it"
    if one.mean_rate_undelayed is None:
        return held
    at_once = (
        one.mean_rate_undelayed,
        one.mean_rate_undelayed_least,
        one.mean_rate_undelayed_most,
    )
    small = share.limit == Limit.DELAYED_SACK and share.outstanding_bytes <= _ONE_PACKET
    nagle = "; with SCTP_NODELAY small data does not wait for them" if small else ""
    return f"{held}; one for each packet, at once, predicts {_predicted(one, *at_once)}{nagle}"


def _predicted(
    one: LimitedDirection,
    mean: float | None,
    least: float | None,
    most: float | None,
    by_timer: bool = False,
) -> str:
    """A rate, what it may be, and what it is of."""
    bounds = rate(least or 0), rate(most or 0)
    why = f", {_BY_TIMER}" if by_timer else ""
    within = f" ({bounds[0]} to {bounds[1]}{why})" if bounds[0] != bounds[1] else ""
    return (
        f"{rate(mean or 0)}{within} in all, not {rate(one.mean_rate)}, "
        "unless something else limits then"
    )
