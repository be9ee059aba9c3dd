# SPDX-License-Identifier: BSD-2-Clause
"""Where packets do not get to: ICMP errors that quote them, HEARTBEATs without an answer."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.findings.looks import Look, each
from sctp_rack.findings.say import say
from sctp_rack.names import Finding, Severity, Skip
from sctp_rack.summary.summary import Association, IcmpError, Summary
from sctp_rack.wording.counted import many
from sctp_rack.wording.ends import ends_text

_PROTOCOL = (
    "protocol unreachable",
    "the host does not speak SCTP, as where its module is not loaded",
)
_PORT = ("port unreachable", "nothing listens there, or a firewall says so in its place")
_HOST = ("host unreachable", "it is down, or the last router does not find it")
_NETWORK = ("network unreachable", "a router has no route to it")
_PROHIBITED = ("prohibited", "a firewall or a policy on the way rejects it")
_LOOP = ("hop limit exceeded", "routers send it in a circle, or the hop limit is too small")
_REASSEMBLY = ("reassembly time exceeded", "a fragment of it was lost")
_PARAMETER = ("parameter problem", "a header of it is not understood")
_OTHER = ("destination unreachable", "see the code of the ICMP error")

#: By type and code: RFC 792, RFC 1122 section 3.2.2.1, RFC 1812 section 5.2.7.1.
_V4 = {
    (3, 0): _NETWORK,
    (3, 1): _HOST,
    (3, 2): _PROTOCOL,
    (3, 3): _PORT,
    (3, 6): _NETWORK,
    (3, 7): _HOST,
    (3, 9): _PROHIBITED,
    (3, 10): _PROHIBITED,
    (3, 11): _NETWORK,
    (3, 12): _HOST,
    (3, 13): _PROHIBITED,
    (11, 0): _LOOP,
    (11, 1): _REASSEMBLY,
}

#: RFC 4443 section 3; an unrecognized next header is the unreachable protocol of ICMPv6.
_V6 = {
    (1, 0): _NETWORK,
    (1, 1): _PROHIBITED,
    (1, 3): _HOST,
    (1, 4): _PORT,
    (1, 5): _PROHIBITED,
    (1, 6): _PROHIBITED,
    (3, 0): _LOOP,
    (3, 1): _REASSEMBLY,
    (4, 1): _PROTOCOL,
}

#: Types that say less: a source quench, a redirect; they drop nothing.
_HARMLESS = {(4, 4), (4, 5)}
_UNREACHABLE = {(4, 3), (6, 1)}


def unreachable(summary: Summary) -> Look:
    """Findings on ICMP errors, then on HEARTBEATs."""
    silent = yield from each(_heartbeats)
    return [*_icmp(summary), *silent]


def _icmp(summary: Summary) -> Iterator[CaptureFinding]:
    kinds: defaultdict[tuple[str, str], list[IcmpError]] = defaultdict(list)
    too_big: defaultdict[int | None, list[IcmpError]] = defaultdict(list)
    for one in summary.icmp_errors:
        if _is_too_big(one):
            too_big[one.mtu].append(one)
        elif (one.version, one.type) not in _HARMLESS:
            kinds[_meaning(one)].append(one)
    for (what, why), those in kinds.items():
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ICMP_UNREACHABLE,
            _frames(those),
            f"ICMP says '{what}' {_of_packets(those)}: {why}.",
        )
    for mtu, those in too_big.items():
        link = f", whose MTU is {mtu:,} bytes" if mtu else ""
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ICMP_TOO_BIG,
            _frames(those),
            f"ICMP says that a packet is too big for the next link{link}, {_of_packets(those)}: "
            "its sender has to send smaller ones from now on, or to let them be fragmented.",
        )
    yield from _others(summary, [*kinds.values(), *too_big.values()])


def _is_too_big(one: IcmpError) -> bool:
    """RFC 1191 section 4, RFC 4443 section 3.2."""
    return (one.version, one.type) == (6, 2) or (one.version, one.type, one.code) == (4, 3, 4)


def _meaning(one: IcmpError) -> tuple[str, str]:
    known = (_V4 if one.version == 4 else _V6).get((one.type, one.code))
    other = _OTHER if (one.version, one.type) in _UNREACHABLE else _PARAMETER
    return known or other


def _of_packets(those: Sequence[IcmpError]) -> str:
    """Of how many SCTP packets, whence and whither."""
    count = many(sum(one.count for one in those), "SCTP packet")
    ends = {(one.source, one.destination) for one in those}
    source, destination = those[0].source or "?", those[0].destination or "?"
    more = f" and {many(len(ends) - 1, 'other pair')} of ends" if len(ends) > 1 else ""
    reporters = {one.reporter for one in those}
    by = f", by {those[0].reporter}" if len(reporters) == 1 else f", by {len(reporters):,} hosts"
    return f"of {count} from {source} to {destination}{more}{by}"


def _others(summary: Summary, told: Sequence[Sequence[IcmpError]]) -> Iterator[CaptureFinding]:
    """Errors that are of another kind, or more than are kept."""
    count = summary.skipped.get(Skip.ICMP_QUOTE, 0)
    count -= sum(one.count for those in told for one in those)
    if count > 0:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.ICMP_QUOTES,
            [summary.skipped_first[Skip.ICMP_QUOTE]],
            f"{many(count, 'frame')} are ICMP errors that quote an SCTP packet"
            f"{' too' if told else ''}; the quotes are not counted.",
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
