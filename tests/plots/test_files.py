# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack plot`: what it writes, by the end of the name, and what it says when it cannot."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sctp_rack

from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called

COMMAND = Path(sys.executable).with_name("sctp-rack")


def plot(*arguments: Any, code: int = 0) -> str:
    with contextlib.chdir(BUNDLED):
        done = called("plot", *arguments)
    assert done.returncode == code, done.stderr
    assert done.stdout == b""
    return done.stderr.decode()


@pytest.mark.parametrize(
    ("ending", "magic"),
    [
        ("png", b"\x89PNG"),
        ("html", b"<!doc"),
        pytest.param("svg", b"<svg", marks=pytest.mark.long),
        pytest.param("pdf", b"%PDF", marks=pytest.mark.long),
    ],
)
def test_pictures_and_pages(tmp_path: Path, ending: str, magic: bytes) -> None:
    path = tmp_path / f"graph.{ending}"

    said = plot(SAMPLE, "--kind", "rtt", "-o", path)

    assert path.read_bytes().startswith(magic)
    assert said == ""


def test_with_several_directions_it_says_which_it_drew(tmp_path: Path) -> None:
    path = tmp_path / "graph.html"

    said = plot("usrsctp-both-ways.sender.pcap", "-o", path, "--alone")
    chosen = plot("usrsctp-both-ways.sender.pcap", "-o", path, "--dir", "b2a", "--from", 1)

    assert said == (
        "sctp-rack: drawn: a2b of association 0; 1 other direction with data (--assoc, --dir)\n"
    )
    assert chosen.startswith("sctp-rack: drawn: b2a of association 0;")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-o", "graph.doc"], 2, "graph.doc: what to draw it as is told by the name: .html, .xpl,"),
        (["-o", "x.html", "--dir", "b2a"], 2, "no DATA goes b2a: all goes the other way"),
        (["-o", "x.html", "--assoc", "7"], 2, "no association 7: there is only 0"),
        (["-o", "no/folder/x.html"], 2, "no/folder/x.html: No such file"),
    ],
)
def test_what_it_cannot_draw(arguments: list[str], code: int, message: str) -> None:
    assert message in plot(SAMPLE, *arguments, code=code)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    """Python without site packages that have Plotly: the import is made to fail."""
    script = (
        "import sys; sys.modules['plotly'] = None; from sctp_rack.commands.cli import main; "
        f"sys.argv = ['sctp-rack', 'plot', {str(SAMPLE)!r}, '-o', 'x.html']; main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path
    )

    assert done.returncode == 2
    assert "graphs need `pip install plotly tsdownsample`" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_a_browser_a_picture_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "plot", SAMPLE, "-o", "x.png"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "BROWSER_PATH": str(tmp_path / "none")},
    )

    assert done.returncode == 2, done.stderr
    assert "pictures need Chromium or Chrome" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "x.png").exists()


def test_xplot_has_a_command_for_each_mark(tmp_path: Path) -> None:
    path = tmp_path / "graph.xpl"
    plot(SAMPLE, "-o", path)

    lines = path.read_text().splitlines()

    assert lines[:3] == ["double double", "title", "10.94.1.10:5000 → 192.168.68.20:5001"]
    assert lines[-1] == "go"
    rows = sctp_rack.read(SAMPLE).transmissions
    assert sum(line.startswith("x ") and line.endswith(" red") for line in lines) == 21
    letters = [after for line, after in itertools.pairwise(lines) if "atext" in line]
    assert len(letters) == len(rows.where(kind="retransmission"))
    assert set(letters) == {"F", "f"}
    words = {line.split()[0] for line in lines[7:-1]}
    assert words == {"line", "x", "atext", "F", "f", "diamond"}


#: What draft-ietf-quic-qlog-quic-events-12 allows in the data of an event, and what it demands.
EVENTS = {
    "quic:packet_sent": ({"header", "frames", "raw", "trigger"}, {"header"}),
    "quic:packet_received": ({"header", "frames"}, {"header"}),
    "quic:packet_lost": ({"header", "trigger"}, set()),
    "quic:recovery_metrics_updated": (
        {"min_rtt", "smoothed_rtt", "latest_rtt", "rtt_variance", "bytes_in_flight"},
        set(),
    ),
}
TRIGGERS = {
    "quic:packet_sent": {"retransmit_reordered", "retransmit_timeout", "pto_probe"},
    "quic:packet_lost": {"reordering_threshold", "time_threshold", "pto_expired"},
}


@pytest.mark.parametrize("name", ["pion-tail-loss", "usrsctp-nth-loss", "pion-reorder-low"])
def test_qlog_is_as_the_drafts_have_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log.qlog"
    plot(f"{name}.sender.pcap", "--assoc", 0, "--dir", "a2b", "-o", path)

    text = path.read_text()
    log = json.loads(text)

    # draft-ietf-quic-qlog-main-schema-13: the first 256 characters tell the schema and the format.
    assert "urn:ietf:params:qlog:file:contained" in text[:256]
    assert "application/qlog+json" in text[:256]
    (trace,) = log["traces"]
    assert set(trace) <= {
        *("title", "description", "common_fields", "vantage_point", "event_schemas", "events")
    }
    assert trace["event_schemas"] == ["urn:ietf:params:qlog:events:quic-12"]
    assert trace["vantage_point"] == {"name": "capture", "type": "network", "flow": "client"}
    assert trace["common_fields"]["time_format"] == "relative_to_epoch"
    assert set(trace["common_fields"]["reference_time"]) == {"clock_type", "epoch"}
    times = [event["time"] for event in trace["events"]]
    assert times == sorted(times)
    for event in trace["events"]:
        _is_event(event)


def _is_event(event: dict[str, Any]) -> None:
    allowed, demanded = EVENTS[event["name"]]
    data = event["data"]
    assert demanded <= set(data) <= allowed
    if "header" in data:
        assert data["header"]["packet_type"] == "1RTT"
        assert data["header"]["packet_number"] >= 0
    assert data.get("trigger") in {None, *TRIGGERS.get(event["name"], ())}
    for frame in data.get("frames", []):
        if frame["frame_type"] == "stream":
            assert set(frame) == {"frame_type", "stream_id", "offset", "raw"}
            assert set(frame["raw"]) <= {"length", "payload_length", "data"}
        else:
            assert frame["frame_type"] == "ack"
            for acked in frame.get("acked_ranges", []):
                assert len(acked) == 1 or (len(acked) == 2 and acked[0] < acked[1])


def test_qlog_says_what_the_tables_say(tmp_path: Path) -> None:
    path = tmp_path / "log.qlog"
    plot(SAMPLE, "-o", path)
    direction = sctp_rack.read(SAMPLE).associations[0].a2b

    events = json.loads(path.read_text())["traces"][0]["events"]

    sent = [one for one in events if one["name"] == "quic:packet_sent"]
    assert [one["sctp"]["frame"] for one in sent] == direction.transmissions["frame"].tolist()
    assert sum("trigger" in one["data"] for one in sent) == direction.retransmissions
    lost = [one["sctp"]["tsn"] for one in events if one["name"] == "quic:packet_lost"]
    assert sorted(lost) == sorted(
        direction.table("rack_marks").where(profile="rfc8985")["tsn"].tolist()
    )
