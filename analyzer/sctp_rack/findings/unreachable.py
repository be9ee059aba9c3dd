# SPDX-License-Identifier: BSD-2-Clause
"""Where packets do not get to: ICMP errors that quote them, HEARTBEATs without an answer."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sctp_rack._core import lib
from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.findings.looks import Look, each
from sctp_rack.findings.say import say
from sctp_rack.names import Finding, Severity, Skip
from sctp_rack.summary.summary import Association, IcmpError, Summary
from sctp_rack.wording.ends import ends_text

#: The sentence of each meaning of an ICMP error.
_MEANINGS = {
    lib.SR_ICMP_NETWORK: "icmp.network",
    lib.SR_ICMP_HOST: "icmp.host",
    lib.SR_ICMP_PROTOCOL: "icmp.protocol",
    lib.SR_ICMP_PORT: "icmp.port",
    lib.SR_ICMP_PROHIBITED: "icmp.prohibited",
    lib.SR_ICMP_LOOP: "icmp.loop",
    lib.SR_ICMP_REASSEMBLY: "icmp.reassembly",
    lib.SR_ICMP_PARAMETER: "icmp.parameter",
    lib.SR_ICMP_OTHER: "icmp.other",
}


def unreachable(summary: Summary) -> Look:
    """Findings on ICMP errors, then on HEARTBEATs."""
    silent = yield from each(_heartbeats)
    return [*_icmp(summary), *silent]


def _icmp(summary: Summary) -> Iterator[CaptureFinding]:
    kinds: defaultdict[str, list[IcmpError]] = defaultdict(list)
    too_big: defaultdict[int | None, list[IcmpError]] = defaultdict(list)
    for one in summary.icmp_errors:
        meaning = lib.sr_icmp_meaning(one.version, one.type, one.code)
        if meaning == lib.SR_ICMP_TOO_BIG:
            too_big[one.mtu].append(one)
        elif meaning in _MEANINGS:
            kinds[_MEANINGS[meaning]].append(one)
    for what, those in kinds.items():
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ICMP_UNREACHABLE,
            _frames(those),
            say(
                Finding.ICMP_UNREACHABLE,
                what=say(what),
                packets=_of_packets(those),
                why=say(f"{what}.why"),
            ),
        )
    for mtu, those in too_big.items():
        link = say("icmp_too_big.mtu", mtu=mtu) if mtu else ""
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ICMP_TOO_BIG,
            _frames(those),
            say(Finding.ICMP_TOO_BIG, link=link, packets=_of_packets(those)),
        )
    yield from _others(summary, [*kinds.values(), *too_big.values()])


def _of_packets(those: Sequence[IcmpError]) -> str:
    """Of how many SCTP packets, whence and whither."""
    ends = {(one.source, one.destination) for one in those}
    source, destination = those[0].source or "?", those[0].destination or "?"
    reporters = {one.reporter for one in those}
    by = say("icmp.by_hosts", hosts=len(reporters))
    if len(reporters) == 1:
        by = say("icmp.by", reporter=those[0].reporter or "?")
    return say(
        "icmp.packets",
        packets=sum(one.count for one in those),
        source=source,
        destination=destination,
        more=say("icmp.more", pairs=len(ends) - 1) if len(ends) > 1 else "",
        by=by,
    )


def _others(summary: Summary, told: Sequence[Sequence[IcmpError]]) -> Iterator[CaptureFinding]:
    """Errors that are of another kind, or more than are kept."""
    count = summary.skipped.get(Skip.ICMP_QUOTE, 0)
    count -= sum(one.count for those in told for one in those)
    if count > 0:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.ICMP_QUOTES,
            [summary.skipped_first[Skip.ICMP_QUOTE]],
            say(Finding.ICMP_QUOTES, frames=count, too=say("icmp_quotes.too") if told else ""),
        )


def _heartbeats(one: Association) -> Iterator[CaptureFinding]:
    """Of sides whose peer was captured: its answers might have been, too."""
    for side, peer in ((one.a, one.b), (one.b, one.a)):
        if not side.silent_paths or not peer.packets:
            continue
        paths = ", ".join(
            say("unanswered_heartbeats.path", heartbeats=path.heartbeats, path=path.path)
            for path in side.silent_paths
        )
        yield CaptureFinding(
            Severity.WARNING,
            Finding.UNANSWERED_HEARTBEATS,
            sorted(path.first_frame for path in side.silent_paths),
            say(Finding.UNANSWERED_HEARTBEATS, ends=ends_text(one), paths=paths),
        )


def _frames(those: Sequence[IcmpError]) -> list[int]:
    return sorted(frame for one in those for frame in one.frames)[:MOST_FRAMES]
