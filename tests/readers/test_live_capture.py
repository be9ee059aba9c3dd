# SPDX-License-Identifier: BSD-2-Clause
"""A live capture of pyshark on the loopback interface: SCTP over UDP that the test sends itself."""

import itertools
import socket
import subprocess
import threading
from collections.abc import Iterator

import pyshark
import pytest
from sctp_rack.errors import CaptureError
from sctp_rack.readers.pyshark import PysharkSource

from tests.builder import sctp
from tests.readers.rows import rows_of

PORT = 9899
COUNT = 5


@pytest.fixture(scope="module")
def may_capture() -> None:
    command = ["dumpcap", "-q", "-i", "lo", "-a", "duration:1", "-w", "-"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this user may not capture on the loopback interface")


@pytest.fixture
def talk() -> Iterator[None]:
    """Sends DATA with ascending TSNs until the test is over, a packet each 20 ms."""
    over = threading.Event()

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for tsn in itertools.count(1000):
                sender.sendto(sctp.both(tsn), ("127.0.0.1", PORT))
                if over.wait(0.02):
                    return

    thread = threading.Thread(target=send)
    thread.start()
    yield
    over.set()
    thread.join()


def assert_consecutive(source: PysharkSource) -> None:
    rows = rows_of("lo", source)
    tsns = [row["tsn"] for row in rows["transmissions"]]
    assert len(tsns) == len(rows["sacks"]) == COUNT  # both chunks of each bundle
    assert tsns == list(range(tsns[0], tsns[0] + COUNT))
    assert {row["path"] for row in rows["chunks"]} == {"127.0.0.1>127.0.0.1"}
    assert [row["frame"] for row in rows["transmissions"]] == list(range(1, COUNT + 1))


@pytest.mark.usefixtures("may_capture", "talk")
def test_a_live_capture_is_started_and_read() -> None:
    capture = pyshark.LiveCapture(
        "lo",
        bpf_filter=f"udp dst port {PORT}",
        custom_parameters=["-c", str(COUNT), "-a", "duration:30"],
    )
    assert_consecutive(PysharkSource(capture))


@pytest.mark.usefixtures("may_capture", "talk")
def test_a_live_capture_that_holds_packets_is_read_from_them() -> None:
    capture = pyshark.LiveCapture(
        "lo", bpf_filter=f"udp dst port {PORT}", use_json=True, include_raw=True
    )
    capture.sniff(packet_count=COUNT, timeout=30)
    assert_consecutive(PysharkSource(capture))


@pytest.mark.usefixtures("may_capture", "talk")
def test_packets_without_their_bytes_are_an_error_that_says_what_to_do() -> None:
    capture = pyshark.LiveCapture("lo", bpf_filter=f"udp dst port {PORT}")
    capture.sniff(packet_count=1, timeout=30)
    with pytest.raises(CaptureError, match="use_json=True, include_raw=True"):
        next(PysharkSource(capture).frames())
