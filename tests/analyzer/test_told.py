# SPDX-License-Identifier: BSD-2-Clause
"""What the user tells of the tap and the sender takes the place of what would be measured."""

import re
import struct
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from click.testing import CliRunner
from sctp_rack.binding.told import STACKS
from sctp_rack.commands.cli import cli
from sctp_rack.report.probes_due import probes_due
from sctp_rack.story.instead import Silences

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows
from tests.captures import BUNDLED, SAMPLE

MIDDLE = BUNDLED / "usr_ge_nrsack.middle.pcapng"
BOTH_WAYS = BUNDLED / "usrsctp-both-ways.middle.pcap"


def _paths(path: Path, **told: Any) -> list[dict[str, Any]]:
    return list(sctp_rack.read(path, tables=["paths"], **told).table("paths"))


def _without_first_frames(path: Path, count: int, folder: Path) -> Path:
    """A pcap file that begins later."""
    data = path.read_bytes()
    at = 24
    for _ in range(count):
        at += 16 + struct.unpack_from("<I", data, at + 8)[0]
    cut = folder / path.name
    cut.write_bytes(data[:24] + data[at:])
    return cut


def test_nothing_told_is_said_to_be_nothing() -> None:
    assert {tuple(row["told"]) for row in _paths(MIDDLE)} == {()}


def test_vantage_that_is_told_has_no_class_and_brings_its_loop() -> None:
    """Setup: a capture in the network, 30 ms from either side. Told: it is at the sender.
    Expectation: so it says, without a class, and feedback is at the sender at once."""
    (row,) = _paths(MIDDLE, vantage="sender")

    assert (row["vantage"], row["vantage_class"], row["told"]) == ("sender", None, ["vantage"])
    assert (row["loop_lo_ns"], row["loop_hi_ns"]) == (0, 0)


def test_loop_that_is_told_is_taken_to_the_nanosecond() -> None:
    (row,) = _paths(MIDDLE, loop_ms=12.345678)

    assert row["loop_lo_ns"] == row["loop_hi_ns"] == 12_345_678
    assert (row["vantage_class"], row["told"]) == (None, ["loop"])


def test_seen_from_the_other_sides_data_the_tap_is_at_the_other_end() -> None:
    """Setup: both sides send data; a sends more. Expectation: the loop and the profile are those of
    a, and nothing but the place is told of b."""
    a2b, b2a = _paths(BOTH_WAYS, vantage="receiver", loop_ms=40, profile="linux")

    assert (a2b["dir"], a2b["vantage"]) == ("a2b", "receiver")
    assert a2b["told"] == ["vantage", "loop", "profile"]
    assert (b2a["dir"], b2a["vantage"], b2a["told"]) == ("b2a", "sender", ["vantage"])
    assert (a2b["profile"], b2a["profile"]) == ("linux", "usrsctp")
    assert b2a["loop_hi_ns"] != 40_000_000


@pytest.mark.parametrize("b_sends_more", [False, True])
def test_told_loop_is_of_one_side_also_while_both_have_sent_as_much(
    b_sends_more: bool, tmp_path: Path
) -> None:
    """Setup: both sides have sent two chunks when b's hole is filled, 20 ms after feedback showed
    it; the handshake has b 10 ms away. Told: a loop of 40 ms. Expectation: that is a's loop, so b
    had the time to send again; of b, once b sends more, it had not."""
    talk = Talk()
    talk.handshake()
    talk.say(B, A, sctp.data(2000))
    talk.say(B, A, sctp.data(2002))
    talk.say(A, B, sctp.data(1000))
    if not b_sends_more:
        talk.say(A, B, sctp.data(1001))
    talk.say(A, B, sctp.sack(2000, gaps=[(2, 2)]))
    filled = talk.say(B, A, sctp.data(2001), later_us=20_000)
    capture = sctp_rack.read(talk.write(tmp_path), loop_ms=40)
    (kind,) = (tx["kind"] for tx in capture.transmissions if tx["frame"] == filled)

    assert kind == ("reordered" if b_sends_more else "retransmission")


def test_profile_that_is_told_makes_the_causes_and_is_measured_all_the_same() -> None:
    capture = sctp_rack.read(SAMPLE, profile="pion")
    (row,) = capture.table("paths")
    causes = {tx["cause"] for tx in capture.transmissions if tx["cause"]}

    assert (row["profile"], row["told"]) == ("pion", ["profile"])
    assert row["profile_score"] < 0.5
    assert causes == {"fast"}  # of pion's variants the one without RACK fits; none defers


