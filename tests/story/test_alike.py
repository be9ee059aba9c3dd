# SPDX-License-Identifier: BSD-2-Clause
"""Of many findings of one kind one line is shown, which counts them."""

import io

from sctp_rack.binding.session import Session
from sctp_rack.findings.alike import MOST_ALIKE, gathered
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.names import Finding, Severity
from sctp_rack.recovery.gathering import TABLES
from sctp_rack.summary.of_session import summarise
from sctp_rack.summary.show import write_text

from tests.captures import SAMPLE


def alike(count: int, severity: Severity = Severity.WARNING) -> list[CaptureFinding]:
    """One for each association."""
    return [
        CaptureFinding(severity, Finding.BAD_CHECKSUM, [10 + at], f"Association {at}: odd.", at)
        for at in range(count)
    ]


def test_many_of_a_kind_become_one_that_counts_them() -> None:
    other = CaptureFinding(Severity.NOTE, Finding.DTLS, [3], "Else.")
    one, last = gathered([*alike(997), other])

    assert one.text == (
        "Association 0: odd. And 996 other findings of this kind; `analyze --json` has each."
    )
    assert one.frames == list(range(10, 18)) and one.assoc is None
    assert last == other


def test_a_few_of_a_kind_stay_one_by_one() -> None:
    assert gathered(alike(MOST_ALIKE)) == alike(MOST_ALIKE)


def test_kinds_are_told_apart_by_severity() -> None:
    mixed = [*alike(MOST_ALIKE), *alike(MOST_ALIKE, Severity.NOTE)]

    assert gathered(mixed) == mixed


def test_the_text_shows_one_line_of_a_kind() -> None:
    output = io.StringIO()
    write_text(summarise(Session(str(SAMPLE), TABLES)), alike(997), output)

    assert output.getvalue().count("odd.") == 1 and "996 other findings" in output.getvalue()
