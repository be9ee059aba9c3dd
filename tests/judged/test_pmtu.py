# SPDX-License-Identifier: BSD-2-Clause
"""What is sent again since it was too large for the path."""

from pathlib import Path

from tests.builder import layers, sctp
from tests.builder.talk import A, B, End, Talk, rows

MS = 1000


class _Carrier:
    """IPv4 whose DF bit can be turned off."""

    whole = True

    def __call__(self, packet: bytes, source: End, to: End, ident: int) -> bytes:
        return layers.ipv4(
            layers.SCTP,
            packet,
            ident=ident,
            whole=self.whole,
            src=source.address,
            dst=to.address,
        )


def _cause(folder: Path, *, whole_before: bool, whole_again: bool) -> str:
    """Of TSN 1000, sent again 15 ms after a report that it is missing."""
    carrier = _Carrier()
    talk = Talk(carrier)
    talk.handshake_at_sender(away_us=20 * MS)
    carrier.whole = whole_before
    talk.say(A, B, sctp.data(tsn=1000, payload=bytes(1400)))
    talk.say(A, B, sctp.data(tsn=1001))
    carrier.whole = True
    talk.say(B, A, sctp.sack(cum=999, gaps=[(2, 2)]), later_us=20 * MS)
    carrier.whole = whole_again
    talk.say(A, B, sctp.data(tsn=1000, payload=bytes(1400)), later_us=15 * MS)
    carrier.whole = True
    talk.say(B, A, sctp.sack(cum=1001), later_us=20 * MS)
    again = [row for row in rows(talk.write(folder), "transmissions") if row["copy"] == 2]
    assert [row["kind"] for row in again] == ["retransmission"]
    return str(again[0]["cause"])


def test_a_resend_that_may_be_fragmented_was_too_large_for_the_path(tmp_path: Path) -> None:
    assert _cause(tmp_path, whole_before=True, whole_again=False) == "pmtu"


def test_a_resend_that_may_not_be_fragmented_was_sent_for_another_reason(tmp_path: Path) -> None:
    assert _cause(tmp_path, whole_before=True, whole_again=True) != "pmtu"


def test_where_all_packets_may_be_fragmented_that_says_nothing(tmp_path: Path) -> None:
    assert _cause(tmp_path, whole_before=False, whole_again=False) != "pmtu"


def test_what_was_too_large_does_not_tell_whose_loss_detection_it_is(tmp_path: Path) -> None:
    _cause(tmp_path, whole_before=True, whole_again=False)
    (path,) = (row for row in rows(tmp_path / "talk.pcapng", "paths") if row["dir"] == "a2b")

    assert (path["profile"], path["profile_score"], path["sender_has_rack"]) == (None, None, None)
