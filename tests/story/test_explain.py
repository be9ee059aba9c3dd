# SPDX-License-Identifier: BSD-2-Clause
"""The command `explain` on bundled samples."""

import json
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.story.explain import explain
from sctp_rack.story.story import story_lines
from sctp_rack.story.which_tsn import Place

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, SAMPLE, bundled, name_of
from tests.commands.called import called


def story(*arguments: object) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(called("explain", "--json", *arguments).stdout)
    return told


def test_tells_a_spurious_copy_with_its_evidence() -> None:
    text = called("explain", SAMPLE, "--frame", 350).stdout.decode()
    flat = " ".join(text.split())

    assert text.startswith("TSN 1097975607, a to b in association 0: 10.94.1.10:5000")
    assert (
        "The tap is at the sender (class 5); a round trip from it takes at least 60.2 ms." in flat
    )
    assert "0.000 ms frame 267 sent, 500 bytes" in flat
    assert "frame 361 acknowledged, 124 ms after copy 1, 62.2 ms after copy 2" in flat
    assert "184.516 ms frame 383 NR-SACK reports a duplicate of it" in flat
    assert "Copy 3, frame 350: spurious (class 5)" in text
    assert (
        "It was acknowledged in frame 361, 1.8 ms after this copy passed the tap, sooner than the "
        "60.2 ms that a round trip from the tap takes at least: an earlier copy had arrived. [S8]"
    ) in flat
    assert "RACK-TLP would not have marked the copy before lost, so not have sent this." in flat


def test_a_frame_and_its_tsn_tell_the_same() -> None:
    by_frame = story(SAMPLE, "--frame", 350)

    assert by_frame == story(SAMPLE, "--tsn", 1097975607, "--assoc", 0, "--dir", "a2b")
    assert [event["what"] for event in by_frame["events"]].count("sent") == 4
    times = [event["time_ns"] for event in by_frame["events"]]
    assert times == sorted(times)
    assert [one["verdict"] for one in by_frame["retransmissions"]] == [
        "needed",
        "spurious",
        "spurious",
    ]


def test_says_what_rack_would_have_done_where_a_probe_alone_would_have_helped() -> None:
    (one,) = story(BUNDLED / "usrsctp-tail-loss.sender.pcap", "--frame", 41)["retransmissions"]

    (text,) = one["rack_tlp"]
    assert "A tail loss probe (RFC 8985 section 7.2) would have been due about" in text


def test_what_was_sent_once_has_a_story_too() -> None:
    text = called("explain", SAMPLE, "--frame", 5).stdout.decode()

    assert "sent, 500 bytes" in text
    assert text.endswith("It was not sent again.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--frame", 1], f"frame 1 of {SAMPLE} holds no DATA or I-DATA chunk"),
        (["--frame", 674], f"{SAMPLE} has 673 frames, none 674"),
        (["--tsn", 5], "TSNs are association 0 a2b: 1097975455 to 1097975814"),
        (["--frame", 5, "--dir", "b2a"], "no DATA chunk fits all of"),
        ([], "Give --frame or --tsn"),
    ],
)
def test_a_tsn_that_is_not_there_is_an_error(arguments: list[object], message: str) -> None:
    result = called("explain", SAMPLE, *arguments)

    assert result.returncode == 2
    assert message in result.stderr.decode()
    assert result.stdout == b""


def test_several_candidates_are_listed(tmp_path: Path) -> None:
    talk = Talk()
    frame = talk.say(A, B, sctp.data(1), sctp.data(2))
    result = called("explain", talk.write(tmp_path), "--frame", frame)

    assert result.returncode == 2
    assert result.stderr.decode() == (
        "sctp-rack: 2 TSNs fit; name one of them:\n"
        "  --tsn 1 --assoc 0 --dir a2b  (frame 1)\n"
        "  --tsn 2 --assoc 0 --dir a2b  (frame 1)\n"
    )


@pytest.mark.parametrize("path", [p for p in bundled() if "sender" in p.name], ids=name_of)
def test_every_retransmission_of_the_samples_has_a_story(path: Any) -> None:
    capture = sctp_rack.read(path)
    for row in capture.transmissions.where(kind="retransmission"):
        told = explain(capture, Place(row["assoc"], row["dir"], row["tsn"]))
        (judged,) = [one for one in told.retransmissions if one.frame == row["frame"]]
        assert judged.because
        text = "\n".join(story_lines(told))
        assert "None" not in text
        assert max(map(len, text.splitlines())) <= 100


def without_times(folder: Path) -> Path:
    """A retransmission in Simple Packet Blocks, which have no time."""
    talk = Talk(timed=False)
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(A, B, sctp.data(1001))
    talk.say(B, A, sctp.sack(999, [(2, 2)]))
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1001))
    return talk.write(folder)


def test_packets_without_a_time_have_no_story(tmp_path: Path) -> None:
    capture = without_times(tmp_path)
    told = called("explain", capture, "--tsn", 1000)

    assert told.returncode == 2
    assert "nothing to tell: packets that carried it have no time" in told.stderr.decode()
    assert called("report", capture, "-o", tmp_path / "report.html").returncode == 0