def test_profile_that_is_told_stands_where_nothing_was_sent_again(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))
    row = rows(talk.write(tmp_path), "paths")[0]
    told = _paths(talk.write(tmp_path), profile="dcsctp")[0]

    assert (row["profile"], row["profile_score"]) == (None, None)
    assert (told["profile"], told["profile_score"]) == ("dcsctp", None)


@pytest.mark.parametrize(
    "name", ["pion-tail-loss-no-rack", "usrsctp-delay-spike", "usrsctp-zero-window"]
)
def test_what_is_told_stands_for_a_handshake_that_was_not_captured(
    name: str, tmp_path: Path
) -> None:
    """Setup: a capture in the network whose handshake is cut off. Told: what the handshake says.
    Expectation: causes and verdicts are those of the whole capture, whose tap is surer placed."""
    path = BUNDLED / f"{name}.middle.pcap"
    (measured,) = (row for row in _paths(path) if row["dir"] == "a2b")
    cut = _without_first_frames(path, 4, tmp_path)
    (guessed,) = (row for row in _paths(cut) if row["dir"] == "a2b")
    told = sctp_rack.read(
        cut,
        vantage=measured["vantage"],
        loop_ms=measured["loop_hi_ns"] / 1e6,
        profile=measured["profile"],
    )

    def judged(capture: sctp_rack.Capture) -> list[tuple[Any, ...]]:
        names = ("tsn", "kind", "cause", "verdict", "outcome")
        return [
            tuple(row[name] for name in names)
            for row in capture.transmissions
            if row["kind"] == "retransmission" and row["dir"] == "a2b"
        ]

    assert (measured["vantage_class"], guessed["vantage_class"]) == (5, 3)
    assert judged(told) == judged(sctp_rack.read(path))


def test_what_a_told_profile_knows_stands_beside_what_rack_knows() -> None:
    path = BUNDLED / "usrsctp-delay-spike.sender.pcap"
    usual = sctp_rack.read(path)
    told = sctp_rack.read(path, profile="usrsctp")
    rows = list(told.table("rack_state"))

    assert [row["frame"] for row in rows[::2]] == [row["frame"] for row in rows[1::2]]
    assert {row["profile"] for row in rows[::2]} <= {"rfc8985", None}
    assert {row["profile"] for row in rows[1::2]} == {"usrsctp", None}
    assert any(
        one["rto_ns"] != other["rto_ns"] for one, other in zip(rows[::2], rows[1::2], strict=True)
    )
    assert all(row["pto_ns"] is None for row in rows[1::2])
    before, after = (capture.associations[0] for capture in (usual, told))
    for one, other in ((before.a2b, after.a2b), (before.b2a, after.b2a)):
        assert list(one.rack_tlp) == list(other.rack_tlp) == list(one.table("rack_state"))
        assert len(other.table("rack_state")) == 2 * len(one.sacks)


def test_delay_of_sacks_that_is_told_is_in_the_probe_timeouts_of_one_packet() -> None:
    """RFC 8985 section 7.2: with one packet in flight the PTO has TLP.max_ack_delay in it."""

    def timeouts(**told: Any) -> list[int | None]:
        path = BUNDLED / "usrsctp-request-response.sender.pcap"
        return [row["pto_ns"] for row in sctp_rack.read(path, **told).table("rack_state")]

    usual, told = timeouts(), timeouts(max_ack_delay_ms=12.5)
    differences = {a - b for a, b in zip(usual, told, strict=True) if a and b}

    assert differences == {0, 187_500_000}


def test_delay_of_sacks_that_is_told_is_in_every_estimate_of_a_probe() -> None:
    """Setup: b sends one TSN at a time, and three of them again. Expectation: the probe of each
    story is due sooner by what the delay is shorter; the report counts one that comes in time."""

    def estimates(**told: Any) -> tuple[int, list[int | None]]:
        capture = sctp_rack.read(BUNDLED / "pion-reorder-low-no-rack.sender.pcap", **told)
        direction = capture.associations[0].b2a
        (path,) = direction.table("paths")
        again = direction.transmissions.where(kind="retransmission")
        silences = Silences(direction)
        dues = [silences.probe_due_ns(row, path) for row in again]
        return len(probes_due(direction)), dues

    (usual, dues), (told, sooner) = estimates(), estimates(max_ack_delay_ms=12.5)

    assert (usual, told) == (0, 1)
    assert [a - b for a, b in zip(dues, sooner, strict=True) if a and b] == [187_500_000] * 3


