# SPDX-License-Identifier: BSD-2-Clause
"""The page decrypts DTLS with keys of the file or of a key log that is dropped with it, before or
after: the rows are those of the command, and what was not decrypted is told in its words."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sctp_rack._core import lib
from sctp_rack.binding.session import Session
from sctp_rack.columns.layout import CORE_TABLES

from tests.browser import Page
from tests.builder.dtls_capture import TwoCaptures, packets
from tests.builder.dtls_openssl import DTLS_1_0, NO_ENCRYPT_THEN_MAC, Secured
from tests.builder.dtls_written import DTLS_1_2, SUITES_1_2, SUITES_1_3, Written
from tests.captures import BUNDLED, IN_DTLS, SAMPLE
from tests.commands.called import called
from tests.page.dropped import analysed, drop, saved, text, texts
from tests.page.test_rows import exported
from tests.readers.test_dtls_native import CIPHERS

pytestmark = pytest.mark.skipif(
    not lib.sr_dtls_can_decrypt(), reason="the core was built without ciphers"
)

CAPTURE = BUNDLED / f"{IN_DTLS}.sender.pcapng"
KEYS = BUNDLED / f"{IN_DTLS}.keys.log"


def by_openssl(captures: TwoCaptures, secured: Secured) -> list[bytes]:
    for sender, datagram in secured.handshake():
        captures.add(sender, datagram)
    for sender, packet in packets(9):
        captures.add(sender, secured.send(sender, packet), packet)
    return secured.keys


def by_hand(captures: TwoCaptures, written: Written, damaged: Random | None = None) -> list[bytes]:
    seal = written.seal_1_2 if written.version == DTLS_1_2 else written.seal_1_3
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    for number, (sender, packet) in enumerate(packets(9)):
        record = bytearray(seal(sender, number, packet, padding=number % 3))
        if damaged:
            record[damaged.randrange(len(record))] ^= 1 << damaged.randrange(8)
        captures.add(sender, bytes(record), packet)
    return written.key_lines()


def of_every_suite(folder: Path) -> tuple[Path, Path]:
    """One capture, a connection for each suite, and of some another whose records are damaged."""
    captures, keys = TwoCaptures(), list[bytes]()
    for suites, version in ((SUITES_1_2, DTLS_1_2), (SUITES_1_3, 0xFEFC)):
        for suite in suites.values():
            for ids in (None, (b"client", b"s")):
                for damaged in (None, Random(len(keys))):
                    captures.ports = (captures.ports[0] + 1, captures.ports[1] + 1)
                    keys += by_hand(captures, Written(suite, version, ids), damaged)
    of_openssl = [Secured(cipher) for cipher in CIPHERS]
    of_openssl.append(Secured("ECDHE-ECDSA-AES128-SHA", options=NO_ENCRYPT_THEN_MAC))
    of_openssl.append(Secured("ECDHE-RSA-AES256-SHA384", options=NO_ENCRYPT_THEN_MAC))
    of_openssl.append(Secured("ECDHE-ECDSA-AES256-SHA", version=DTLS_1_0))
    for secured in of_openssl:
        captures.ports = (captures.ports[0] + 1, captures.ports[1] + 1)
        keys += by_openssl(captures, secured)
    path = folder / "keys.log"
    path.write_bytes(b"\n".join(keys))
    return captures.write(folder)[0], path


def assert_rows_of_the_command(page: Page, capture: Path, keys: Path | None) -> None:
    wanted = exported(capture, "ndjson", str(keys) if keys else None)
    found = {table: saved(page, table, "ndjson") for table in CORE_TABLES}
    assert [table for table in CORE_TABLES if found[table] != wanted[table]] == []
    assert '"encapsulation":"dtls"' in found["chunks"]
    secrets = (
        {line.split()[2].decode().lower() for line in keys.read_bytes().splitlines()}
        if keys
        else set()
    )
    assert not [one for one in secrets if any(one in rows.lower() for rows in found.values())]


def assert_told_as_by_the_command(page: Page, capture: Path, keys: Path | None) -> None:
    """The finding of `analyze`, without what is an option of it."""
    command = ["analyze", "--json", capture, *(("--keylog", keys) if keys else ())]
    findings = json.loads(called(*command).stdout)["findings"]
    [finding] = [one for one in findings if one["code"] == "dtls"]
    said = finding["text"].replace("; `--reader tshark` may know it", "")
    first = f" First: frame {', '.join(map(str, finding['frames']))}." if finding["frames"] else ""
    assert said + first in texts(page, "#notices li")


@pytest.mark.long
def test_every_suite_gives_the_rows_of_the_command(page: Page, tmp_path: Path) -> None:
    capture, keys = of_every_suite(tmp_path)
    analysed(page, capture, keys)
    session = Session(str(capture), keylog=str(keys))
    session.read_all()

    assert session.dtls_totals.packets > 9 * len(CIPHERS)
    assert f", {session.dtls_totals.opened} records of DTLS decrypted," in text(page, "#kicker")
    assert_rows_of_the_command(page, capture, keys)
    assert_told_as_by_the_command(page, capture, keys)
    assert page.errors == []


def test_keys_in_the_capture_are_used_without_asking(page: Page, tmp_path: Path) -> None:
    captures, secured = TwoCaptures(), Secured(CIPHERS[0])
    handshake = list(secured.handshake())
    captures.keys(*secured.keys)
    for sender, datagram in handshake:
        captures.add(sender, datagram)
    for sender, packet in packets(9):
        captures.add(sender, secured.send(sender, packet), packet)
    path = captures.write(tmp_path)[0]
    analysed(page, path)

    assert ", 9 records of DTLS decrypted," in text(page, "#kicker")
    assert_rows_of_the_command(page, path, None)


def test_a_key_log_is_dropped_before_with_or_after_its_capture(page: Page, html: Path) -> None:
    said = called("analyze", CAPTURE, "--keylog", KEYS).stdout.decode().splitlines()[1]
    for order in ([[KEYS], [CAPTURE]], [[KEYS, CAPTURE]], [[CAPTURE], [KEYS]]):
        page.open(html, "document.documentElement.dataset.ready")
        for files in order[:-1]:
            if files == [KEYS]:
                drop(page, KEYS)
                page.wait("keyLogs.length")
                assert text(page, "#status").startswith(f"{KEYS.name}: keys for the captures that")
            else:
                analysed(page, *files)
                assert "211 frames hold DTLS that was not decrypted" in text(page, "#notices")
        analysed(page, *order[-1])

        verdict = text(page, "#verdict .first").removesuffix(".")
        assert said.strip().startswith(verdict)
        assert "211 records of DTLS decrypted" in text(page, "#kicker")
        assert text(page, "#notices") == ""
    wanted = exported(CAPTURE, "csv", str(KEYS))
    assert saved(page, "transmissions", "csv") == wanted["transmissions"]
    assert [url for url in page.loads if not url.startswith(("file:", "data:", "blob:null/"))] == []
    assert page.errors == []


def test_without_the_right_keys_it_says_what_analyze_says(page: Page, tmp_path: Path) -> None:
    written = Written(replace(SUITES_1_2["AES-128-GCM"], number=0xC0FF), DTLS_1_2)
    captures, other = TwoCaptures(), tmp_path / "keys.log"
    lines = by_hand(captures, written)
    captures.ports = (40001, 50001)
    by_openssl(captures, Secured(CIPHERS[0]))
    captures.ports = (40002, 50002)
    unseen = Secured(CIPHERS[0])
    list(unseen.handshake())
    captures.add(0, unseen.send(0, b"whose hellos are missing"))
    path = captures.write(tmp_path)[0]
    other.write_bytes(b"# of another session, too\n" + b"\n".join(lines))
    analysed(page, path, other)

    [said] = [one for one in texts(page, "#notices li") if "DTLS" in one]
    assert "9 records of 1 connection of a version or cipher suite that is not read." in said
    assert "9 records of 1 connection whose keys are not in the key log" in said
    assert "1 record of 1 connection whose handshake is not in the capture" in said
    assert_told_as_by_the_command(page, path, other)


def test_a_long_key_log_is_handed_over_line_by_line(page: Page, tmp_path: Path) -> None:
    padding = b"# nothing\n" * 11 + b"CLIENT_RANDOM " + b"00" * 32 + b" " + b"11" * 48 + b"\n"
    keys = tmp_path / "keys.log"
    keys.write_bytes(padding * 8000 + KEYS.read_bytes() + padding * 8000)
    assert keys.stat().st_size > 4 << 20
    analysed(page, CAPTURE, keys)

    assert "211 records of DTLS decrypted" in text(page, "#kicker")


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (KEYS.read_bytes(), True),
        (b"# SSL/TLS secrets log file, generated by NSS\n", True),
        (b"CLIENT_RANDOM " + b"0a" * 32 + b" " + b"FF" * 48 + b"\r\n", True),
        (b"CLIENT_RANDOM 00 11\n", False),
        (b"Frame 1: SCTP\n" * 100, False),
        (b"I 10:00:00.000 0000 01 02 # SCTP_PACKET\n# of a browser\n", False),
        (b"", False),
        (SAMPLE.read_bytes(), False),
        (CAPTURE.read_bytes(), False),
    ],
    ids=["sample", "comment", "one line", "short", "text", "log", "empty", "pcapng", "dtls"],
)
def test_a_key_log_is_known_by_a_line(page: Page, data: bytes, is_one: bool) -> None:
    assert page.evaluate(f"isKeyLog(new Blob([new Uint8Array({list(data)})]))") == is_one
