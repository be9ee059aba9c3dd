# SPDX-License-Identifier: BSD-2-Clause
"""A time or a word in the preferences that is none is told once and not used."""

import pytest
from sctp_rack.names import Profile

from tests.captures import SAMPLE
from tests.plugin.wireshark import Wireshark


@pytest.fixture(scope="module")
def untold(wireshark: Wireshark) -> str:
    """What is counted when nothing is told."""
    return wireshark.tshark(SAMPLE, "-2", "-q", "-z", "sctp_rack,stat")


@pytest.mark.parametrize(
    ("name", "bad"),
    [("loop", "12 ms"), ("loop", "-5"), ("max_ack_delay", "3600001"), ("max_ack_delay", "nan")],
)
def test_a_time_that_is_none_is_complained_of_once(
    name: str, bad: str, untold: str, wireshark: Wireshark
) -> None:
    options = ("-o", f"sctp_rack.{name}:{bad}", "-2", "-q", "-z", "sctp_rack,stat")
    done = wireshark.process("tshark", "-r", str(wireshark.capture(SAMPLE)), *options)
    complaint = f'sctp_rack.{name}: "{bad}" is no time from 0 to 3600000 milliseconds'
    assert done.stderr.count(complaint) == 1, done.stderr
    assert done.stdout == untold


@pytest.mark.parametrize(
    ("name", "bad", "words"),
    [
        ("vantage", "sendr", ["measured", "sender", "middle", "receiver"]),
        ("sender", "pian", ["measured", *Profile]),
        ("profile", "measured", list(Profile)),
    ],
)
def test_a_word_that_is_none_is_complained_of_with_those_that_are(
    name: str, bad: str, words: list[str], untold: str, wireshark: Wireshark
) -> None:
    options = ("-o", f"sctp_rack.{name}:{bad}", "-2", "-q", "-z", "sctp_rack,stat")
    done = wireshark.process("tshark", "-r", str(wireshark.capture(SAMPLE)), *options)
    listed = f"{', '.join(words[:-1])} or {words[-1]}"
    assert done.stderr.count(f'sctp_rack.{name}: "{bad}" is not {listed}') == 1, done.stderr
    assert done.stdout == untold


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("vantage", "At the data sender"),
        ("sender", "usrsctp and FreeBSD"),
        ("profile", "Three missing reports and T3-rtx (RFC 9260)"),
    ],
)
def test_what_the_window_writes_into_the_preferences_file_is_understood(
    name: str, written: str, wireshark: Wireshark
) -> None:
    options = ("-o", f"sctp_rack.{name}:{written}", "-c", "1")
    done = wireshark.process("tshark", "-r", str(wireshark.capture(SAMPLE)), *options)
    assert "as if nothing was said" not in done.stderr


def test_a_fraction_of_a_millisecond_is_a_time(wireshark: Wireshark) -> None:
    options = ("-o", "sctp_rack.loop:0.25", "-o", "sctp_rack.max_ack_delay:12.5", "-c", "1")
    done = wireshark.process("tshark", "-r", str(wireshark.capture(SAMPLE)), *options)
    assert "is no time" not in done.stderr
