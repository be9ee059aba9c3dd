# SPDX-License-Identifier: BSD-2-Clause
"""What a person should know before trusting a capture: its quality and what could not be read."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from sctp_rack.findings.behaviour import behaviour
from sctp_rack.findings.filtered import filtered
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import FirstFrames, Look, crowd_of, each, found, together
from sctp_rack.findings.say import say
from sctp_rack.findings.signalled import signalled
from sctp_rack.findings.stalled import stalled
from sctp_rack.findings.undecrypted import undecrypted
from sctp_rack.findings.unreachable import unreachable
from sctp_rack.names import Checksum, ChunkAnomaly, Finding, Kind, SackAnomaly, Severity, Skip
from sctp_rack.summary.summary import Association, Side, Summary
from sctp_rack.wording.counted import many
from sctp_rack.wording.ends import ends_text

#: What fails between the sides, or puts all else in doubt: told before what a capture is worth.
FAILURES = frozenset(
    {
        Finding.FILTERED,
        Finding.UNANSWERED_INIT,
        Finding.REFUSED_INIT,
        Finding.INCOMPLETE_HANDSHAKE,
        Finding.ABORT,
        Finding.ERROR_CAUSES,
        Finding.UNANSWERED_HEARTBEATS,
        Finding.STALL,
        Finding.ICMP_UNREACHABLE,
        Finding.ICMP_TOO_BIG,
    }
)

#: Anomalies of chunks that come from a cut capture, not from a sender.
_CUT = {ChunkAnomaly.SNAPPED, ChunkAnomaly.BLIND}


def find(
    summary: Summary, meanwhile: Callable[[Association], object] | None = None
) -> list[CaptureFinding]:
    """All findings about a capture, what limits the analysis most first.

    `meanwhile` is shown each association as well.
    """
    look = together(
        _cut(summary),
        _checksums(summary),
        each(_wrong),
        filtered(summary),
        signalled(summary),
        unreachable(summary),
        *_associations(summary),
        behaviour(summary),
        _of(summary.findings),
        stalled(summary),
        *([_shown(meanwhile)] if meanwhile else []),
    )
    findings = [
        *_input(summary),
        *_skipped(summary),
        *undecrypted(summary),
        *found(summary.associations, look),
    ]
    worst_first = list(reversed(Severity))
    return sorted(findings, key=lambda finding: worst_first.index(Severity(finding.severity)))


def _shown(meanwhile: Callable[[Association], object]) -> Look:
    """Finds nothing."""
    while (one := (yield)) is not None:
        meanwhile(one)
    return []


def _of(findings: list[CaptureFinding]) -> Look:
    """What is known already."""
    while (yield) is not None:
        pass
    return findings


def _input(summary: Summary) -> Iterator[CaptureFinding]:
    if summary.stopped:
        yield CaptureFinding(
            Severity.ERROR if summary.broken else Severity.WARNING,
            Finding.BROKEN_INPUT if summary.broken else Finding.CUT_INPUT,
            [],
            f"The input was read up to frame {summary.frames} only: {summary.stopped}.",
        )
    if summary.packets == 0:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.NO_SCTP,
            [],
            f"No SCTP packet in {many(summary.frames, 'frame')}.",
        )
    if summary.dropped_by_capture:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.CAPTURE_DROPS,
            [],
            f"{many(summary.dropped_by_capture, 'packet')} lost in the capture itself: what is "
            "missing here may have reached its receiver.",
        )
    if summary.time_steps_back:
        # A few come from several interfaces in one file; many make order and times worthless.
        many_steps = summary.time_steps_back > summary.frames // 100
        advice = (
            "; `reordercap` sorts them, until then the counts mean little" if many_steps else ""
        )
        yield CaptureFinding(
            Severity.WARNING if many_steps else Severity.NOTE,
            Finding.TIME_STEPS_BACK,
            [],
            f"Out of the order of their times: {many(summary.time_steps_back, 'frame')}{advice}.",
        )
    if summary.decryption_secrets:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.DECRYPTION_SECRETS,
            [],
            "The file holds keys that decrypt traffic: take care to whom you give it.",
        )
    if summary.uncounted_packets:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.ASSOCIATION_LIMIT,
            [],
            f"{many(summary.uncounted_packets, 'packet')} of associations beyond the "
            f"{len(summary.associations):,} that are followed; `export` has their rows.",
        )


#: Reasons to skip a frame that are worth a finding: severity, code, what the frames are, advice.
_SKIPS = {
    Skip.UNKNOWN_LINK: (
        Severity.WARNING,
        Finding.UNKNOWN_LINK,
        "of a link type that is not read",
        "; `--reader tshark` may know it",
    ),
    Skip.ENCRYPTED: (Severity.WARNING, Finding.ENCRYPTED, "hold IPsec ESP", ""),
    Skip.FRAGMENT_OVERLAP: (
        Severity.WARNING,
        Finding.FRAGMENT_OVERLAP,
        "hold IP fragments that contradict an earlier one; their datagrams are given up",
        "",
    ),
    Skip.MALFORMED: (
        Severity.WARNING,
        Finding.MALFORMED_FRAMES,
        "have a header below SCTP that contradicts itself",
        "",
    ),
    Skip.TOO_DEEP: (
        Severity.WARNING,
        Finding.MALFORMED_FRAMES,
        "have more headers inside each other than are followed",
        "",
    ),
}


def _skipped(summary: Summary) -> Iterator[CaptureFinding]:
    for reason, (severity, code, what, advice) in _SKIPS.items():
        if count := summary.skipped.get(reason):
            link = f" (LINKTYPE {summary.unknown_link_type})" if reason == Skip.UNKNOWN_LINK else ""
            yield CaptureFinding(
                severity,
                code,
                [summary.skipped_first[reason]],
                f"{many(count, 'frame')} {what}{link}{advice}.",
            )


def _cut(summary: Summary) -> Look:
    """What is missing in packets and datagrams."""
    blind = cut = 0
    while (one := (yield)) is not None:
        blind += one.a.blind_bytes + one.b.blind_bytes
        cut += _cut_sacks(one.a) + _cut_sacks(one.b)
    findings = []
    snapped = summary.skipped.get(Skip.SNAPPED, 0) + summary.short_packets
    if snapped or blind:
        missing = [f"{blind:,} bytes of SCTP packets"] if blind else []
        missing += [f"the SCTP header of {many(snapped, 'frame')}"] if snapped else []
        text = f"Packets are cut: {' and '.join(missing)} are not in the capture."
        if cut:
            text += f" Of {many(cut, 'acknowledgement')} not all is known that they acknowledge."
        findings.append(CaptureFinding(Severity.WARNING, Finding.SNAPPED_PACKETS, [], text))
    if summary.fragments_left_over:
        text = (
            f"{many(summary.fragments_left_over, 'IP fragment')} not decoded: the rest of the "
            "datagram is missing or cut."
        )
        findings.append(CaptureFinding(Severity.WARNING, Finding.FRAGMENTS_LEFT_OVER, [], text))
    return findings


def _cut_sacks(side: Side) -> int:
    """Acknowledgements that were cut, before or after their cumulative TSN."""
    seen = side.sacks.chunks if side.sacks else 0
    sent = sum(side.chunks.get(name, 0) for name in ("SACK", "NR-SACK", "SHUTDOWN"))
    return sent - seen + (side.sacks.malformed.get(SackAnomaly.SNAPPED, 0) if side.sacks else 0)


def _associations(summary: Summary) -> Iterator[Look]:
    crowd = crowd_of(summary.associations)
    yield _shared(
        lambda one: _talks_alone(one) and not summary.filtered,
        Severity.WARNING,
        Finding.ONE_WAY,
        begin=(0, ()) if summary.filtered else (crowd.one_way, crowd.one_way_frames),
    )
    yield _shared(
        lambda one: one.several_interfaces,
        Severity.WARNING,
        Finding.SEVERAL_INTERFACES,
    )
    yield _shared(
        lambda one: one.two_taps,
        Severity.WARNING,
        Finding.TWO_TAPS,
    )
    yield _shared(
        lambda one: 0 if summary.filtered else _unseen(one),
        Severity.NOTE,
        Finding.UNSEEN_TSNS,
        "tsns",
    )
    yield each(_jumps)


def _jumps(one: Association) -> Iterator[CaptureFinding]:
    jumps = sum(side.data.jumps for side in (one.a, one.b) if side.data)
    if jumps:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.NUMBERING_JUMPS,
            [one.first_frame],
            say(Finding.NUMBERING_JUMPS, ends=ends_text(one), jumps=jumps),
        )


def _shared(
    has: Callable[[Association], int],
    severity: Severity,
    code: Finding,
    what: str = "associations",
    begin: tuple[int, Iterable[int]] = (0, ()),
) -> Look:
    """One finding for all associations that have it; `what` in its sentence is how many.

    `begin`: of those that nobody looks at how many have it, and their first frames.
    """
    count, frames = begin[0], FirstFrames(begin[1])
    while (one := (yield)) is not None:
        if number := has(one):
            count += number
            frames.add(one.first_frame)
    if not count:
        return []
    return [CaptureFinding(severity, code, frames.lowest, say(code, **{what: count}))]


def _unseen(association: Association) -> int:
    datas = [side.data for side in (association.a, association.b) if side.data]
    spans = [
        data.span_before + (data.highest_tsn - data.lowest_tsn) % 2**32 + 1 - data.tsns
        for data in datas
    ]
    return sum(span for span, data in zip(spans, datas, strict=True) if not data.jumps)


def _talks_alone(association: Association) -> bool:
    sides = (association.a, association.b)
    return any(side.data for side in sides) and any(side.packets == 0 for side in sides)


def _senders(one: Association) -> Iterator[tuple[str, Side]]:
    ends = f"Association {ends_text(one)}"
    yield f"{ends}, a", one.a
    yield f"{ends}, b", one.b


def _wrong(one: Association) -> Iterator[CaptureFinding]:
    """Of chunks."""
    for sender, side in _senders(one):
        if side.data and side.data.conflicting_frame:
            count = side.data.kinds.get(Kind.CONFLICTING, 0)
            yield CaptureFinding(
                Severity.WARNING,
                Finding.CONFLICTING_TSNS,
                [side.data.conflicting_frame],
                say(Finding.CONFLICTING_TSNS, sender=sender, chunks=count),
            )
        broken = {k: v for k, v in side.anomalies.items() if k not in _CUT}
        if broken:
            yield CaptureFinding(
                Severity.WARNING,
                Finding.MALFORMED_CHUNKS,
                sorted({side.anomalies_first[word] for word in broken}),
                say(Finding.MALFORMED_CHUNKS, sender=sender, counts=_counted(broken)),
            )
        odd = side.sacks.malformed if side.sacks else {}
        odd = {word: count for word, count in odd.items() if word != SackAnomaly.SNAPPED}
        if odd and side.sacks and side.sacks.malformed_first:
            yield CaptureFinding(
                Severity.WARNING,
                Finding.MALFORMED_SACKS,
                [side.sacks.malformed_first],
                say(Finding.MALFORMED_SACKS, sender=sender, counts=_counted(odd)),
            )


#: What is noted of checksums of a kind.
_NOTED = {
    Checksum.WRONG: Finding.UNFILLED_CHECKSUM,
    Checksum.ZERO: Finding.ZERO_CHECKSUM,
    Checksum.ADLER32: Finding.ADLER32_CHECKSUM,
}


def _checksums(summary: Summary) -> Look:
    right = {Checksum.CRC32C, Checksum.ADLER32}
    findings: list[CaptureFinding] = []
    crowd = crowd_of(summary.associations)
    packets = Counter[str](crowd.checksums)
    frames = {kind: FirstFrames(crowd.checksum_frames.get(kind, ())) for kind in _NOTED}
    while (one := (yield)) is not None:
        for sender, side in _senders(one):
            for kind in _NOTED.keys() & side.checksums.keys():
                if kind == Checksum.WRONG and right & side.checksums.keys():
                    findings.append(_bad(sender, side))
                else:
                    packets[kind] += side.checksums[kind]
                    frames[kind].add(side.checksums_first[kind])
    for kind, code in _NOTED.items():
        if packets[kind]:
            text = say(code, packets=packets[kind])
            findings.append(CaptureFinding(Severity.NOTE, code, frames[kind].lowest, text))
    return findings


def _bad(sender: str, side: Side) -> CaptureFinding:
    return CaptureFinding(
        Severity.WARNING,
        Finding.BAD_CHECKSUM,
        [side.checksums_first[Checksum.WRONG]],
        say(
            Finding.BAD_CHECKSUM,
            sender=sender,
            wrong=side.checksums[Checksum.WRONG],
            packets=side.packets,
        ),
    )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{word} {count:,}" for word, count in counts.items())
