# SPDX-License-Identifier: BSD-2-Clause
"""DTLS that could not be decrypted, and why."""

from collections.abc import Iterator

from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.names import Finding, Severity, Skip, Unopened
from sctp_rack.readers.tshark import TsharkSource
from sctp_rack.summary.summary import Dtls, Summary
from sctp_rack.wording.counted import many

#: What is said of the records of so many connections, and what to do about it.
WHY = {
    Unopened.NO_HANDSHAKE: "whose handshake is not in the capture: start it before the session",
    Unopened.NO_KEY: "whose keys are not in the key log",
    Unopened.CIPHER: "of a version or cipher suite that is not read; `--reader tshark` may know it",
    Unopened.WRONG_KEY: "that are not authentic with the keys of their session: damaged on the "
    "way, or the key log has other keys for it",
    Unopened.CUT: "that are cut in the capture",
    Unopened.NO_LIBRARY: "and this build of sctp-rack has no ciphers, as OpenSSL was missing where "
    "it was built: `--reader tshark` decrypts them",
}

_NO_KEYS = (
    "; `--keylog FILE` decrypts it with the keys of the session, which the capture file may hold "
    "as well"
)


def undecrypted(summary: Summary) -> Iterator[CaptureFinding]:
    """DTLS that could not be read."""
    dtls = summary.dtls
    if summary.format == TsharkSource.format:
        yield from _by_tshark(summary)
        return
    if dtls.unopened:
        yield CaptureFinding(
            Severity.WARNING,
            Finding.DTLS,
            sorted(set(dtls.unopened_first.values())),
            f"{_hidden(summary, dtls)}{_whys(dtls)}.",
        )
    if dtls.opened and not dtls.packets:
        yield CaptureFinding(
            Severity.NOTE,
            Finding.DTLS,
            [],
            f"{many(dtls.opened, 'record')} of DTLS decrypted, and none holds SCTP.",
        )


def _by_tshark(summary: Summary) -> Iterator[CaptureFinding]:
    """What tshark could not read: it does not say why."""
    if frames := summary.skipped.get(Skip.DTLS):
        yield CaptureFinding(
            Severity.WARNING,
            Finding.DTLS,
            [summary.skipped_first[Skip.DTLS]],
            f"{many(frames, 'frame')} hold DTLS, which may carry SCTP (WebRTC data channels); "
            "tshark cannot decrypt it: it needs the keys of this very session and its handshake "
            "in the capture, and for DTLS 1.3 Wireshark 4.4 or later.",
        )


def _hidden(summary: Summary, dtls: Dtls) -> str:
    what = "DTLS that was not decrypted, which may carry SCTP (WebRTC data channels)"
    if frames := summary.skipped.get(Skip.DTLS):
        return f"{many(frames, 'frame')} {'holds' if frames == 1 else 'hold'} {what}"
    return f"{many(sum(dtls.unopened.values()), 'record')} of {what}"


def _whys(dtls: Dtls) -> str:
    if set(dtls.unopened) == {Unopened.NO_KEY} and not dtls.secrets:
        return _NO_KEYS
    return ": " + "; ".join(
        f"{many(count, 'record')} of {many(dtls.unopened_sessions[word], 'connection')} "
        f"{WHY[Unopened(word)]}"
        for word, count in dtls.unopened.items()
    )
