# SPDX-License-Identifier: BSD-2-Clause
"""SCTP inside DTLS of every kind gives the rows of the same packets in clear; what could not be
decrypted is counted by the reason, and told."""

import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sctp_rack._core import ffi, lib
from sctp_rack.binding.session import Session

from tests.builder import dtls_written, layers, sctp
from tests.builder.dtls_capture import ADDRESSES, TwoCaptures, assert_equal, packets, totals
from tests.builder.dtls_openssl import DTLS_1_0, NO_ENCRYPT_THEN_MAC, Secured
from tests.builder.dtls_written import (
    DTLS_1_2,
    DTLS_1_3,
    HANDSHAKE,
    SUITES_1_2,
    SUITES_1_3,
    Written,
    fragment,
    plain,
)
from tests.commands.called import called
from tests.readers.rows import rows_of

pytestmark = pytest.mark.skipif(
    not lib.sr_dtls_can_decrypt(), reason="the core was built without ciphers"
)

#: OpenSSL's names.
CIPHERS = (
    *("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384"),
    *("ECDHE-ECDSA-AES128-CCM", "ECDHE-ECDSA-AES256-CCM", "AES128-CCM"),
    *("ECDHE-ECDSA-AES128-CCM8", "ECDHE-ECDSA-AES256-CCM8", "AES256-CCM8"),
    *("ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"),
    *("ECDHE-ECDSA-AES128-SHA", "AES256-SHA"),
    *("ECDHE-ECDSA-AES128-SHA256", "ECDHE-RSA-AES256-SHA384", "AES256-SHA256"),
)


def test_the_core_says_which_library_has_its_ciphers() -> None:
    """In the words by which release/sbom.py finds it in a wheel."""
    assert re.match(rb"OpenSSL \d+\.\d+\.\d+", ffi.string(lib.sr_dtls_library()))


def talked(secured: Secured, count: int = 12) -> TwoCaptures:
    """A handshake and SCTP packets."""
    captures = TwoCaptures()
    for sender, datagram in secured.handshake():
        captures.add(sender, datagram)
    for sender, packet in packets(count):
        captures.add(sender, secured.send(sender, packet), packet)
    return captures


def key_log(folder: Path, lines: list[bytes]) -> Path:
    path = folder / "keys.log"
    path.write_bytes(b"\n".join(lines))
    return path


@pytest.mark.parametrize("cipher", CIPHERS)
def test_each_cipher_of_openssl_is_read(cipher: str, tmp_path: Path) -> None:
    secured = Secured(cipher)
    captures = talked(secured)

    rows = assert_equal(captures.write(tmp_path), key_log(tmp_path, secured.keys))

    assert len({row["frame"] for row in rows["chunks"]}) == 12


@pytest.mark.parametrize("cipher", ["ECDHE-ECDSA-AES128-SHA", "ECDHE-RSA-AES256-SHA384"])
def test_the_mac_may_be_inside_the_cipher_of_cbc(cipher: str, tmp_path: Path) -> None:
    secured = Secured(cipher, options=NO_ENCRYPT_THEN_MAC)

    assert_equal(talked(secured).write(tmp_path), key_log(tmp_path, secured.keys))


def test_dtls_1_0_is_read(tmp_path: Path) -> None:
    secured = Secured("ECDHE-ECDSA-AES256-SHA", version=DTLS_1_0)

    assert_equal(talked(secured).write(tmp_path), key_log(tmp_path, secured.keys))


