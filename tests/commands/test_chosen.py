# SPDX-License-Identifier: BSD-2-Clause
"""`--assoc`, `--dir`, `--from` and `--to` mean the same to every command that has them."""

import json
import struct
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.commands.cli import cli

from tests.annotate.pcapng import ENHANCED, MARK
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import SAMPLE
from tests.commands.called import called

#: Of what commands that read captures tell.
DIRECTION = {"assoc", "direction"}
TIMES = {"begin", "end"}
COMMANDS = [
    *("analyze", "report", "compare", "limits", "whatif", "explain", "plot", "export", "annotate")
]


def test_every_command_that_reads_captures_has_them_and_says_the_same() -> None:
    has = {
        name: {one.name: one for one in command.params if one.name in DIRECTION | TIMES}
        for name, command in cli.commands.items()
    }

    every = DIRECTION | TIMES
    assert {name: set(one) for name, one in has.items() if one} == dict.fromkeys(COMMANDS, every)
    for option in DIRECTION | TIMES:
        helps = {one[option].help for one in has.values() if option in one}
        assert len(helps) == 1, option


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Each side sends a TSN again after a second, b two seconds later than a."""
    talk = Talk()
    talk.handshake()
    for sender, other, tsn in ((A, B, 1000), (B, A, 2000)):
        talk.say(sender, other, sctp.data(tsn))
        talk.say(sender, other, sctp.data(tsn), later_us=1_000_000)
        talk.say(other, sender, sctp.sack(tsn), later_us=20_000)
        talk.say(sender, other, sctp.chunk(4, 0, bytes(8)), later_us=980_000)
    return talk.write(tmp_path)


def frames(capture: Path, direction: str) -> list[int]:
    rows = sctp_rack.read(capture).transmissions.where(dir=direction, kind="retransmission")
    return [row["frame"] for row in rows]


def commented(path: Path, *options: str) -> list[int]:
    """The frames."""
    done = called("annotate", path, *options)
    assert done.returncode == 0
    content, found, frame, at = done.stdout, [], 0, 0
    while at < len(content):
        kind, length = struct.unpack_from("<II", content, at)
        frame += kind == ENHANCED
        if kind == ENHANCED and MARK in content[at : at + length]:
            found.append(frame)
        at += length
    return found


def test_comments_are_of_one_direction(capture: Path) -> None:
    assert not set(commented(capture, "--dir", "b2a")) & set(frames(capture, "a2b"))
    assert set(commented(capture, "--dir", "b2a")) >= set(frames(capture, "b2a"))


def test_comments_are_of_a_time(capture: Path) -> None:
    first, again = (row["frame"] for row in sctp_rack.read(capture).transmissions.where(tsn=1000))

    assert commented(capture, "--all", "--to", "0.9") == [first]
    assert commented(capture, "--all", "--from", "0.9", "--to", "1.5") == [again]


def test_a_comment_knows_what_came_behind_the_time() -> None:
    """Of a lost copy where it was sent again."""
    rows = sctp_rack.read(SAMPLE).transmissions
    lost = next(row for row in rows if row["outcome"] == "lost")
    again = next(row for row in rows.where(tsn=lost["tsn"], copy=lost["copy"] + 1))
    between_s = (lost["time_ns"] - rows.begins_ns) / 1e9 + 1e-6
    done = called("annotate", SAMPLE, "--to", between_s)

    assert f"sent again in frame {again['frame']}".encode() in done.stdout


def test_analyze_tells_of_one_direction(capture: Path) -> None:
    text = called("analyze", "--dir", "b2a", capture).stdout.decode()

    assert "b sent " in text and "a acknowledged " in text
    assert "a sent " not in text and "b acknowledged " not in text
    assert "a to b" not in text


def test_json_of_one_direction_has_no_data_of_the_other(capture: Path) -> None:
    (line,) = called("analyze", "--json", "--dir", "a2b", capture).stdout.splitlines()
    summary = json.loads(line)
    (association,) = summary["associations"]

    assert association["a"]["data"] and association["b"]["sacks"]
    assert not association["b"]["data"] and not association["a"]["sacks"]
    assert {one["dir"] for one in summary["findings"]} <= {None, "a2b"}


def test_findings_are_those_of_the_whole_capture(capture: Path) -> None:
    """Without the other direction nothing looks like a fault."""
    whole = sctp_rack.read(capture)
    for direction in ("a2b", "b2a"):
        expected = [one for one in whole.findings if one.dir in (None, direction)]
        assert whole.only(direction=direction).findings == expected


def test_a_report_has_one_direction(capture: Path, tmp_path: Path) -> None:
    page = tmp_path / "x.html"
    assert called("report", "--dir", "a2b", capture, "-o", page).returncode == 0

    text = page.read_text()
    assert 'id="a2b-0-' in text and 'id="b2a-0-' not in text


def test_a_direction_without_data_is_none_to_tell_of() -> None:
    (direction,) = {row["dir"] for row in sctp_rack.read(SAMPLE).transmissions}
    other = {"a2b": "b2a", "b2a": "a2b"}[direction]
    result = called("analyze", "--dir", other, SAMPLE)

    assert result.returncode == 2
    assert b"no DATA goes " + other.encode() in result.stderr


def test_several_captures_have_no_direction_in_common(capture: Path) -> None:
    for call in (("analyze",), ("report", "-o", "-")):
        result = called(*call, "--dir", "a2b", capture, SAMPLE)

        assert result.returncode == 2
        assert b"--dir is about one capture" in result.stderr


def test_a_story_is_of_a_tsn_that_was_sent_in_that_time(capture: Path) -> None:
    (first, *_) = sctp_rack.read(capture).transmissions
    told = called("explain", "--tsn", first["tsn"], "--to", 0.5, capture)

    assert told.returncode == 0
    assert told.stdout == called("explain", "--tsn", first["tsn"], capture).stdout
    late = called("explain", "--tsn", first["tsn"], "--from", 3, capture)
    assert late.returncode == 2
    assert (
        b"no DATA chunk fits all of --frame, --tsn, --assoc, --dir, --from and --to" in late.stderr
    )


def test_a_time_that_is_none_is_refused(capture: Path, tmp_path: Path) -> None:
    page, comments = tmp_path / "x.html", tmp_path / "x.pcapng"
    calls = (
        *(("explain", "--frame", 5), ("annotate", "-o", comments), ("analyze",), ("whatif",)),
        *(("report", "-o", page), ("compare", "-o", page, capture), ("limits",)),
    )
    for call in calls:
        result = called(*call, "--from", "nan", capture)

        assert (result.returncode, list(tmp_path.glob("x*"))) == (2, []), call
        assert b"--from: nan is no time in a capture" in result.stderr
