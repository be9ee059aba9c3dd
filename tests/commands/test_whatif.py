# SPDX-License-Identifier: BSD-2-Clause
"""What `sctp-rack whatif` prints, and of what."""

from pathlib import Path

import sctp_rack

from tests.builder.talk import Talk
from tests.captures import BUNDLED
from tests.commands.called import called
from tests.what_if.test_queue import lost_and_repaired

NR_SACKS = BUNDLED / "usr_ge_nrsack.sender.pcapng"
TWO_PATHS = BUNDLED / "usrsctp-multihoming.sender.pcap"


def said(*arguments: str | Path) -> str:
    done = called("whatif", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_of_nr_sacks_it_says_what_sacks_would_have_kept() -> None:
    text = said("--nr-sack", NR_SACKS)

    assert "with the NR-SACKs of the capture: 6,396 bytes on average" in text
    assert "with SACKs: 9,546 bytes on average, 52,000 at most (+49.3 %)" in text
    assert "45.6 % while gaps are reported" in text
    assert "RACK-TLP" not in text and "SRTT" not in text


def test_of_sacks_it_says_what_nr_sacks_would_have_kept_and_behind_which_path() -> None:
    text = said("--nr-sack", TWO_PATHS)

    assert "with the SACKs of the capture:" in text and "with SACKs:" not in text
    assert "with NR-SACKs of all that arrived:" in text and "(−22.6 %)" in text
    assert "65.3 % behind what was missing on 203.0.113.193>203.0.113.166" in text


def test_where_the_send_buffer_may_have_been_full_it_says_between_what_and_what_is_chance() -> None:
    text = said("--nr-sack", BUNDLED / "usrsctp-nth-loss.middle.pcap")

    bounds = [line.strip() for line in text.splitlines() if "when it held most:" in line]
    found = sctp_rack.read(BUNDLED / "usrsctp-nth-loss.middle.pcap").what_if(rack=False).nr_sack
    assert found is not None and found[0].bounds_of_all is not None
    one = found[0].bounds_of_all
    assert bounds[1] == (
        "if its send buffer was full when it held most:"
        f" {one.least_average_bytes:,.0f} to {one.most_average_bytes:,.0f} bytes on average,"
        f" RtxQ_Util 100.0 %; with the same losses up to {one.filled_bytes:,.0f} bytes more,"
        f" by chance {one.chance_bytes:,.0f} either way"
    )
    assert " % to 100.0 %; with the same losses" in bounds[0]
    assert "95 of 100 such runs lie between the bounds" in text


def test_where_too_few_recoveries_tell_of_chance_it_says_so(tmp_path: Path) -> None:
    talk = Talk()
    lost_and_repaired(talk, unordered=True)

    text = said("--nr-sack", talk.write(tmp_path))

    assert "0 to 300 bytes on average" in text
    assert "by chance anything, as too few recoveries tell" in text


def test_of_timeouts_it_says_how_much_earlier_marks_and_probes_come() -> None:
    text = said("--rack", TWO_PATHS)

    assert "RACK-TLP, if the sender had it:" in text
    assert "3 timeouts that sent something needed again; it would have come before 3" in text
    assert "1 by marks, 889 ms earlier in all" in text
    assert "2 by a probe, at most 2.41 s earlier in all" in text
    assert "Retransmission queue" not in text


def test_of_a_sender_with_rack_tlp_it_says_what_probes_cost() -> None:
    text = said("--rack", BUNDLED / "pion-tail-loss.sender.pcap")

    assert "RACK-TLP, which the sender has:" in text
    assert "its 18 probes cost 7,200 bytes, 12.9 % of its chunks: 9 spurious, 9" in text


def test_without_a_question_it_answers_both_and_says_what_it_assumes() -> None:
    text = said(TWO_PATHS)

    assert "Retransmission queue" in text and "RACK-TLP, if" in text
    assumed = text.partition("Assumed:\n")[2].splitlines()
    found = sctp_rack.read(TWO_PATHS).what_if()
    assert [line.strip() for line in assumed] == [*found.assumed.nr_sack, *found.assumed.rack]


def test_of_another_rule_it_says_how_long_it_would_have_waited_and_how_many_sacks_came() -> None:
    text = said("--sack-every", "1", BUNDLED / "pion-tail-loss-no-rack.sender.pcap")

    assert "With a SACK for each packet, at once:" in text
    assert "5 waits for SACKs that were held back would have lasted 204 ms, not 1.20 s" in text
    assert "would have sent 112 SACKs, not 67 (its own rule replayed: 67)" in text
    assert "Retransmission queue" not in text and "RACK-TLP" not in text
    both = said("--sack-delay", "50", "--sack-every", "3", "--rack", TWO_PATHS)
    assert "With a SACK for 3 packets, held back for 50.0 ms at most:" in both
    assert "RACK-TLP, if" in both


def test_longer_than_rfc_9260_lets_a_sack_be_held_back_is_refused() -> None:
    done = called("whatif", "--sack-delay", "501", TWO_PATHS)

    assert done.returncode == 2 and b"500" in done.stderr


def test_where_there_is_no_data_it_says_so() -> None:
    done = called("whatif", "--dir", "b2a", TWO_PATHS)

    assert done.returncode == 2 and b"all goes the other way" in done.stderr
