# SPDX-License-Identifier: BSD-2-Clause
"""DTLS as the RFCs have it, written without the core: hellos, keys of both versions, records.

For what no library at hand speaks: DTLS 1.3 (RFC 9147) and connection IDs (RFC 9146).
"""

import hashlib
import hmac
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305

CLIENT_HELLO, SERVER_HELLO = 1, 2
CHANGE_CIPHER_SPEC, HANDSHAKE, APPLICATION, WITH_ID = 20, 22, 23, 25
CONNECTION_ID, SUPPORTED_VERSIONS, ENCRYPT_THEN_MAC = 54, 43, 22
DTLS_1_2, DTLS_1_3 = 0xFEFD, 0xFEFC


@dataclass(frozen=True)
class Suite:
    """Of TLS 1.3, or of TLS 1.2 with the same cipher."""

    number: int
    key_length: int
    hash: str
    aead: Callable[[bytes], Any]
    tag: int = 16


def _ccm_8(key: bytes) -> AESCCM:
    return AESCCM(key, tag_length=8)


SUITES_1_3 = {
    "AES-128-GCM": Suite(0x1301, 16, "sha256", AESGCM),
    "AES-256-GCM": Suite(0x1302, 32, "sha384", AESGCM),
    "ChaCha20-Poly1305": Suite(0x1303, 32, "sha256", ChaCha20Poly1305),
    "AES-128-CCM": Suite(0x1304, 16, "sha256", AESCCM),
    "AES-128-CCM-8": Suite(0x1305, 16, "sha256", _ccm_8, 8),
}
SUITES_1_2 = {
    "AES-128-GCM": Suite(0xC02B, 16, "sha256", AESGCM),
    "AES-256-GCM": Suite(0xC02C, 32, "sha384", AESGCM),
    "ChaCha20-Poly1305": Suite(0xCCA9, 32, "sha256", ChaCha20Poly1305),
    "AES-128-CCM": Suite(0xC0AC, 16, "sha256", AESCCM),
    "AES-128-CCM-8": Suite(0xC0AE, 16, "sha256", _ccm_8, 8),
}


def _vector(width: int, value: bytes) -> bytes:
    return len(value).to_bytes(width, "big") + value


def plain(kind: int, body: bytes, number: int = 0, epoch: int = 0) -> bytes:
    """A record without protection."""
    return struct.pack(">BHHHI", kind, DTLS_1_2, epoch, 0, number) + _vector(2, body)


def message(kind: int, body: bytes, sequence: int = 0) -> bytes:
    """A handshake message in one piece."""
    return fragment(kind, body, 0, len(body), sequence)


def fragment(kind: int, body: bytes, begin: int, count: int, sequence: int = 0) -> bytes:
    """A piece of a handshake message."""
    lengths = b"".join(value.to_bytes(3, "big") for value in (begin, count))
    head = bytes([kind]) + len(body).to_bytes(3, "big") + sequence.to_bytes(2, "big")
    return head + lengths + body[begin : begin + count]


