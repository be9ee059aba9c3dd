# SPDX-License-Identifier: BSD-2-Clause
"""Data channels of real browsers, read in the ways that docs/readers.md names."""

import re
import subprocess
from pathlib import Path

import pytest
from sctp_rack.binding.source import open_source
from sctp_rack.readers.sctp_log import SctpLogSource
from sctp_rack.readers.tshark import TsharkSource

from tests.analyzer.test_bad_input import run
from tests.readers.browser import BYTES, MESSAGES, call, captured, installed
from tests.readers.rows import Rows, rows_of

pytestmark = pytest.mark.long

#: Values of media.peerconnection.dtls.version.max.
DTLS_1_2, DTLS_1_3 = 771, 772
#: The first tshark that decrypts DTLS 1.3.
TSHARK_OF_1_3 = (4, 4)


def assert_all_was_sent(rows: Rows, association: int = 0) -> None:
    """The messages are there in one direction, each chunk once as nothing was lost on the way."""
    by_direction: dict[str, list[int]] = {"a2b": [], "b2a": []}
    user_bytes = {"a2b": 0, "b2a": 0}
    for row in rows["transmissions"]:
        if row["assoc"] == association and row["copy"] == 1:
            by_direction[row["dir"]].append(row["tsn"])
            user_bytes[row["dir"]] += row["bytes"]
    sender = max(user_bytes, key=lambda way: user_bytes[way])
    first, *_, last = by_direction[sender]

    assert 0 < user_bytes[sender] - MESSAGES * BYTES < 100  # DCEP's open (RFC 8832)
    assert len(by_direction[sender]) == (last - first) % 2**32 + 1
    assert {row["checksum"] for row in rows["chunks"]} <= {"crc32c", "zero"}


def chrome(folder: Path) -> Path:
    """A call in Chrome; gives its log."""
    name = installed("chromium", "google-chrome")
    command = [name, "--headless=new", "--no-sandbox", f"--user-data-dir={folder}"]
    logging = ["--enable-logging", "--v=1"]
    keys = {"SSLKEYLOGFILE": str(folder / "keys.log")}
    call([*command, *logging, "--allow-loopback-in-peer-connection"], keys)
    return folder / "chrome_debug.log"


def test_the_log_of_chrome_is_read(tmp_path: Path) -> None:
    log = chrome(tmp_path)

    rows = rows_of(log, SctpLogSource(str(log), open_source(str(log))))
    shown = run("analyze", log)

    assert {row["assoc"] for row in rows["chunks"]} == {0, 1}  # as each end tells it
    for association in (0, 1):
        assert_all_was_sent(rows, association)
    assert {row["encapsulation"] for row in rows["chunks"]} == {"log"}
    assert shown.returncode == 0
    assert b"  SCTP log, " in shown.stdout


def test_chrome_writes_no_keys_of_webrtc(tmp_path: Path) -> None:
    """As docs/readers.md says; once it does, the document can say something better."""
    keys = chrome(tmp_path).with_name("keys.log")

    assert not keys.exists() or "TRAFFIC_SECRET" not in keys.read_text()


@pytest.mark.parametrize("version", [DTLS_1_2, DTLS_1_3])
def test_the_keys_of_firefox_decrypt_its_data_channels(version: int, tmp_path: Path) -> None:
    name = installed("firefox-esr", "firefox")
    capture, keys = tmp_path / "call.pcapng", tmp_path / "keys.log"
    profile = tmp_path / "profile"
    profile.mkdir()
    preferences = {
        "media.peerconnection.dtls.version.max": version,
        "media.peerconnection.ice.loopback": "true",
    }
    (profile / "user.js").write_text(
        "".join(f'user_pref("{name}", {value});\n' for name, value in preferences.items())
    )
    command = [name, "--headless", "--no-remote", "--profile", str(profile)]

    with captured(capture):
        call(command, {"SSLKEYLOGFILE": str(keys)})

    rows = rows_of(capture, keylog=str(keys))
    if version != DTLS_1_3 or tshark_version() >= TSHARK_OF_1_3:
        assert rows == rows_of(capture, TsharkSource(str(capture), keylog=str(keys)))
    shown = run("analyze", capture, "--keylog", keys)
    assert_all_was_sent(rows)
    assert {row["encapsulation"] for row in rows["chunks"]} == {"dtls"}
    assert shown.returncode == 0
    assert f"{len(rows['transmissions'])} DATA chunks".encode() in shown.stdout


def tshark_version() -> tuple[int, ...]:
    shown = subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True)
    numbers = re.search(r"(\d+)\.(\d+)", shown.stdout)
    assert numbers is not None
    return int(numbers[1]), int(numbers[2])
