# SPDX-License-Identifier: BSD-2-Clause
"""Of real captures of others it is known, by reading them, what was really sent again: that is
found, and nothing else is claimed. The captures are not part of the project.

Rows are told by frame and TSN: how many associations a capture has may be judged otherwise."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.names import Kind, Verdict

from tests.captures import COLLECTION, name_of

FOLDERS = ("real", "wild")


@dataclass(frozen=True)
class Resend:
    """`why` it is one, read in the packets; `spurious`: whether it was, None where they are
    silent."""

    frame: int
    tsn: int
    spurious: bool | None
    why: str


#: Every retransmission of DATA in these captures. Each TSN that tshark shows twice for the same
#: ports and tag, each SACK with a gap or a duplicate, and each TSN out of order was looked at: the
#: others are frames that the capture has twice (the same IP-ID and checksum within 0.2 ms), or
#: TSNs that a display filter took away. Origins and licences:
#: ctd5g_example_11k: thomas-hoger/CTD-5G, GPL-3.0; open5gs_nonipsec_reg_reorder: open5gs/open5gs,
#: AGPL-3.0.
REAL = {
    "ctd5g_example_11k.pcapng": [
        Resend(
            *(7064, 4037335781, True),
            "TSN, tag and payload of frame 7056 100.2 ms later with the next IP-ID (0xc750): its"
            " SACK was delayed longer than the RTO; frame 7065 reports the duplicate",
        ),
        Resend(
            *(7229, 4037335782, True),
            "TSN, tag and payload of frame 7206 207.7 ms later with the next IP-ID (0xc756): it"
            " crosses its SACK, frame 7228, by 9 µs; frame 7231 reports the duplicate",
        ),
    ],
    "open5gs_nonipsec_reg_reorder.pcapng": [
        Resend(
            *(33, 813551811, False),
            "behind TSN 813551812 and a SACK that misses it (frames 30, 31); IP-IDs count 0x031e,"
            " 0x0320, so one packet with DF set was lost before the tap; this one has DF cleared,"
            " another IP-ID and comes in fragments: sent again smaller when the path refused it",
        ),
    ],
}

#: Made by hand, where no sender was: either answer will do.
EITHER = {
    "pcapplusplus_SctpAllPackets.pcap": {
        (8, 10): "TSN 10 as I-DATA, 6 s after TSN 10 as DATA; no sender mixes the two (RFC 8260)"
    }
}


def captures() -> list[Path]:
    """Each of them; none where they are absent."""
    files = (path for folder in FOLDERS for path in (COLLECTION / folder).glob("*"))
    return sorted(path for path in files if path.suffix != ".md")


pytestmark = pytest.mark.skipif(
    not (COLLECTION / "real").is_dir(), reason="the collection is not present beside the project"
)


def claimed(path: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """What is said to be sent again, by frame and TSN."""
    rows = sctp_rack.read(path, tables=["transmissions"]).transmissions
    return {(row["frame"], row["tsn"]): row for row in rows if row["kind"] == Kind.RETRANSMISSION}


def test_the_captures_that_were_read_are_there() -> None:
    names = {path.name for path in captures()}

    assert len(names) >= 30
    assert {*REAL, *EITHER} <= names


@pytest.mark.parametrize("path", captures(), ids=name_of)
def test_nothing_is_said_to_be_sent_again_that_was_not(path: Path) -> None:
    real = {(resend.frame, resend.tsn) for resend in REAL.get(path.name, ())}

    assert set(claimed(path)) - set(EITHER.get(path.name, ())) - real == set()


@pytest.mark.parametrize("name", REAL)
def test_what_was_really_sent_again_is_found(name: str) -> None:
    found = claimed(COLLECTION / "real" / name)

    assert {(resend.frame, resend.tsn) for resend in REAL[name]} <= set(found)


@pytest.mark.parametrize("name", REAL)
def test_no_verdict_on_a_real_resend_is_wrong(name: str) -> None:
    found = claimed(COLLECTION / "real" / name)
    for resend in REAL[name]:
        wrong = Verdict.NEEDED if resend.spurious else Verdict.SPURIOUS
        assert resend.spurious is None or found[resend.frame, resend.tsn]["verdict"] != wrong


def test_a_resend_whose_duplicate_was_reported_is_spurious() -> None:
    name = "ctd5g_example_11k.pcapng"
    found = claimed(COLLECTION / "real" / name)

    assert {found[one.frame, one.tsn]["verdict"] for one in REAL[name]} == {Verdict.SPURIOUS}
