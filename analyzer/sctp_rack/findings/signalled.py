# SPDX-License-Identifier: BSD-2-Clause
"""What the two sides of associations say that is wrong: handshakes refused or cut, ABORT, ERROR."""

from collections import defaultdict
from dataclasses import dataclass, field

from sctp_rack._core import lib
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import FirstFrames, Look, together, unanswered_of
from sctp_rack.findings.say import say
from sctp_rack.names import Ended, Finding, Severity, Started
from sctp_rack.summary.summary import Association, Reported, Summary, Unanswered
from sctp_rack.wording.ends import end_text

#: Chunks of a handshake; ERROR may say that a cookie is stale (RFC 9260 section 5.2.6).
_HANDSHAKE = {"INIT", "INIT ACK", "COOKIE ECHO", "ERROR"}

#: Causes of RFC 9260 section 3.3.10 by their code.
_OUT_OF_RESOURCE, _UNKNOWN_CHUNK, _UNKNOWN_PARAMETERS, _USER, _VIOLATION = 4, 6, 8, 12, 13

#: The sentence of what is behind an ABORT, by its cause.
_WHY = {
    _OUT_OF_RESOURCE: "abort.no_room",
    _USER: "abort.application",
    _VIOLATION: "abort.violation",
}


@dataclass(slots=True)
class _Those:
    """Associations that one finding tells of."""

    count: int = 0
    #: Of chunks or bytes that are counted.
    amount: int = 0
    #: `address:port` of who is told of.
    ends: set[str] = field(default_factory=set)
    frames: FirstFrames = field(default_factory=FirstFrames)

    def add(self, end: str, frame: int, amount: int = 0) -> None:
        """One more."""
        self.count += 1
        self.amount += amount
        self.ends.add(end)
        self.frames.add(frame)


def signalled(summary: Summary) -> Look:
    """Findings on handshakes that fail, on ABORT and on ERROR."""
    return together(_unanswered(summary), _refused(), _incomplete(summary), _aborted(), _errors())


def _waited(summary: Summary, association: Association | Unanswered) -> bool:
    """The capture goes on for as long as the answer may take at first."""
    end, last = summary.last_time_ns, association.last_time_ns
    return end is not None and last is not None and end - last >= lib.SR_T1_NS


def _unanswered(summary: Summary) -> Look:
    those = _Those()
    for same in unanswered_of(summary.associations):
        if same.inits > 1 or _waited(summary, same):
            those.add(same.end, same.first_frame, same.inits)
    while (one := (yield)) is not None:
        sent = one.a.chunks.get("INIT", 0)
        if one.how_ended == Ended.UNANSWERED and (sent > 1 or _waited(summary, one)):
            those.add(end_text(one.b), one.first_frame, sent)
    if not those.count:
        return []
    return [
        CaptureFinding(
            Severity.WARNING,
            Finding.UNANSWERED_INIT,
            those.frames.lowest,
            say(
                Finding.UNANSWERED_INIT,
                associations=those.count,
                inits=those.amount,
                ends=_ends(those.ends),
                why=_why_silent(summary, those.ends),
            ),
        )
    ]


def _why_silent(summary: Summary, ends: set[str]) -> str:
    if ends <= {error.destination for error in summary.icmp_errors}:
        return say("unanswered_init.icmp")
    return say("unanswered_init.silent")


def _refused() -> Look:
    those, causes = _Those(), set[str]()
    while (one := (yield)) is not None:
        if _is_refused(one):
            those.add(end_text(one.b), one.first_frame)
            causes |= {_cause(error) for error in one.reported if error.side == "b"}
    if not those.count:
        return []
    return [
        CaptureFinding(
            Severity.WARNING,
            Finding.REFUSED_INIT,
            those.frames.lowest,
            say(
                Finding.REFUSED_INIT,
                associations=those.count,
                ends=_ends(those.ends),
                causes=_causes(causes),
            ),
        )
    ]


def _causes(causes: set[str]) -> str:
    named, more = sorted(causes)[: lib.SR_MOST_CAUSES], len(causes) - lib.SR_MOST_CAUSES
    return ", ".join(named) + (say("refused_init.more", causes=more) if more > 0 else "")


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