def test_a_handshake_that_comes_again_in_any_order_is_read(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    handshake = list(secured.handshake())
    for sender, datagram in [*reversed(handshake), *handshake[3:], *reversed(handshake)]:
        captures.add(sender, datagram)
    for sender, packet in packets(12):
        captures.add(sender, secured.send(sender, packet), packet)
    paths, keys = captures.write(tmp_path), key_log(tmp_path, secured.keys)

    assert totals(paths[0], keys)["connections"] == 1
    assert_equal(paths, keys)


def test_lost_handshake_messages_other_than_hellos_do_not_matter(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    for sender, datagram in secured.handshake():
        captures.add(sender, datagram, seen=datagram[13] in (1, 2))
    for sender, packet in packets(12):
        captures.add(sender, secured.send(sender, packet), packet)

    assert_equal(captures.write(tmp_path), key_log(tmp_path, secured.keys))


def test_records_that_are_lost_swapped_and_doubled_are_read(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    for sender, datagram in secured.handshake():
        captures.add(sender, datagram)
    records = [(sender, secured.send(sender, one), one) for sender, one in packets(30)]
    for sender, datagram, packet in [*records[20:], *records[:10], *records[5:25]]:
        captures.add(sender, datagram, packet)

    assert_equal(captures.write(tmp_path), key_log(tmp_path, secured.keys))


def test_a_datagram_may_hold_several_packets(tmp_path: Path) -> None:
    written, captures = Written(SUITES_1_2["AES-128-GCM"], DTLS_1_2), TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    data = [sctp.packet(sctp.data(tsn)) for tsn in range(1000, 1004)]
    records = [written.seal_1_2(0, number, packet) for number, packet in enumerate(data)]
    captures.add(0, b"".join(records), *data)
    path = captures.write(tmp_path)[0]

    keys = key_log(tmp_path, written.key_lines())

    assert totals(path, keys)["packets"] == 4
    rows = rows_of(path, keylog=str(keys))["transmissions"]
    assert [(row["frame"], row["tsn"]) for row in rows] == [(5, tsn) for tsn in range(1000, 1004)]


@pytest.mark.parametrize("name", SUITES_1_2)
@pytest.mark.parametrize("ids", [(b"client-id", b"s"), (b"only the client", b""), (b"", b"")])
def test_connection_ids_are_read(name: str, ids: tuple[bytes, bytes], tmp_path: Path) -> None:
    written, captures = Written(SUITES_1_2[name], DTLS_1_2, ids), TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    for number, (sender, packet) in enumerate(packets(9)):
        captures.add(sender, written.seal_1_2(sender, number, packet, padding=number), packet)

    assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))


@pytest.mark.parametrize("name", SUITES_1_3)
@pytest.mark.parametrize("long", [True, False])
@pytest.mark.parametrize("ids", [None, (b"client", b"server's")])
def test_dtls_1_3_is_read(
    name: str, long: bool, ids: tuple[bytes, bytes] | None, tmp_path: Path
) -> None:
    written, captures = Written(SUITES_1_3[name], ids=ids), TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    for number, (sender, packet) in enumerate(packets(300 if name == "AES-128-GCM" else 12)):
        record = written.seal_1_3(
            *(sender, number, packet),
            long=long,
            padding=number % 5,
            with_length=number % 2 == 0,
            with_id=number % 3 == 0,
        )
        captures.add(sender, record, packet)

    assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))


def test_keys_of_dtls_1_3_are_updated_and_records_of_the_epoch_before_are_read(
    tmp_path: Path,
) -> None:
    written, captures = Written(SUITES_1_3["AES-256-GCM"]), TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    overtaken: list[tuple[int, bytes, bytes, int]] = []
    for number, (sender, packet) in enumerate(packets(60)):
        later = 600 * (written.epochs[sender] - 3)  # each epoch counts anew
        sealed = written.seal_1_3(sender, number % 7, packet)
        if number % 7 == 6:
            written.update(sender)
            overtaken.append((sender, sealed, packet, later + 6))
            continue
        captures.add(sender, sealed, packet, number=later + number % 7)
        while overtaken and overtaken[0][0] == sender and number % 7 > 2:
            _, sealed, packet, later = overtaken.pop(0)
            captures.add(sender, sealed, packet, number=later)
    assert max(written.epochs) > 6

    assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))


def test_a_long_capture_that_the_engine_reads_in_a_thread_is_read(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    for sender, datagram in secured.handshake():
        captures.add(sender, datagram)
    for tsn in range(3000):
        packet = sctp.packet(sctp.data(tsn, tsn.to_bytes(2, "big") * 550))
        captures.add(0, secured.send(0, packet), packet)
    paths, keys = captures.write(tmp_path), key_log(tmp_path, secured.keys)

    inside, outside = (
        of_table(Session(str(path), ["transmissions"], keylog=str(keys))) for path in paths
    )
    assert len(inside) == 3000
    assert inside == outside


def of_table(session: Session) -> list[tuple[object, ...]]:
    """Frames, TSNs and sizes; nothing of chunks, so that there is a thread."""
    return [
        row
        for batch in session.batches()
        for row in batch.tables["transmissions"][["frame", "tsn", "bytes", "copy"]].tolist()
    ]


def test_a_hello_retry_request_is_no_server_hello(tmp_path: Path) -> None:
    retry = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
    written, captures = Written(SUITES_1_3["AES-128-GCM"]), TwoCaptures()
    [(_, hello), (_, answer)] = written.handshake()
    again = plain(HANDSHAKE, dtls_written.message(2, written.server_hello(retry)))
    for sender, datagram in [(0, hello), (1, again), (0, hello), (1, answer), (1, again)]:
        captures.add(sender, datagram)
    for number, (sender, packet) in enumerate(packets(6)):
        captures.add(sender, written.seal_1_3(sender, number, packet), packet)

    assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))


