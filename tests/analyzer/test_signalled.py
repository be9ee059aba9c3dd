# SPDX-License-Identifier: BSD-2-Clause
"""Handshakes that fail, ABORT and ERROR are findings that say who, why and where to look."""

import struct
import unicodedata
from pathlib import Path

import pytest
from sctp_rack._core import ffi, lib
from sctp_rack.findings import looks
from sctp_rack.findings.find import find
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.signalled import signalled
from sctp_rack.names import Finding, Severity

from tests.builder import sctp
from tests.builder.talk import (
    ABORT,
    COOKIE_ECHO,
    INIT_ACK,
    A,
    B,
    End,
    Talk,
    init,
    shutdown,
    summary,
)
from tests.captures import COLLECTION, needs_collection

SECOND = 1_000_000
ERROR, SHUTDOWN_ACK, SHUTDOWN_COMPLETE, T_BIT = 9, 8, 14, 1
STALE_COOKIE, OUT_OF_RESOURCE, UNKNOWN_CHUNK, USER, VIOLATION = 3, 4, 6, 12, 13


def cause(code: int, value: bytes = b"") -> bytes:
    """An error cause (RFC 9260 section 3.3.10)."""
    return struct.pack(">HH", code, 4 + len(value)) + value + bytes(-len(value) % 4)


def told(talk: Talk, folder: Path) -> list[CaptureFinding]:
    """What is said of a capture."""
    capture = summary(talk.write(folder))
    return looks.found(capture.associations, signalled(capture))


def found(talk: Talk, folder: Path) -> dict[str, CaptureFinding]:
    """By code; no code twice."""
    findings = told(talk, folder)
    assert len({finding.code for finding in findings}) == len(findings)
    return {finding.code: finding for finding in findings}


def later(talk: Talk, us: int = 2 * SECOND) -> None:
    """The capture goes on with packets of others."""
    talk.say(End("10.9.9.1", 1, 1), End("10.9.9.2", 2, 2), sctp.data(1), later_us=us)


def transfer(talk: Talk) -> None:
    """An association that has carried something."""
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))


def test_a_handshake_a_transfer_and_a_shutdown_have_none(tmp_path: Path) -> None:
    talk = Talk()
    transfer(talk)
    talk.say(A, B, shutdown(999))
    talk.say(B, A, sctp.chunk(SHUTDOWN_ACK, 0, b""))
    talk.say(A, B, sctp.chunk(SHUTDOWN_COMPLETE, 0, b""))
    later(talk)

    assert found(talk, tmp_path) == {}


def test_inits_that_are_refused_again_and_again_are_one_finding(tmp_path: Path) -> None:
    talk, frames = Talk(), []
    for tag in range(1, 51):
        a = End(A.address, A.port, tag)
        frames.append(talk.say(a, B, init(a), vtag=0, later_us=10 * SECOND))
        talk.say(B, a, sctp.chunk(ABORT, 0, b""), later_us=100)
    findings = found(talk, tmp_path)
    finding = findings[Finding.REFUSED_INIT]

    assert list(findings) == [Finding.REFUSED_INIT]
    assert finding.severity == Severity.WARNING and finding.frames == frames[:8]
    assert finding.text.startswith(
        "INIT was answered by ABORT in 50 associations, by 10.0.0.2:6000 (no cause given): "
    )


@pytest.mark.parametrize(("causes", "more"), [(8, ""), (9, ", 1 more"), (2000, ", 1,992 more")])
def test_of_many_causes_of_refusals_some_are_named(tmp_path: Path, causes: int, more: str) -> None:
    talk = Talk()
    for tag in range(1, causes + 1):
        a = End(A.address, A.port, tag)
        talk.say(a, B, init(a), vtag=0, later_us=10 * SECOND)
        talk.say(B, a, sctp.chunk(ABORT, 0, cause(USER, b"%04d" % tag)), later_us=100)
    (finding,) = found(talk, tmp_path).values()

    named = ", ".join(f'User-Initiated Abort, "{tag:04}"' for tag in range(1, 9))
    assert f"({named}{more}): " in finding.text


