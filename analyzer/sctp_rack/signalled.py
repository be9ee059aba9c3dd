# SPDX-License-Identifier: BSD-2-Clause
"""What the two sides of associations say that is wrong: handshakes refused or cut, ABORT, ERROR."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sctp_rack.counted import many
from sctp_rack.ends import end_text
from sctp_rack.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.names import Ended, Finding, Severity, Started
from sctp_rack.summary import Association, Reported, Side, Summary

#: RTO.Initial (RFC 9260 section 16): how long T1 waits for INIT ACK and COOKIE ACK at first.
_T1_NS = 1_000_000_000

#: Chunks of a handshake; ERROR may say that a cookie is stale (RFC 9260 section 5.2.6).
_HANDSHAKE = {"INIT", "INIT ACK", "COOKIE ECHO", "ERROR"}

#: Causes of RFC 9260 section 3.3.10 by their code.
_OUT_OF_RESOURCE, _UNKNOWN_CHUNK, _UNKNOWN_PARAMETERS, _USER, _VIOLATION = 4, 6, 8, 12, 13

#: What is behind an ABORT, by its cause.
_WHY = {
    _OUT_OF_RESOURCE: "it has no room for it",
    _USER: "its application closed it at once, or ended",
    _VIOLATION: "it got what the protocol forbids",
}


def signalled(summary: Summary) -> Iterator[CaptureFinding]:
    """Findings on handshakes that fail, on ABORT and on ERROR."""
    yield from _unanswered(summary)
    yield from _refused(summary)
    yield from _incomplete(summary)
    yield from _aborted(summary)
    yield from _errors(summary)


def _waited(summary: Summary, association: Association) -> bool:
    """The capture goes on for as long as the answer may take at first."""
    end, last = summary.last_time_ns, association.last_time_ns
    return end is not None and last is not None and end - last >= _T1_NS


def _unanswered(summary: Summary) -> Iterator[CaptureFinding]:
    those = [
        one
        for one in summary.associations
        if one.how_ended == Ended.UNANSWERED
        and (one.a.chunks.get("INIT", 0) > 1 or _waited(summary, one))
    ]
    if those:
        sent = sum(one.a.chunks.get("INIT", 0) for one in those)
        yield CaptureFinding(
            Severity.WARNING,
            Finding.UNANSWERED_INIT,
            _frames([one.first_frame for one in those]),
            f"INIT was never answered in {many(len(those), 'association')} "
            f"({many(sent, 'INIT')} to {_ends([one.b for one in those])}): "
            f"{_why_silent(summary, those)}.",
        )


def _why_silent(summary: Summary, those: Sequence[Association]) -> str:
    quoted = {error.destination for error in summary.icmp_errors}
    if all(end_text(one.b) in quoted for one in those):
        return "ICMP errors say why"
    return "the host is down or elsewhere, or something on the way drops INIT or its answer"


def _refused(summary: Summary) -> Iterator[CaptureFinding]:
    those = [one for one in summary.associations if _is_refused(one)]
    if those:
        causes = {_cause(error) for one in those for error in one.reported if error.side == "b"}
        yield CaptureFinding(
            Severity.WARNING,
            Finding.REFUSED_INIT,
            _frames([one.first_frame for one in those]),
            f"INIT was answered by ABORT in {many(len(those), 'association')}, by "
            f"{_ends([one.b for one in those])} ({', '.join(sorted(causes))}): nothing listens on "
            "that port, or who does takes no association from this peer.",
        )


def _is_refused(one: Association) -> bool:
    answer = one.b.chunks
    return (
        one.how_ended == Ended.ABORT
        and "INIT" in one.a.chunks
        and "ABORT" in answer
        and not {"INIT", "INIT ACK", "COOKIE ACK"} & answer.keys()
        and not _is_established(one)
    )


def _is_established(one: Association) -> bool:
    """A chunk was seen that no handshake has: or the capture begins behind it."""
    if one.how_started == Started.MIDDLE:
        return True
    sent = one.a.chunks.keys() | one.b.chunks.keys()
    return bool(sent - _HANDSHAKE - {"ABORT"})


def _incomplete(summary: Summary) -> Iterator[CaptureFinding]:
    """What follows INIT ACK or COOKIE ECHO did not come, though both sides were captured."""
    those = [
        one
        for one in summary.associations
        if one.how_ended == Ended.OPEN
        and not _is_established(one)
        and one.a.packets
        and one.b.packets
        and _waited(summary, one)
    ]
    if those:
        echoed = sum("COOKIE ECHO" in one.a.chunks.keys() | one.b.chunks.keys() for one in those)
        yield CaptureFinding(
            Severity.WARNING,
            Finding.INCOMPLETE_HANDSHAKE,
            _frames([one.first_frame for one in those]),
            f"Handshake begun and never completed in {many(len(those), 'association')} between "
            f"{_ends([one.a for one in those])} and {_ends([one.b for one in those])}: no COOKIE "
            f"ECHO after INIT ACK in {len(those) - echoed:,}, no COOKIE ACK after COOKIE ECHO in "
            f"{echoed:,}; packets are lost, or a side drops them without a word.",
        )


@dataclass(frozen=True)
class _Abort:
    """How associations ended that are told together."""

    cause: int | None
    label: str
    reflected: bool
    #: Whether its handshake was complete, and all data acknowledged.
    established: bool
    clean: bool


def _aborted(summary: Summary) -> Iterator[CaptureFinding]:
    kinds: defaultdict[_Abort, list[tuple[Association, Reported]]] = defaultdict(list)
    for one in summary.associations:
        first = next((error for error in one.reported if error.chunk == "ABORT"), None)
        if one.how_ended == Ended.ABORT and first and not _is_refused(one):
            established = _is_established(one)
            clean = established and not _outstanding(one) and first.cause == _USER
            kind = _Abort(first.cause, _cause(first), first.reflected, established, clean)
            kinds[kind].append((one, first))
    for kind, those in kinds.items():
        senders = _ends([one.a if error.side == "a" else one.b for one, error in those])
        when = "" if kind.established else " before their handshake was complete"
        lost = sum(_outstanding(one) for one, _ in those)
        left = f"; {lost:,} bytes were not acknowledged" if lost else ""
        yield CaptureFinding(
            Severity.NOTE if kind.clean else Severity.WARNING,
            Finding.ABORT,
            _frames([error.first_frame for _, error in those]),
            f"{many(len(those), 'association')} ended by ABORT{when}, by {senders} "
            f"({kind.label}){_why(kind)}{left}.",
        )


def _why(kind: _Abort) -> str:
    if kind.reflected:
        return ": it knows no such association, as after a restart (T bit)"
    why = _WHY.get(kind.cause) if kind.cause is not None else None
    return f": {why}" if why else ""


def _outstanding(one: Association) -> int:
    """Bytes that were sent and never acknowledged."""
    return sum(side.flow.necessary_bytes for side in (one.a, one.b) if side.flow)


def _errors(summary: Summary) -> Iterator[CaptureFinding]:
    """ERROR chunks; of what is only unknown to the peer, and skipped, a note."""
    kinds: defaultdict[tuple[int | None, str], list[tuple[Side, Reported]]] = defaultdict(list)
    for one in summary.associations:
        for error in one.reported:
            if error.chunk == "ERROR":
                side = one.a if error.side == "a" else one.b
                kinds[error.cause, _cause(error)].append((side, error))
    for (cause, label), those in kinds.items():
        count = sum(error.count for _, error in those)
        skipped = cause in (_UNKNOWN_CHUNK, _UNKNOWN_PARAMETERS)
        told = "it does not know what it was sent, and goes on without" if skipped else ""
        yield CaptureFinding(
            Severity.NOTE if skipped else Severity.WARNING,
            Finding.ERROR_CAUSES,
            _frames([error.first_frame for _, error in those]),
            f"{many(count, 'ERROR')} of {_ends([side for side, _ in those])} in "
            f"{many(len(those), 'association')}: {label}{f': {told}' if told else ''}.",
        )
    if more := sum(one.reported_more for one in summary.associations):
        yield CaptureFinding(
            Severity.NOTE,
            Finding.ERROR_CAUSES,
            _frames([one.first_frame for one in summary.associations if one.reported_more]),
            f"{many(more, 'more cause')} of ABORT and ERROR, of kinds not told one by one.",
        )


def _cause(error: Reported) -> str:
    """Its name as the RFC writes it, and what its sender wrote."""
    if error.cause is None:
        return "no cause given"
    name = error.cause_name or f"cause {error.cause}"
    return f'{name}, "{error.reason}"' if error.reason else name


def _ends(sides: Sequence[Side]) -> str:
    """`address:port` where it is the same of all, else how many there are."""
    texts = sorted({end_text(side) for side in sides})
    return texts[0] if len(texts) == 1 else f"{len(texts):,} ends, among them {texts[0]}"


def _frames(frames: Sequence[int]) -> list[int]:
    return sorted(frames)[:MOST_FRAMES]