def test_a_long_client_hello_comes_in_fragments_of_any_cut(tmp_path: Path) -> None:
    written, captures = Written(SUITES_1_3["AES-128-GCM"]), TwoCaptures()
    hello = written.client_hello(extra=1300)
    pieces = [(700, 800), (0, 400), (300, 500), (900, len(hello) - 900)]
    for begin, count in [*pieces[:3], *pieces, pieces[2]]:
        count = min(count, len(hello) - begin)
        captures.add(0, plain(HANDSHAKE, fragment(1, hello, begin, count)))
    captures.add(*written.handshake()[1])
    for number, (sender, packet) in enumerate(packets(6)):
        captures.add(sender, written.seal_1_3(sender, number, packet), packet)

    assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))


def test_a_connection_that_moves_to_other_addresses_is_followed(tmp_path: Path) -> None:
    for version, suites in ((DTLS_1_2, SUITES_1_2), (DTLS_1_3, SUITES_1_3)):
        written, captures = Written(suites["AES-128-GCM"], version), TwoCaptures()
        seal = written.seal_1_3 if version == DTLS_1_3 else written.seal_1_2
        for sender, datagram in written.handshake():
            captures.add(sender, datagram)
        for number, (sender, packet) in enumerate(packets(20)):
            if number == 8:
                captures.ports = (40001, 50001)
            captures.add(sender, seal(sender, number, packet), packet)

        assert_equal(captures.write(tmp_path), key_log(tmp_path, written.key_lines()))


def test_a_second_session_on_the_same_ports_has_its_own_keys(tmp_path: Path) -> None:
    captures, lines = TwoCaptures(), []
    sessions = [Secured(cipher) for cipher in (CIPHERS[0], CIPHERS[3])]
    for secured in sessions:
        for sender, datagram in secured.handshake():
            captures.add(sender, datagram)
        lines += secured.keys
    for sender, packet in packets(12):
        captures.add(sender, sessions[0].send(sender, packet), packet)
        captures.add(sender, sessions[1].send(sender, packet), packet)

    assert_equal(captures.write(tmp_path), key_log(tmp_path, lines))