@dataclass
class Written:
    """One connection; `ids` are those that records of the client and of the server have."""

    suite: Suite
    version: int = DTLS_1_3
    ids: tuple[bytes, bytes] | None = None
    client_random: bytes = b"\xc1" * 32
    server_random: bytes = b"\x5e" * 32
    #: Traffic secrets of the client and of the server.
    secrets: list[bytes] = field(default_factory=list)
    epochs: list[int] = field(default_factory=lambda: [3, 3])

    def __post_init__(self) -> None:
        length = hashlib.new(self.suite.hash).digest_size
        self.secrets = self.secrets or [bytes([side]) * length for side in (0xA1, 0xB2)]
        self.master = b"\x33" * 48

    def client_hello(self, extra: int = 0) -> bytes:
        """The body of the message; `extra` bytes make it long."""
        extensions = self._id_of(1) + struct.pack(">HH", 21, extra) + bytes(extra)
        if self.version == DTLS_1_3:
            extensions += struct.pack(">HHBH", SUPPORTED_VERSIONS, 3, 2, DTLS_1_3)
        suites = self.suite.number.to_bytes(2, "big")
        fixed = DTLS_1_2.to_bytes(2, "big") + self.client_random + b"\0" + b"\0"
        return fixed + _vector(2, suites) + b"\x01\0" + _vector(2, extensions)

    def server_hello(self, random: bytes | None = None) -> bytes:
        """Likewise."""
        extensions = self._id_of(0)
        if self.version == DTLS_1_3:
            extensions += struct.pack(">HHH", SUPPORTED_VERSIONS, 2, DTLS_1_3)
        fixed = DTLS_1_2.to_bytes(2, "big") + (random or self.server_random) + b"\0"
        return fixed + self.suite.number.to_bytes(2, "big") + b"\0" + _vector(2, extensions)

    def _id_of(self, sender: int) -> bytes:
        """The extension of the end that wants that on the records which `sender` sends."""
        if self.ids is None:
            return b""
        value = _vector(1, self.ids[sender])
        return struct.pack(">H", CONNECTION_ID) + _vector(2, value)

    def handshake(self) -> list[tuple[int, bytes]]:
        """The hellos, each with its sender, and what Wireshark asks for beside them."""
        hellos = [
            (0, plain(HANDSHAKE, message(CLIENT_HELLO, self.client_hello()))),
            (1, plain(HANDSHAKE, message(SERVER_HELLO, self.server_hello()))),
        ]
        changes = [(sender, plain(CHANGE_CIPHER_SPEC, b"\x01")) for sender in (0, 1)]
        return hellos if self.version == DTLS_1_3 else hellos + changes

    def key_lines(self) -> list[bytes]:
        """Lines of the key log."""
        random = self.client_random.hex()
        if self.version != DTLS_1_3:
            return [f"CLIENT_RANDOM {random} {self.master.hex()}".encode()]
        return [
            f"{name}_TRAFFIC_SECRET_0 {random} {secret.hex()}".encode()
            for name, secret in zip(("CLIENT", "SERVER"), self._first(), strict=True)
        ]

    def _first(self) -> list[bytes]:
        if not hasattr(self, "_of_epoch_3"):
            self._of_epoch_3 = list(self.secrets)
        return self._of_epoch_3

    # ---- DTLS 1.3 ----

    def _expand(self, secret: bytes, label: str, length: int) -> bytes:
        info = length.to_bytes(2, "big") + _vector(1, b"dtls13" + label.encode()) + b"\0"
        return hmac.digest(secret, info + b"\x01", self.suite.hash)[:length]

    def update(self, sender: int) -> None:
        """A new epoch of one sender (RFC 9147 section 8)."""
        self._first()
        length = hashlib.new(self.suite.hash).digest_size
        self.secrets[sender] = self._expand(self.secrets[sender], "traffic upd", length)
        self.epochs[sender] += 1

    def seal_1_3(
        self,
        sender: int,
        number: int,
        data: bytes,
        *,
        kind: int = APPLICATION,
        padding: int = 0,
        long: bool = True,
        with_length: bool = True,
        with_id: bool = True,
    ) -> bytes:
        """A record with a unified header (RFC 9147 section 4)."""
        secret, suite = self.secrets[sender], self.suite
        key, mask_key = (self._expand(secret, name, suite.key_length) for name in ("key", "sn"))
        iv = int.from_bytes(self._expand(secret, "iv", 12), "big")
        inner = data + bytes([kind]) + bytes(padding)
        inner += bytes(max(0, 16 - suite.tag - len(inner)))
        connection_id = self.ids[sender] if self.ids and with_id else b""
        first = 0x20 | self.epochs[sender] & 3
        first |= 0x10 * bool(connection_id) | 0x08 * long | 0x04 * with_length
        width = 2 if long else 1
        low = (number % 256**width).to_bytes(width, "big")
        length = (len(inner) + suite.tag).to_bytes(2, "big") if with_length else b""
        head = bytes([first]) + connection_id
        sealed: bytes = suite.aead(key).encrypt(
            (iv ^ number).to_bytes(12, "big"), inner, head + low + length
        )
        mask = self._mask(mask_key, sealed[:16])
        masked = bytes(a ^ b for a, b in zip(low, mask, strict=False))
        return head + masked + length + sealed

    def _mask(self, key: bytes, sample: bytes) -> bytes:
        if self.suite.aead is ChaCha20Poly1305:
            stream = Cipher(algorithms.ChaCha20(key, sample), None).encryptor()
            return bytes(stream.update(bytes(16)))
        return bytes(Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(sample))

    # ---- DTLS 1.2 ----

    def _prf(self, label: bytes, seed: bytes, length: int) -> bytes:
        out, a = b"", label + seed
        while len(out) < length:
            a = hmac.digest(self.master, a, self.suite.hash)
            out += hmac.digest(self.master, a + label + seed, self.suite.hash)
        return out[:length]

    def seal_1_2(self, sender: int, number: int, data: bytes, *, padding: int = 0) -> bytes:
        """A record of AEAD, with the connection ID of its sender where there is one."""
        suite, chacha = self.suite, self.suite.aead is ChaCha20Poly1305
        iv_length = 12 if chacha else 4
        block = self._prf(
            b"key expansion",
            self.server_random + self.client_random,
            2 * (suite.key_length + iv_length),
        )
        keys, ivs = block[: 2 * suite.key_length], block[2 * suite.key_length :]
        key = keys[sender * suite.key_length :][: suite.key_length]
        iv = ivs[sender * iv_length :][:iv_length]
        counter = (1 << 48 | number).to_bytes(8, "big")
        version, connection_id = DTLS_1_2.to_bytes(2, "big"), self.ids[sender] if self.ids else b""
        if connection_id:
            data = data + bytes([APPLICATION]) + bytes(padding)
            kinds = bytes([WITH_ID, len(connection_id), WITH_ID])
            more = b"\xff" * 8 + kinds + version + counter + connection_id
        else:
            more = counter + bytes([APPLICATION]) + version
        more += len(data).to_bytes(2, "big")
        if chacha:
            nonce = bytes(a ^ b for a, b in zip(iv, bytes(4) + counter, strict=True))
            explicit = b""
        else:
            explicit = counter[::-1]  # any
            nonce = iv + explicit
        sealed = explicit + suite.aead(key).encrypt(nonce, data, more)
        kind = WITH_ID if connection_id else APPLICATION
        return bytes([kind]) + version + counter + connection_id + _vector(2, sealed)