def _incomplete(summary: Summary) -> Look:
    """What follows INIT ACK or COOKIE ECHO did not come, though both sides were captured."""
    those, from_b = _Those(), _Those()
    while (one := (yield)) is not None:
        if (
            one.how_ended == Ended.OPEN
            and not _is_established(one)
            and one.a.packets
            and one.b.packets
            and _waited(summary, one)
        ):
            echoed = "COOKIE ECHO" in one.a.chunks.keys() | one.b.chunks.keys()
            those.add(end_text(one.a), one.first_frame, echoed)
            from_b.add(end_text(one.b), one.first_frame)
    if not those.count:
        return []
    return [
        CaptureFinding(
            Severity.WARNING,
            Finding.INCOMPLETE_HANDSHAKE,
            those.frames.lowest,
            say(
                Finding.INCOMPLETE_HANDSHAKE,
                associations=those.count,
                a=_ends(those.ends),
                b=_ends(from_b.ends),
                begun=those.count - those.amount,
                echoed=those.amount,
            ),
        )
    ]


@dataclass(frozen=True)
class _Abort:
    """How associations ended that are told together."""

    cause: int | None
    label: str
    reflected: bool
    #: Whether its handshake was complete, and all data acknowledged.
    established: bool
    clean: bool


def _aborted() -> Look:
    kinds: defaultdict[_Abort, _Those] = defaultdict(_Those)
    while (one := (yield)) is not None:
        first = next((error for error in one.reported if error.chunk == "ABORT"), None)
        if one.how_ended == Ended.ABORT and first and not _is_refused(one):
            established, lost = _is_established(one), _outstanding(one)
            clean = established and not lost and first.cause == _USER
            kind = _Abort(first.cause, _cause(first), first.reflected, established, clean)
            sender = one.a if first.side == "a" else one.b
            kinds[kind].add(end_text(sender), first.first_frame, lost)
    return [_abort(kind, those) for kind, those in kinds.items()]


def _abort(kind: _Abort, those: _Those) -> CaptureFinding:
    when = "" if kind.established else say("abort.early")
    left = say("abort.left", bytes=those.amount) if those.amount else ""
    return CaptureFinding(
        Severity.NOTE if kind.clean else Severity.WARNING,
        Finding.ABORT,
        those.frames.lowest,
        say(
            Finding.ABORT,
            associations=those.count,
            when=when,
            ends=_ends(those.ends),
            cause=kind.label,
            why=_why(kind),
            left=left,
        ),
    )


def _why(kind: _Abort) -> str:
    if kind.reflected:
        return say("abort.reflected")
    why = _WHY.get(kind.cause) if kind.cause is not None else None
    return say(why) if why else ""


def _outstanding(one: Association) -> int:
    """Bytes that were sent and never acknowledged."""
    return sum(side.flow.necessary_bytes for side in (one.a, one.b) if side.flow)


def _errors() -> Look:
    """ERROR chunks; of what is only unknown to the peer, and skipped, a note."""
    kinds: defaultdict[tuple[int | None, str], _Those] = defaultdict(_Those)
    more, frames = 0, FirstFrames()
    while (one := (yield)) is not None:
        for error in one.reported:
            if error.chunk == "ERROR":
                side = one.a if error.side == "a" else one.b
                kind = error.cause, _cause(error)
                kinds[kind].add(end_text(side), error.first_frame, error.count)
        if one.reported_more:
            more += one.reported_more
            frames.add(one.first_frame)
    findings = [_error(cause, label, those) for (cause, label), those in kinds.items()]
    if more:
        text = say("error_causes.more", causes=more)
        findings.append(CaptureFinding(Severity.NOTE, Finding.ERROR_CAUSES, frames.lowest, text))
    return findings


def _error(cause: int | None, label: str, those: _Those) -> CaptureFinding:
    skipped = cause in (_UNKNOWN_CHUNK, _UNKNOWN_PARAMETERS)
    return CaptureFinding(
        Severity.NOTE if skipped else Severity.WARNING,
        Finding.ERROR_CAUSES,
        those.frames.lowest,
        say(
            Finding.ERROR_CAUSES,
            errors=those.amount,
            ends=_ends(those.ends),
            associations=those.count,
            cause=label,
            skipped=say("error_causes.skipped") if skipped else "",
        ),
    )


def _cause(error: Reported) -> str:
    """Its name as the RFC writes it, and what its sender wrote."""
    if error.cause is None:
        return "no cause given"
    name = error.cause_name or f"cause {error.cause}"
    return f'{name}, "{error.reason}"' if error.reason else name


def _ends(texts: set[str]) -> str:
    """`address:port` where it is the same of all, else how many there are."""
    return min(texts) if len(texts) == 1 else say("ends.several", ends=len(texts), one=min(texts))
