# SPDX-License-Identifier: BSD-2-Clause
"""Two ends of a DTLS connection by OpenSSL, which talk in memory: what they send is asked for."""

import contextlib
from collections.abc import Iterator
from datetime import datetime
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from OpenSSL import SSL

#: Options of OpenSSL that pyOpenSSL has no name for.
NO_ENCRYPT_THEN_MAC, NO_QUERY_MTU = 1 << 19, 1 << 12
DTLS_1_0 = 0xFEFF

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class Secured:
    """A client and a server that agree on `cipher`."""

    def __init__(self, cipher: str, *, options: int = 0, version: int | None = None) -> None:
        self.keys: list[bytes] = []
        self._ends = [self._end(cipher, options, version, of_server) for of_server in (False, True)]
        self._ends[0].set_connect_state()
        self._ends[1].set_accept_state()
        for end in self._ends:
            end.set_ciphertext_mtu(1200)

    def _end(
        self, cipher: str, options: int, version: int | None, of_server: bool
    ) -> SSL.Connection:
        context = SSL.Context(SSL.DTLS_METHOD)
        context.set_cipher_list(f"{cipher}@SECLEVEL=0".encode())
        context.set_options(options | NO_QUERY_MTU)
        if version:
            context.set_min_proto_version(version)
            context.set_max_proto_version(version)
        if of_server:
            key, certificate = signed("ECDSA" in cipher)
            context.use_privatekey(key)
            context.use_certificate(certificate)
        else:
            context.set_keylog_callback(lambda _, line: self.keys.append(line))
        return SSL.Connection(context)

    def handshake(self) -> Iterator[tuple[int, bytes]]:
        """Datagrams of the handshake, each with its sender: 0 is the client."""
        for _ in range(6):
            for sender, end in enumerate(self._ends):
                with contextlib.suppress(SSL.WantReadError):
                    end.do_handshake()
                for datagram in self._sent(sender):
                    yield sender, datagram
                    self._ends[1 - sender].bio_write(datagram)

    def again(self) -> Iterator[tuple[int, bytes]]:
        """Datagrams of a handshake inside the connection, which the server asks for."""
        self._ends[1].renegotiate()
        for _ in range(6):
            for sender in (1, 0):
                with contextlib.suppress(SSL.WantReadError):
                    self._ends[sender].do_handshake()
                with contextlib.suppress(SSL.WantReadError):
                    self._ends[sender].recv(1)
                for datagram in self._sent(sender):
                    yield sender, datagram
                    self._ends[1 - sender].bio_write(datagram)

    def send(self, sender: int, data: bytes) -> bytes:
        """The datagram with that."""
        self._ends[sender].send(data)
        [datagram] = self._sent(sender)
        self._ends[1 - sender].bio_write(datagram)
        assert self._ends[1 - sender].recv(1 << 16) == data
        return datagram

    def _sent(self, sender: int) -> Iterator[bytes]:
        while True:
            try:
                sent = self._ends[sender].bio_read(1 << 16)
            except SSL.WantReadError:
                return
            yield from datagrams(sent)


def datagrams(records: bytes) -> Iterator[bytes]:
    """Each record by itself: memory does not keep where datagrams end."""
    while records:
        length = 13 + int.from_bytes(records[11:13], "big")
        yield records[:length]
        records = records[length:]


@cache
def signed(elliptic: bool) -> tuple[Key, x509.Certificate]:
    """A key and the certificate that it has signed itself."""
    key: Key
    key = (
        ec.generate_private_key(ec.SECP256R1())
        if elliptic
        else rsa.generate_private_key(65537, 2048)
    )
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(datetime(2020, 1, 1))
        .not_valid_after(datetime(2100, 1, 1))
        .sign(key, hashes.SHA256())
    )
    return key, certificate
