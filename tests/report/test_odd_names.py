# SPDX-License-Identifier: BSD-2-Clause
"""Names that others chose, and long ones: nothing in them takes effect, nothing leaves the page."""

from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.comparison.compare import compare
from sctp_rack.comparison.comparison import comparison_lines
from sctp_rack.wording.harmless import harmless

from tests.analyzer.test_bad_input import run
from tests.browser import chromium
from tests.builder import layers, sctp
from tests.builder.talk import End, Talk
from tests.captures import SAMPLE
from tests.commands.called import called

#: Steers a terminal, turns text around, and ends a line.
ODD = "a\x1b[31m\u202e\u2066b\nc\u05e9\u05dc.pcapng"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain name.pcap", "plain name.pcap"),
        ("\u05e9\u05dc\u05d5\u05dd \u00e9.pcap", "\u05e9\u05dc\u05d5\u05dd \u00e9.pcap"),
        (ODD, "a\\x1b[31m\\u202e\\u2066b\\nc\u05e9\u05dc.pcapng"),
        ("\udcff", "\\udcff"),
    ],
    ids=["plain", "letters", "odd", "no UTF-8"],
)
def test_only_what_can_be_seen_is_shown_as_it_is(name: str, shown: str) -> None:
    assert harmless(name) == shown


def test_a_file_name_steers_no_terminal_and_turns_no_text_around(tmp_path: Path) -> None:
    odd = tmp_path / ODD
    odd.write_bytes(SAMPLE.read_bytes()[:60_000])  # it ends early, which names it once more
    capture = sctp_rack.read(odd)
    texts = [
        called("analyze", odd).stdout.decode(),
        run("report", odd, "-o", "-").stdout.decode().partition("<style>")[0],
        "\n".join(comparison_lines(compare([(odd.name, capture), ("other", capture)]))),
    ]

    for text in texts:
        assert "a\\x1b[31m\\u202e\\u2066b\\nc" in text
        assert not {"\x1b", "\u202e", "\u2066"} & set(text)


def _in_long_ipv6(packet: bytes, source: End, to: End, _ident: int) -> bytes:
    """Ends are the last part of an address."""
    long = "2001:db80:1111:2222:3333:4444:5555"
    src, dst = f"{long}:{source.address}", f"{long}:{to.address}"
    return layers.ipv6(layers.SCTP, packet, src=src, dst=dst)


def test_long_names_and_addresses_stay_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / f"{'long' * 50}.pcapng"
    talk = Talk(_in_long_ipv6)
    a, b = End("aaaa", 65534, 1), End("bbbb", 65535, 2)
    talk.say(a, b, sctp.data(1))
    talk.say(b, a, sctp.sack(1))
    talk.write(tmp_path).rename(path)
    assert called("report", path, "-o", tmp_path / "report.html").returncode == 0
    with chromium(tmp_path / "profile") as page:
        for width in (360, 1400):
            page.size(width, 900)
            page.open(tmp_path / "report.html")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