@pytest.mark.parametrize(("told_ms", "more"), [(None, ["200 ms"]), (12.5, ["12.5 ms"]), (0, [])])
def test_delay_of_sacks_that_is_told_is_in_the_finding_on_lost_tails(
    told_ms: float | None, more: list[str]
) -> None:
    capture = sctp_rack.read(BUNDLED / "usrsctp-tail-loss.sender.pcap", max_ack_delay_ms=told_ms)
    (finding,) = (one for one in capture.findings if one.code == "tail_loss_timeout")

    assert re.findall(r"([\d.]+ ms) more where one packet", finding.text) == more


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"vantage": "unknown"}, "no vantage 'unknown': there are sender, middle, receiver"),
        ({"profile": "tcp"}, "no profile 'tcp'"),
        ({"loop_ms": -1}, "a loop of -1 ms"),
        ({"loop_ms": float("nan")}, "a loop of nan ms"),
        ({"max_ack_delay_ms": 3_600_001}, "a max_ack_delay of 3600001 ms"),
        ({"without_profiles": ["rfc9260"]}, "cannot leave out 'rfc9260': there are pion, usrsctp"),
        ({"without_profiles": ["pion"], "profile": "pion"}, "cannot leave out 'pion'"),
    ],
)
def test_what_cannot_be_is_refused(told: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sctp_rack.read(SAMPLE, **told)


def left_out(name: str, *stacks: str) -> sctp_rack.Capture:
    return sctp_rack.read(BUNDLED / f"{name}.sender.pcap", without_profiles=stacks)


@pytest.mark.parametrize(
    ("name", "stack", "then"),
    [("usrsctp-nth-loss", "usrsctp", "rfc9260"), ("pion-tail-loss", "pion", "rfc8985")],
)
def test_a_stack_that_is_left_out_is_not_recognised(name: str, stack: str, then: str) -> None:
    (usual,), (unknown,) = (left_out(name, *some).table("paths") for some in ((), (stack,)))

    assert (usual["profile"], unknown["profile"]) == (stack, then)
    assert unknown["profile_score"] <= usual["profile_score"]


@pytest.mark.parametrize("frames", [0, 60])
def test_the_handshake_of_a_stack_that_is_left_out_is_any_others(
    frames: int, tmp_path: Path
) -> None:
    """Also where the capture begins without it: nothing is taken for a pion that is left out."""
    path = _without_first_frames(BUNDLED / "pion-tail-loss.sender.pcap", frames, tmp_path)
    (usual,), (unknown,) = _paths(path), _paths(path, without_profiles=["pion"])

    assert usual["dup_capable"] == ("unknown" if frames else "no")
    assert (usual["profile"], unknown["dup_capable"]) == ("pion", "unknown")
    assert unknown["profile"] != "pion"


def test_leaving_out_a_stack_that_nobody_has_changes_nothing() -> None:
    for name in ("usrsctp-nth-loss", "pion-tail-loss"):
        usual, without = (left_out(name, *some) for some in ((), ("dcsctp", "linux")))

        assert list(usual.transmissions) == list(without.transmissions)


def test_all_stacks_can_be_left_out_and_the_texts_remain() -> None:
    paths = left_out("usrsctp-nth-loss", *STACKS).table("paths")

    assert STACKS == ("pion", "usrsctp", "dcsctp", "linux")
    assert [row["profile"] for row in paths] == ["rfc9260"]


@pytest.mark.parametrize("command", ["analyze", "export", "explain", "annotate"])
def test_every_command_can_be_told(command: str, tmp_path: Path) -> None:
    more = {
        "analyze": [],
        "export": ["--table", "paths"],
        "explain": ["--frame", "77"],
        "annotate": ["-o", str(tmp_path / "out.pcapng")],
    }[command]
    told = ["--vantage", "sender", "--loop", "0.1", "--profile", "usrsctp", "--max-ack-delay", "50"]
    result = CliRunner().invoke(cli, [command, str(MIDDLE), *more, *told])

    assert result.exit_code == 0, result.output
    if command in ("analyze", "explain"):
        assert "at the sender (as told)" in result.output
    assert CliRunner().invoke(cli, [command, str(MIDDLE), *more, "--loop", "-1"]).exit_code == 2