def test_a_connection_that_is_negotiated_anew_has_other_keys_from_then_on(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    for handshake in (secured.handshake, secured.again, secured.again):
        for sender, datagram in handshake():
            captures.add(sender, datagram)
        for sender, packet in packets(6):
            captures.add(sender, secured.send(sender, packet), packet)
    paths, keys = captures.write(tmp_path), key_log(tmp_path, secured.keys)

    assert totals(paths[0], keys)["connections"] == 3
    assert_equal(paths, keys)


def test_the_key_log_of_a_live_capture_grows_with_it(tmp_path: Path) -> None:
    secured = Secured(CIPHERS[0])
    captures = talked(secured)
    path, keys = captures.write(tmp_path)[0], tmp_path / "keys.log"
    keys.write_bytes(b"# nothing so far\nCLIENT_RAN")
    whole = path.read_bytes()
    session = Session(
        str(path), keylog=str(keys), source=Pieces(whole, keys, secured.keys[0]), live=True
    )
    session.read_all()

    assert session.dtls_totals.packets == 12


class Pieces:
    """A capture that comes bit by bit; after the first its key is in the key log."""

    def __init__(self, capture: bytes, keys: Path, line: bytes) -> None:
        self._capture, self._keys, self._line = capture, keys, line

    def readinto1(self, buffer: Any) -> int:
        piece, self._capture = self._capture[:50], self._capture[50:]
        memoryview(buffer)[: len(piece)] = piece
        if self._line:
            with self._keys.open("ab") as file:
                file.write(self._line.removeprefix(b"CLIENT_RAN") + b"\n")
            self._line = b""
        return len(piece)

    def close(self) -> None:
        pass


def channel_data(datagram: bytes) -> bytes:
    return struct.pack(">HH", 0x4001, len(datagram)) + datagram + bytes(-len(datagram) % 4)


def indication(datagram: bytes) -> bytes:
    peer = struct.pack(">HHHHI", 0x0012, 8, 1, 7, 9)
    data = struct.pack(">HH", 0x0013, len(datagram)) + datagram + bytes(-len(datagram) % 4)
    head = struct.pack(">HHI", 0x0016, len(peer + data), 0x2112A442)
    return head + b"transaction!" + peer + data


@pytest.mark.parametrize("relayed", [channel_data, indication])
def test_what_a_turn_relay_carries_is_read(relayed: object, tmp_path: Path) -> None:
    assert callable(relayed)
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    for sender, datagram in secured.handshake():
        captures.add(sender, relayed(datagram))
    for sender, packet in packets(6):
        captures.add(sender, relayed(secured.send(sender, packet)), packet)
        captures.add(sender, b"\x80\x6f" + bytes(40))  # RTP
        captures.add(sender, struct.pack(">HHI", 1, 0, 0x2112A442) + bytes(12))  # STUN

    assert_equal(captures.write(tmp_path), key_log(tmp_path, secured.keys))


def test_dtls_inside_a_tunnel_is_read(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()

    def tunnelled(sender: int, datagram: bytes) -> bytes:
        src, dst = ADDRESSES[sender], ADDRESSES[1 - sender]
        ports = (40000, 50000) if sender == 0 else (50000, 40000)
        return layers.gtpu(layers.ipv4(layers.UDP, layers.udp(*ports, datagram), src=src, dst=dst))

    captures.ports = (2152, 2152)
    for sender, datagram in secured.handshake():
        captures.add(sender, tunnelled(sender, datagram))
    for sender, packet in packets(6):
        captures.add(sender, tunnelled(sender, secured.send(sender, packet)))

    told = totals(captures.write(tmp_path)[0], key_log(tmp_path, secured.keys))
    assert told["packets"] == told["records"] == 6


def test_keys_may_be_in_the_capture(tmp_path: Path) -> None:
    secured = Secured(CIPHERS[0])
    handshake = list(secured.handshake())
    captures = TwoCaptures()
    captures.keys(*secured.keys)
    for sender, datagram in handshake:
        captures.add(sender, datagram)
    for sender, packet in packets(12):
        captures.add(sender, secured.send(sender, packet), packet)

    assert_equal(captures.write(tmp_path), None)


# ---- what cannot be decrypted ----


def test_a_session_without_its_handshake_is_told(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    for sender, datagram in secured.handshake():
        captures.add(sender, datagram, seen=False)
    for sender, packet in packets(7):
        captures.add(sender, secured.send(sender, packet), packet)
    path, keys = captures.write(tmp_path)[0], key_log(tmp_path, secured.keys)

    assert totals(path, keys)["no_handshake"] == 7
    text = called("analyze", path, "--keylog", keys).stdout.decode()
    assert "7 frames hold DTLS that was not decrypted" in text
    assert "7 records of 1 connection whose handshake is not in the capture" in text


def test_a_session_without_its_keys_is_told(tmp_path: Path) -> None:
    secured = Secured(CIPHERS[0])
    path = talked(secured, 7).write(tmp_path)[0]
    other = key_log(tmp_path, [b"CLIENT_RANDOM " + b"00" * 32 + b" " + b"11" * 48])

    assert totals(path)["no_key"] == totals(path, other)["no_key"] == 7
    assert "`--keylog FILE` decrypts it" in called("analyze", path).stdout.decode()
    text = called("analyze", path, "--keylog", other).stdout.decode()
    assert "7 records of 1 connection whose keys are not in the key log" in text


def test_keys_that_are_wrong_are_told(tmp_path: Path) -> None:
    for suites, version in ((SUITES_1_2, DTLS_1_2), (SUITES_1_3, DTLS_1_3)):
        written, captures = Written(suites["AES-128-GCM"], version), TwoCaptures()
        seal = written.seal_1_3 if version == DTLS_1_3 else written.seal_1_2
        for sender, datagram in written.handshake():
            captures.add(sender, datagram)
        for number, (sender, packet) in enumerate(packets(7)):
            damaged = bytearray(seal(sender, number, packet))
            damaged[-1 - number] ^= 1
            captures.add(sender, bytes(damaged), packet)
        path = captures.write(tmp_path)[0]

        keys = key_log(tmp_path, written.key_lines())
        assert totals(path, keys)["wrong_key"] == totals(path, keys)["records"] == 7
        assert "not authentic" in called("analyze", path, "--keylog", keys).stdout.decode()


def test_a_cipher_that_is_not_read_is_told(tmp_path: Path) -> None:
    suite = replace(SUITES_1_2["AES-128-GCM"], number=0xC0FF)
    written, captures = Written(suite, DTLS_1_2), TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    captures.add(0, written.seal_1_2(0, 1, packets(2)[1][1]))
    path, keys = captures.write(tmp_path)[0], key_log(tmp_path, written.key_lines())

    assert totals(path, keys)["cipher"] == 1
    assert (
        "cipher suite that is not read" in called("analyze", path, "--keylog", keys).stdout.decode()
    )


def test_decrypted_records_without_sctp_are_told(tmp_path: Path) -> None:
    secured, captures = Secured(CIPHERS[0]), TwoCaptures()
    for sender, datagram in secured.handshake():
        captures.add(sender, datagram)
    captures.add(0, secured.send(0, b"something else"))
    path, keys = captures.write(tmp_path)[0], key_log(tmp_path, secured.keys)

    text = called("analyze", path, "--keylog", keys).stdout.decode()
    assert "1 record of DTLS decrypted, and none holds SCTP" in text


def test_datagrams_of_other_protocols_are_no_dtls(tmp_path: Path) -> None:
    captures = TwoCaptures()
    for first in range(256):
        captures.add(0, bytes([first]) + bytes(range(1, 60)))
    assert totals(captures.write(tmp_path)[0])["records"] == 0