def test_the_cause_of_a_refusal_is_named_with_what_its_sender_wrote(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, sctp.chunk(ABORT, 0, cause(USER, b"not today\0\1\2")))

    assert '(User-Initiated Abort, "not today")' in found(talk, tmp_path)[Finding.REFUSED_INIT].text


def test_an_init_without_an_answer_is_told_once_its_timer_expired(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    later(talk, SECOND // 2)

    assert found(talk, tmp_path) == {}

    later(talk, SECOND)
    assert "(1 INIT to 10.0.0.2:6000)" in found(talk, tmp_path)[Finding.UNANSWERED_INIT].text


def test_an_init_that_is_sent_again_was_not_answered(tmp_path: Path) -> None:
    talk = Talk()
    for _ in range(3):
        frame = talk.say(A, B, init(A), vtag=0)
    finding = found(talk, tmp_path)[Finding.UNANSWERED_INIT]

    assert finding.frames == [frame - 2]
    assert "in 1 association (3 INITs to 10.0.0.2:6000): the host is down" in finding.text


@pytest.mark.parametrize(
    ("echoes", "text"),
    [(0, "no COOKIE ECHO after INIT ACK in 1,"), (2, "no COOKIE ACK after COOKIE ECHO in 1;")],
)
def test_a_handshake_that_never_completes_is_a_finding(
    tmp_path: Path, echoes: int, text: str
) -> None:
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, init(B, INIT_ACK))
    for _ in range(echoes):
        talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"))

    assert found(talk, tmp_path) == {}  # the capture may end within it

    later(talk)
    findings = found(talk, tmp_path)
    assert list(findings) == [Finding.INCOMPLETE_HANDSHAKE]
    assert text in findings[Finding.INCOMPLETE_HANDSHAKE].text


def test_a_handshake_of_which_one_direction_was_captured_is_not_incomplete(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(B, A, init(B, INIT_ACK))
    later(talk)

    assert found(talk, tmp_path) == {}


def test_an_abort_of_the_application_with_all_acknowledged_is_a_note(tmp_path: Path) -> None:
    talk = Talk()
    transfer(talk)
    frame = talk.say(A, B, sctp.chunk(ABORT, 0, cause(USER)))
    finding = found(talk, tmp_path)[Finding.ABORT]

    assert (finding.severity, finding.frames) == (Severity.NOTE, [frame])
    assert finding.text == (
        "1 association ended by ABORT, by 10.0.0.1:5000 (User-Initiated Abort): its application "
        "closed it at once, or ended."
    )


def test_an_abort_with_data_outstanding_is_a_warning(tmp_path: Path) -> None:
    talk = Talk()
    transfer(talk)
    talk.say(A, B, sctp.data(1001))
    talk.say(B, A, sctp.chunk(ABORT, 0, cause(USER)))
    finding = found(talk, tmp_path)[Finding.ABORT]

    assert finding.severity == Severity.WARNING
    assert finding.text.endswith("; 8 bytes were not acknowledged.")


@pytest.mark.parametrize(
    ("flags", "causes", "text"),
    [
        (0, cause(VIOLATION, b"bad chunk"), '(Protocol Violation, "bad chunk"): it got what'),
        (0, cause(OUT_OF_RESOURCE), "(Out of Resource): it has no room for it"),
        (0, cause(4711), "(cause 4711)."),
        (0, b"\0\1", "(no cause given)."),
        (0, cause(VIOLATION, b"\xff\xfe\x00\x01"), "(Protocol Violation): it got what"),
        (T_BIT, b"", "(no cause given): it knows no such association, as after a restart (T bit)"),
    ],
)
def test_an_abort_says_its_cause(tmp_path: Path, flags: int, causes: bytes, text: str) -> None:
    talk = Talk()
    transfer(talk)
    talk.say(B, A, sctp.chunk(ABORT, flags, causes), vtag=B.vtag if flags else None)
    finding = found(talk, tmp_path)[Finding.ABORT]

    assert finding.severity == Severity.WARNING
    assert f"by 10.0.0.2:6000 {text}" in finding.text


def test_an_abort_before_init_is_answered_is_not_that_of_the_other_side(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(A, B, sctp.chunk(ABORT, 0, cause(USER)), vtag=A.vtag)
    findings = found(talk, tmp_path)

    assert Finding.REFUSED_INIT not in findings
    assert "before their handshake was complete, by 10.0.0.1:5000" in findings[Finding.ABORT].text


def test_an_abort_with_a_wrong_checksum_says_nothing(tmp_path: Path) -> None:
    talk = Talk()
    transfer(talk)
    talk.say(A, B, sctp.chunk(ERROR, 0, cause(STALE_COOKIE, bytes(4))), checksum=sctp.wrong)

    assert found(talk, tmp_path) == {}


@pytest.mark.parametrize(
    ("causes", "severity", "text"),
    [
        (cause(STALE_COOKIE, bytes(4)), Severity.WARNING, "in 1 association: Stale Cookie."),
        (cause(UNKNOWN_CHUNK, bytes(4)), Severity.NOTE, "Unrecognized Chunk Type: it does not"),
        (b"", Severity.WARNING, "no cause given."),
    ],
)
def test_error_chunks_are_counted_by_their_cause(
    tmp_path: Path, causes: bytes, severity: Severity, text: str
) -> None:
    talk = Talk()
    transfer(talk)
    frame = talk.say(B, A, sctp.chunk(ERROR, 0, causes))
    talk.say(B, A, sctp.chunk(ERROR, 0, causes))
    finding = found(talk, tmp_path)[Finding.ERROR_CAUSES]

    assert (finding.severity, finding.frames) == (severity, [frame])
    assert finding.text.startswith("2 ERRORs of 10.0.0.2:6000 in 1 association: ")
    assert text in finding.text


def test_of_many_causes_the_first_kinds_are_told(tmp_path: Path) -> None:
    talk = Talk()
    transfer(talk)
    talk.say(B, A, sctp.chunk(ERROR, 0, b"".join(cause(code) for code in range(100, 1100))))
    findings = told(talk, tmp_path)

    assert len(findings) == 5 and all(one.code == Finding.ERROR_CAUSES for one in findings)
    assert findings[-1].text == "996 more causes of ABORT and ERROR, of kinds not told one by one."


@needs_collection
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "wswiki_sctphandshakefail.pcap",
            ["ABORT in 46 associations", "4 associations ended by ABORT", "16 bytes were not"],
        ),
        ("osmoiuh_hnbap_ue_register.pcap", ["ABORT in 2 associations, by 192.168.0.51:29169"]),
    ],
)
def test_real_captures_of_refused_inits_say_so_first(name: str, texts: list[str]) -> None:
    path = COLLECTION / "real" / name
    if not path.is_file():
        pytest.skip("this capture is not in the collection")
    findings = find(summary(path))

    assert len(findings) == len(texts)
    for finding, text in zip(findings, texts, strict=True):
        assert finding.severity == Severity.WARNING and text in finding.text


