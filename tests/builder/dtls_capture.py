# SPDX-License-Identifier: BSD-2-Clause
"""A capture of DTLS, and beside it the same SCTP packets in clear: their rows must be the same.

What numbers a record of DTLS 1.2 is in clear the identification of the IPv4 header."""

from pathlib import Path

from sctp_rack.binding.session import Session
from sctp_rack.names import Unopened

from tests.builder import layers, sctp
from tests.builder.dtls_written import DTLS_1_2, SUITES_1_2, Written
from tests.builder.files import RESOLUTION, Pcapng
from tests.readers.rows import Rows, rows_of, without

RAW = 101
ADDRESSES = ("10.0.0.1", "10.0.0.2")
KEY_LOG = 0x544C534B

#: Columns that tell what carried the packets.
CARRIED = ("encapsulation", "features")


class TwoCaptures:
    """Both files, frame by frame: what is no SCTP is another datagram in clear."""

    def __init__(self, ports: tuple[int, int] = (40000, 50000)) -> None:
        self.ports = ports
        self._time_ns = 10**18
        self.secured, self.clear = (Pcapng(), Pcapng())
        for file in (self.secured, self.clear):
            file.interface(RAW, options=[(RESOLUTION, bytes([9]))])

    def add(
        self,
        sender: int,
        datagram: bytes,
        *inside: bytes,
        seen: bool = True,
        number: int | None = None,
    ) -> None:
        """A datagram of DTLS and the SCTP packets in it, of which only one is a frame in clear.

        `number`: of the record, where its header does not say it as that of DTLS 1.2 does.
        """
        self._time_ns += 10**6
        if not seen:
            return
        src, dst = ADDRESSES[sender], ADDRESSES[1 - sender]
        sport, dport = self.ports[sender], self.ports[1 - sender]
        frame = layers.ipv4(layers.UDP, layers.udp(sport, dport, datagram), src=src, dst=dst)
        self.secured.packet(frame, ticks=self._time_ns)
        in_clear = inside[0] if inside else b"another protocol"
        port = 9899 if inside else 1
        if number is None:
            number = int.from_bytes(datagram[9:11], "big") if inside else 0
        udp = layers.udp(port, port, in_clear)
        frame = layers.ipv4(layers.UDP, udp, ident=number, src=src, dst=dst)
        self.clear.packet(frame, ticks=self._time_ns)

    def keys(self, *lines: bytes) -> None:
        """In the capture itself."""
        self.secured.secrets(KEY_LOG, b"\n".join(lines))

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Both files."""
        paths = folder / "secured.pcapng", folder / "clear.pcapng"
        for path, file in zip(paths, (self.secured, self.clear), strict=True):
            path.write_bytes(bytes(file))
        return paths


def packets(count: int) -> list[tuple[int, bytes]]:
    """SCTP packets of both ends with their senders: DATA from the client, SACKs from the server."""
    return [
        (
            0,
            sctp.packet(
                sctp.data(1000 + i, bytes([i % 256]) * (20 + 31 * i)),
                sport=5000,
                dport=5000,
                vtag=7,
            ),
        )
        if i % 3
        else (1, sctp.packet(sctp.sack(999 + i), sport=5000, dport=5000, vtag=9))
        for i in range(count)
    ]


def with_repeated_records(folder: Path) -> tuple[Path, Path]:
    """A capture and its key log: two records in a datagram hold again what was sent before, and
    that datagram comes twice."""
    written, captures = Written(SUITES_1_2["AES-128-GCM"], DTLS_1_2), TwoCaptures()
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    sent = [
        sctp.packet(sctp.data(1000 + each, b"user data"), sport=5000, dport=5000, vtag=7)
        for each in range(12)
    ]
    for number, packet in enumerate(sent, 1):
        captures.add(0, written.seal_1_2(0, number, packet), packet)
    again = sent[5:7]
    records = [written.seal_1_2(0, number, packet) for number, packet in enumerate(again, 13)]
    for _ in range(2):
        captures.add(0, b"".join(records), *again)
    keys = folder / "keys.log"
    keys.write_bytes(b"\n".join(written.key_lines()))
    return captures.write(folder)[0], keys


def assert_equal(paths: tuple[Path, Path], keylog: Path | None) -> Rows:
    """The rows of what is decrypted and of what is in clear are the same."""
    inside = rows_of(paths[0], keylog=None if keylog is None else str(keylog))
    assert {row["encapsulation"] for row in inside["chunks"]} == {"dtls"}
    assert without(inside, *CARRIED) == without(rows_of(paths[1]), *CARRIED)
    return inside


def totals(path: Path, keylog: Path | None = None) -> dict[str, int]:
    """What came of the DTLS in a capture: how many records by reason, how many packets."""
    session = Session(str(path), keylog=None if keylog is None else str(keylog))
    session.read_all()
    told = session.dtls_totals
    return {
        "records": told.records,
        "packets": told.packets,
        "connections": told.connections,
        **{word: told.unopened[i] for i, word in enumerate(Unopened)},
    }
