# SPDX-License-Identifier: BSD-2-Clause
"""What a person should know before trusting a capture: its quality and what could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass

from sctp_rack.names import Checksum, ChunkAnomaly, Finding, Severity, Skip
from sctp_rack.summary import Flow, Summary

#: Anomalies of chunks that come from a cut capture, not from a sender.
_CUT = {ChunkAnomaly.SNAPPED, ChunkAnomaly.BLIND}


@dataclass(frozen=True)
class CaptureFinding:
    """One finding: `text` is a sentence a person can act on, `frames` where to look first."""

    severity: str
    code: str
    frames: list[int]
    text: str


def find(summary: Summary) -> list[CaptureFinding]:
    """All findings about a capture, what limits the analysis most first."""
    findings = [*_input(summary), *_skipped(summary), *_flows(summary)]
    worst_first = list(reversed(Severity))
    return sorted(findings, key=lambda finding: worst_first.index(Severity(finding.severity)))


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
            f"No SCTP packet in {_many(summary.frames, 'frame')}.",
        )
    if summary.dropped_by_capture:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.CAPTURE_DROPS,
            [],
            f"{_many(summary.dropped_by_capture, 'packet')} lost in the capture itself: what is "
            "missing here may have reached its receiver.",
        )
    if summary.time_steps_back:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.TIME_STEPS_BACK,
            [],
            f"{_many(summary.time_steps_back, 'frame')} earlier than the frame before.",
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
            Finding.FLOW_LIMIT,
            [],
            f"{_many(summary.uncounted_packets, 'packet')} of flows beyond the "
            f"{len(summary.flows):,} that are counted; `export` has their rows.",
        )


#: Reasons to skip a frame that are worth a finding: severity, code, what the frames are, advice.
_SKIPS = {
    Skip.UNKNOWN_LINK: (
        Severity.WARNING,
        Finding.UNKNOWN_LINK,
        "of a link type that is not read",
        "",
    ),
    Skip.DTLS: (
        Severity.WARNING,
        Finding.DTLS,
        "hold DTLS, which may carry SCTP (WebRTC data channels)",
        "; only SCTP in clear is read here",
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
    Skip.ICMP_QUOTE: (
        Severity.NOTE,
        Finding.ICMP_QUOTES,
        "are ICMP errors that quote an SCTP packet; the quotes are not counted",
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
                f"{_many(count, 'frame')} {what}{link}{advice}.",
            )
    snapped = summary.skipped.get(Skip.SNAPPED, 0) + summary.short_packets
    blind = sum(flow.blind_bytes for flow in summary.flows)
    if snapped or blind:
        text = f"Packets are cut: {blind:,} bytes of SCTP packets are not in the capture"
        if snapped:
            text += f", and {_many(snapped, 'frame')} end before the SCTP header does"
        yield CaptureFinding(Severity.WARNING, Finding.SNAPPED_PACKETS, [], f"{text}.")
    if summary.fragments_left_over:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.FRAGMENTS_LEFT_OVER,
            [],
            f"{_many(summary.fragments_left_over, 'IP fragment')} not decoded: the rest of the "
            "datagram is missing or cut.",
        )


def _flows(summary: Summary) -> Iterator[CaptureFinding]:
    yield from _checksums(summary.flows)
    for flow in summary.flows:
        broken = {k: v for k, v in flow.anomalies.items() if k not in _CUT}
        if broken:
            yield CaptureFinding(
                Severity.WARNING,
                Finding.MALFORMED_CHUNKS,
                sorted({flow.anomalies_first[word] for word in broken}),
                f"{flow_text(flow)}: chunks that could not be decoded: {_counted(broken)}.",
            )
        if flow.sacks and flow.sacks.malformed and flow.sacks.malformed_first:
            yield CaptureFinding(
                Severity.WARNING,
                Finding.MALFORMED_SACKS,
                [flow.sacks.malformed_first],
                f"{flow_text(flow)}: acknowledgements that contradict themselves: "
                f"{_counted(flow.sacks.malformed)}.",
            )


def _checksums(flows: list[Flow]) -> Iterator[CaptureFinding]:
    wrong = [flow for flow in flows if Checksum.WRONG in flow.checksums]
    right = {Checksum.CRC32C, Checksum.ADLER32}
    bad = [flow for flow in wrong if right & flow.checksums.keys()]
    for flow in bad:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.BAD_CHECKSUM,
            [flow.checksums_first[Checksum.WRONG]],
            f"{flow_text(flow)}: {flow.checksums[Checksum.WRONG]:,} of {flow.packets:,} packets "
            "have a wrong checksum; a receiver drops such packets.",
        )
    yield from _noted(
        [flow for flow in wrong if flow not in bad],
        Checksum.WRONG,
        Finding.UNFILLED_CHECKSUM,
        "never have a right checksum, as where the network card fills it in behind the capture; "
        "this is not taken for corruption",
    )
    yield from _noted(
        flows,
        Checksum.ZERO,
        Finding.ZERO_CHECKSUM,
        "have checksum zero (RFC 9653, or left to the network card)",
    )
    yield from _noted(
        flows,
        Checksum.ADLER32,
        Finding.ADLER32_CHECKSUM,
        "carry the Adler-32 of RFC 2960, which receivers of RFC 9260 drop",
    )


def _noted(flows: list[Flow], kind: Checksum, code: Finding, what: str) -> Iterator[CaptureFinding]:
    flows = [flow for flow in flows if kind in flow.checksums]
    if flows:
        packets = sum(flow.checksums[kind] for flow in flows)
        yield CaptureFinding(
            Severity.NOTE,
            code,
            sorted(flow.checksums_first[kind] for flow in flows),
            f"{_many(packets, 'packet')} of {_many(len(flows), 'flow')} {what}.",
        )


def flow_text(flow: Flow) -> str:
    """`source:port > destination:port tag 0x…`."""
    source, destination = _end(flow.source, flow.sport), _end(flow.destination, flow.dport)
    return f"{source} > {destination} tag {flow.vtag:#010x}"


def _end(address: str | None, port: int) -> str:
    return f"{address}:{port}" if address else f"port {port}"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{word} {count:,}" for word, count in counts.items())
