# SPDX-License-Identifier: BSD-2-Clause
"""Whoever reads a capture, its rows are the same: the native reader, tshark, pyshark."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyshark
import pytest
from sctp_rack.readers.pyshark import PysharkSource
from sctp_rack.readers.tshark import TsharkSource

from tests.builder.case import Case, expected, within
from tests.captures import SAMPLE, any_of, bundled, collection, name_of, needs_collection
from tests.differential.our_rows import by_us
from tests.differential.test_encapsulations import BEFORE, CASES, NAMED_PORT, write
from tests.differential.tshark_oracle import Seen
from tests.readers.rows import rows_of

#: Their SCTP is inside DTLS, which no reader decrypts without keys: see test_dtls.py.
DTLS = "pion_dtls"

IN_CLEAR = [path for path in (*collection("wild"), *collection("truth")) if DTLS not in path.name]

#: Of three taps of a run one, as pyshark takes long.
ONE_TAP = [path for path in IN_CLEAR if not {".sender", ".receiver"} & set(path.suffixes)]


def assert_equal_rows(capture: Path) -> None:
    rows = rows_of(capture)
    assert any(rows.values())
    assert rows_of(capture, TsharkSource(str(capture))) == rows


@pytest.mark.parametrize("capture", any_of(bundled()), ids=name_of)
def test_tshark_gives_the_rows_of_a_bundled_capture(capture: Path) -> None:
    assert_equal_rows(capture)


@needs_collection
@pytest.mark.parametrize("capture", any_of(IN_CLEAR), ids=name_of)
def test_tshark_gives_the_rows_of_every_capture(capture: Path) -> None:
    assert_equal_rows(capture)


#: With its SCTP dissector off tshark does not look into these; the native reader does.
TABLE_NAMED = {"exported PDU: table ip.proto", "exported PDU: table udp.port"}


#: tshark is told the ports of these; the reader finds their flows as the native one does.
FOUND = {
    "UDP on an unnamed port, found by its second packet",
    "UDP over IPv6 on an unnamed port, found by the other side's packet",
    "UDP on an unnamed port, zero checksums only",
    "UDP flows of one found port are found one by one",
}


@pytest.fixture(scope="module")
def by_tshark_reader(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    path = write(tmp_path_factory.mktemp("encapsulations") / "all.pcapng", CASES)
    return by_us(path, source=TsharkSource(str(path), udp_ports=(NAMED_PORT,)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_tshark_reader_sees_what_tshark_sees(case: Case, by_tshark_reader: Seen) -> None:
    first = BEFORE[case.name] + 1
    seen = within(by_tshark_reader, first, BEFORE[case.name] + len(case.frames))
    packets = case.ours if case.theirs is None or case.name in FOUND else case.theirs
    assert seen == expected({} if case.name in TABLE_NAMED else packets, BEFORE[case.name])


def file_capture(path: Path, **options: Any) -> PysharkSource:
    return PysharkSource(pyshark.FileCapture(str(path), **options))


def loaded(path: Path) -> PysharkSource:
    """The packets themselves, as a live capture keeps them."""
    capture = pyshark.FileCapture(str(path), use_json=True, include_raw=True)
    capture.load_packets()
    packets = [capture[index] for index in range(len(capture))]
    capture.close()
    return PysharkSource(packets)


PYSHARK: dict[str, Callable[[Path], PysharkSource]] = {
    "as it is": file_capture,
    "with use_ek": lambda path: file_capture(path, use_ek=True),
    "with a display filter": lambda path: file_capture(path, display_filter="sctp"),
    "its packets": loaded,
}


@pytest.mark.parametrize("source_of", PYSHARK.values(), ids=PYSHARK)
def test_pyshark_gives_the_rows_of_the_sample(
    source_of: Callable[[Path], PysharkSource],
) -> None:
    assert rows_of(SAMPLE, source_of(SAMPLE)) == rows_of(SAMPLE)


@needs_collection
@pytest.mark.long
@pytest.mark.parametrize("capture", ONE_TAP, ids=name_of)
def test_pyshark_gives_the_rows_of_every_capture(capture: Path) -> None:
    assert rows_of(capture, file_capture(capture)) == rows_of(capture)


@needs_collection
@pytest.mark.long
@pytest.mark.parametrize("capture", ONE_TAP, ids=name_of)
def test_packets_of_pyshark_give_the_rows_of_every_capture(capture: Path) -> None:
    rows = rows_of(capture)
    seen = rows_of(capture, loaded(capture))
    assert seen == rows


def test_pyshark_is_read_inside_a_running_event_loop_as_in_jupyter() -> None:
    async def cell() -> object:
        return rows_of(SAMPLE, file_capture(SAMPLE))

    loop = asyncio.new_event_loop()
    try:
        assert loop.run_until_complete(cell()) == rows_of(SAMPLE)
    finally:
        loop.close()


def test_a_filter_chooses_frames_and_leaves_their_numbers() -> None:
    seen = rows_of(SAMPLE, file_capture(SAMPLE, display_filter="sctp && frame.number > 600"))
    frames = {row["frame"] for row in seen["chunks"]}
    assert frames == {row["frame"] for row in rows_of(SAMPLE)["chunks"] if row["frame"] > 600}


def test_a_port_that_pyshark_decodes_as_sctp_is_sctp(tmp_path: Path) -> None:
    from tests.builder import sctp
    from tests.builder.files import pcap
    from tests.builder.layers import UDP, ipv4, udp

    packet = sctp.packet(sctp.data(7), checksum=sctp.wrong)
    path = tmp_path / "udp.pcap"
    path.write_bytes(pcap([ipv4(UDP, udp(7777, 7778, packet))], 101))
    capture = pyshark.FileCapture(str(path), decode_as={"udp.port==7777": "sctp"})
    assert [row["tsn"] for row in rows_of(path, PysharkSource(capture))["transmissions"]] == [7]


def test_any_compression_of_wireshark_is_read_by_tshark(tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    with packed.open("wb") as file:
        subprocess.run(["gzip", "--stdout", SAMPLE], stdout=file, check=True)
    assert rows_of(packed, TsharkSource(str(packed))) == rows_of(SAMPLE)


@pytest.mark.parametrize("file_type", ["snoop", "netmon2", "5views", "k12text"])
def test_formats_that_only_wireshark_knows_are_read_by_tshark(
    file_type: str, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    subprocess.run(["editcap", "-F", file_type, SAMPLE, other], check=True)
    tsns = [row["tsn"] for row in rows_of(other, TsharkSource(str(other)))["transmissions"]]
    assert tsns == [row["tsn"] for row in rows_of(SAMPLE)["transmissions"]]
