# SPDX-License-Identifier: BSD-2-Clause
"""Packet logs of pion/scp: the rows of a capture of the same packets."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sctp_rack.binding.source import open_source
from sctp_rack.readers.pion_scp import PionScpSource
from sctp_rack.readers.tshark import TsharkSource

from tests.captures import SAMPLE
from tests.commands.called import called
from tests.readers.rows import rows_of, without


def timestamp(time_ns: int) -> str:
    """As Go's encoding/json writes a time.Time: RFC 3339, no trailing zeros of the fraction."""
    seconds, fraction = divmod(time_ns, 10**9)
    text = f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"
    digits = f"{fraction:09}".rstrip("0")
    return f"{text}.{digits}Z" if digits else f"{text}Z"


def sample_lines() -> Iterator[str]:
    """The bundled capture as pion/scp would log it."""
    for frame in TsharkSource(str(SAMPLE)).frames():
        for packet in frame.packets:
            ends = [".".join(map(str, end[:4])) for end in (packet.src, packet.dst)]
            record = {
                "timestamp": timestamp(frame.time_ns),
                "packet_index": frame.number,
                "source": f"{ends[0]}:5000",
                "destination": f"{ends[1]}:5000",
                "length": len(packet.data),
                "verification_tag": int.from_bytes(packet.data[4:8], "big"),
                "checksum_ok": True,
                "data_hex": packet.data.hex(),
            }
            yield json.dumps(record, separators=(",", ":")) + "\n"


def write(path: Path, lines: Iterator[str] | list[str]) -> Path:
    path.write_text("".join(lines))
    return path


def test_its_rows_are_those_of_a_capture(tmp_path: Path) -> None:
    log = write(tmp_path / "log", sample_lines())
    rows = rows_of(log, PionScpSource(str(log), open_source(str(log))))

    # In UDP, and without hop limits, which make the tap's place certain.
    differing = ("encapsulation", "features", "vantage_class")
    assert without(rows, *differing) == without(rows_of(SAMPLE), *differing)


def test_it_is_recognised_by_its_content(tmp_path: Path) -> None:
    result = called("analyze", write(tmp_path / "capture.pcap", sample_lines()))

    assert result.returncode == 0
    assert b"pion/scp, 673 frames, 673 SCTP packets" in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"source"', '"sauce"', "no source"),
        ("10.94.1.10:5000", "nowhere:5000", "'nowhere' does not appear to be an IPv4 or IPv6"),
        ('"data_hex":"13', '"data_hex":"x3', "non-hexadecimal number found"),
        ('"timestamp":"2', '"timestamp":"x', "Invalid isoformat string"),
        ("}\n", "\n", "Expecting ',' delimiter"),
        ('"source":"10.94.1.10:5000"', '"source":5', "no source"),
        ("{", "[" * 100_000 + "{", "maximum recursion depth"),
    ],
)
def test_a_line_that_is_none_of_its_packets_is_named(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    first, second, *_ = sample_lines()
    third = first.replace(old, new)
    log = write(tmp_path / "log", [first, second, "\n", third])

    result = called("export", "--table", "chunks", log)

    (line,) = result.stderr.decode().splitlines()
    assert result.returncode == 3
    assert len(result.stdout.splitlines()) == 2
    assert line.startswith(f"sctp-rack: {log}: line 4 (frame 3): not a packet of pion/scp: ")
    assert said in line


@pytest.mark.parametrize(
    ("timestamp", "ns"),
    [
        ("2026-05-10T08:35:42.972176605Z", 1778402142972176605),
        ("2026-05-10T10:35:42.5+02:00", 1778402142500000000),
        ("1969-12-31T23:59:59.75Z", -250000000),
        ("9999-12-31T23:59:59Z", (1 << 63) - 1),
    ],
)
def test_times_are_read_to_the_nanosecond(timestamp: str, ns: int, tmp_path: Path) -> None:
    record = {"timestamp": timestamp, "source": "10.0.0.1:1", "destination": "10.0.0.2:1"}
    log = write(tmp_path / "log", [json.dumps({**record, "data_hex": "00" * 16})])
    (frame,) = PionScpSource(str(log), open_source(str(log))).frames()

    assert frame.time_ns == ns


def test_ipv6_ends_are_read(tmp_path: Path) -> None:
    first = next(iter(sample_lines())).replace("10.94.1.10:5000", "[2001:db8::1]:5000")
    first = first.replace("192.168.68.20:5000", "[2001:db8::2]:5000")
    log = write(tmp_path / "log", [first])
    rows = rows_of(log, PionScpSource(str(log), open_source(str(log))))

    assert rows["chunks"][0]["path"] == "[2001:db8::1]>[2001:db8::2]"
