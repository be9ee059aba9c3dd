# SPDX-License-Identifier: BSD-2-Clause
"""What is repeated on the way fares as what it repeats, and a copy is no surer to have arrived than
that it was the first."""

from pathlib import Path

import pytest
import sctp_rack

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows
from tests.captures import BUNDLED


@pytest.mark.parametrize(
    ("later_us", "kind"), [(10, "capture_duplicate"), (5000, "network_duplicate")]
)
@pytest.mark.parametrize("acknowledged", [True, False])
def test_a_duplicate_is_acknowledged_if_its_tsn_is(
    tmp_path: Path, later_us: int, kind: str, acknowledged: bool
) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))
    talk.say(A, B, sctp.data(1001), ident=900)
    talk.say(A, B, sctp.data(1001), ident=900, later_us=later_us)
    if acknowledged:
        talk.say(B, A, sctp.sack(1001))
    _, first, again = rows(talk.write(tmp_path), "transmissions")

    assert again["kind"] == kind
    assert first["outcome"] == again["outcome"] == ("acked" if acknowledged else "unresolved")
    if not acknowledged or kind == "capture_duplicate":
        assert first["outcome_class"] == again["outcome_class"]


def test_a_copy_is_no_surer_to_have_arrived_than_to_be_the_first() -> None:
    """Where the tap does not see it arrive."""
    seen = 0
    for path in sorted(BUNDLED.glob("*.pcap*")):
        capture = sctp_rack.read(path)
        at_receiver = {
            (row["assoc"], row["dir"])
            for row in capture.table("paths")
            if row["vantage"] == "receiver"
        }
        for row in capture.transmissions:
            first_seen = row["kind"] == "retransmission" and row["copy"] == 1
            if not first_seen or (row["assoc"], row["dir"]) in at_receiver:
                continue
            if row["verdict"] == "needed" and row["outcome"] == "acked":
                seen += 1
                assert row["outcome_class"] <= row["verdict_class"]
    assert seen > 0
