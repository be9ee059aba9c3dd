# SPDX-License-Identifier: BSD-2-Clause
"""Logs with `# SCTP_PACKET`: the rows that text2pcap's conversion of the same log gives."""

import gzip
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.binding.source import open_source
from sctp_rack.readers.packet import Frame
from sctp_rack.readers.sctp_log import SctpLogSource
from sctp_rack.readers.tshark import TsharkSource

from tests.analyzer.test_bad_input import run
from tests.builder import sctp
from tests.captures import SAMPLE
from tests.commands.called import called
from tests.readers.rows import rows_of, without

NS = 10**9
DAY = 86400 * NS


def line(way: str, time_ns: int, data: bytes, name: str = "", digits: int = 6) -> str:
    """As the programs write it; the fraction of a second is cut to `digits`."""
    seconds, fraction = divmod(time_ns % DAY, NS)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    shown = f"{fraction:09}"[:digits]
    return f"{way} {clock}.{shown} 0000 {data.hex(' ')} # SCTP_PACKET{name and ' '}{name}\n"


def sample_lines() -> Iterator[str]:
    """The bundled capture as its sender would log it."""
    for frame in TsharkSource(str(SAMPLE)).frames():
        for packet in frame.packets:
            yield line("O" if packet.src[0] == 10 else "I", frame.time_ns, packet.data)


def write(path: Path, lines: Iterator[str] | list[str]) -> Path:
    path.write_text("".join(lines))
    return path


def source(path: Path) -> SctpLogSource:
    return SctpLogSource(str(path), open_source(str(path)))


def frames(path: Path) -> list[Frame]:
    return list(source(path).frames())


def test_a_log_gives_the_rows_of_what_text2pcap_makes_of_it(tmp_path: Path) -> None:
    log = write(tmp_path / "log", sample_lines())
    converted = tmp_path / "converted.pcapng"
    text2pcap = ["text2pcap", "-q", "-l", "248", "-D", "-t", "%H:%M:%S.%f"]
    utc = {**os.environ, "TZ": "UTC"}
    subprocess.run([*text2pcap, log, converted], check=True, capture_output=True, env=utc)

    ours, theirs = rows_of(log, source(log)), rows_of(converted)

    assert len(ours["chunks"]) == 673
    times_of = ("time_ns", "acked_time_ns", "rack_xmit_ns", "pto_ns", "sent_ns", "delivered_ns")
    differing = (*times_of, "begin_ns", "end_ns", "encapsulation")
    assert without(ours, *differing) == without(theirs, *differing)
    times = [[row["time_ns"] % DAY for row in rows["chunks"]] for rows in (ours, theirs)]
    assert times[0] == times[1]
    assert {row["encapsulation"] for row in ours["chunks"]} == {"log"}
    assert {row["path"] for row in ours["chunks"]} == {"a>b", "b>a"}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_log_is_recognised_by_its_content(packed: bool, tmp_path: Path) -> None:
    noise = "[1:2:0101/000000.1:INFO:x.cc(1)] something else\n" * 1000
    text = (noise + "".join(sample_lines())).encode()
    log = tmp_path / "capture.pcap"  # not by its name
    log.write_bytes(gzip.compress(text) if packed else text)

    result = called("analyze", log)

    assert result.returncode == 0
    assert b"SCTP log, 673 frames, 673 SCTP packets" in result.stdout
    assert b" of 30 retransmissions" in result.stdout
    assert run("analyze", "-", data=text).stdout.splitlines()[1:] == result.stdout.splitlines()[1:]


def test_whatever_comes_before_a_packet_in_its_line_does_not_matter(tmp_path: Path) -> None:
    packet = sctp.packet(sctp.data(5))
    prefixed = "2026-01-01 10:00:00 [Socket Thread]: V/sctp " + line("I", 7 * NS, packet, "Dc0", 3)
    log = write(tmp_path / "log", [prefixed.replace("\n", "\r\n"), "\n", line("O", 8 * NS, packet)])

    first, second = frames(log)

    assert (first.number, first.time_ns, first.interface) == (1, 7 * NS, 0)
    assert (second.number, second.time_ns, second.interface) == (2, 8 * NS, 1)
    assert first.packets[0].data == second.packets[0].data == packet
    assert first.packets[0].src == second.packets[0].dst != second.packets[0].src


def test_midnight_does_not_turn_time_back(tmp_path: Path) -> None:
    times = [DAY - 2 * NS, DAY - NS, DAY + NS, DAY + NS - 1000, 2 * DAY + 5 * NS]
    packet = sctp.packet(sctp.data(5))
    log = write(tmp_path / "log", [line("O", time, packet) for time in times])

    assert [frame.time_ns for frame in frames(log)] == [*times[:4], DAY + 5 * NS]


def test_times_without_hours_and_minutes_go_on_after_a_minute(tmp_path: Path) -> None:
    times = [10 * NS, 59 * NS, 61 * NS, 119 * NS, 121 * NS]
    packet = sctp.packet(sctp.data(5))
    log = write(tmp_path / "log", [line("O", time % (60 * NS), packet) for time in times])

    assert [frame.time_ns for frame in frames(log)] == times


def test_both_ends_of_an_association_in_one_log_are_a_finding(tmp_path: Path) -> None:
    lines = [
        text
        for tsn in range(5)
        for packet in [sctp.packet(sctp.data(tsn))]
        for text in (line("O", tsn * NS, packet, "A"), line("I", tsn * NS + 1000, packet, "Z"))
    ]
    result = called("analyze", write(tmp_path / "log", lines))

    assert b"captured at several interfaces" in result.stdout


def test_a_marked_line_without_a_packet_is_named_and_what_came_before_is_kept(
    tmp_path: Path,
) -> None:
    packet = line("O", NS, sctp.packet(sctp.data(5)))
    log = write(tmp_path / "log", [packet, "nothing\n", packet.replace("0000 ", "0000 x ")])

    result = called("export", "--table", "transmissions", log)

    assert result.returncode == 3
    assert len(result.stdout.splitlines()) == 1
    said = f"sctp-rack: {log}: line 3 (frame 2): no packet before `# SCTP_PACKET`"
    assert result.stderr.decode().splitlines() == [said]


def test_text_without_a_packet_is_no_log(tmp_path: Path) -> None:
    result = called("analyze", "--reader", "log", write(tmp_path / "log", ["nothing\n"]))

    assert result.returncode == 3
    assert result.stderr.decode().endswith("log: no line with `# SCTP_PACKET`\n")


def test_a_log_that_is_cut_in_its_compression_is_read_up_to_there(tmp_path: Path) -> None:
    log = tmp_path / "log.gz"
    log.write_bytes(gzip.compress("".join(sample_lines()).encode())[:-5000])

    session = Session(str(log), ["chunks"], source=source(log))
    session.read_all()

    assert 100 < session.frames < 673
    assert session.end.message is not None and not session.end.is_error