def reason(text: bytes) -> str | None:
    """What is told of the text of an ABORT."""
    error = ffi.new("struct sr_error *")
    error.text, error.text_length = text, len(text)
    length = ffi.new("uint32_t *")
    begin = lib.sr_error_reason(error, length)
    return None if begin == ffi.NULL else bytes(ffi.buffer(begin, length[0])).decode()


def test_a_reason_ends_before_what_is_not_seen() -> None:
    """As Python has it, of each that is a control, a format, a separator, a number or a sign."""
    for number in range(0x110000):
        character = chr(number)
        kind = unicodedata.category(character)
        if kind[0] in "NPZ" or kind in {"Cc", "Cf"}:
            text = f"abc{character}d"
            expected = text if character.isprintable() else "abc"
            assert reason(text.encode()) == expected, hex(number)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"ab", None),
        (b"  ab  ", None),
        (b"  abc  ", "abc"),
        ("für".encode(), "für"),
        ("\U0001f600 ok".encode(), "\U0001f600 ok"),
        (b"abc\xc3", "abc"),
        (b"abc\xc0\x80d", "abc"),
        (b"abc\xed\xa0\x80d", "abc"),
        (b"abc\xf4\x90\x80\x80d", "abc"),
        (b"abc\x80d", "abc"),
        (b"abc\xffd", "abc"),
    ],
)
def test_a_reason_is_a_text(text: bytes, said: str | None) -> None:
    assert reason(text) == said
