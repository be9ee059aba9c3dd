# SPDX-License-Identifier: BSD-2-Clause
"""Which reader reads an input: the one asked for, else by what its bytes are, never by its name."""

from collections.abc import Sequence

from sctp_rack._core import lib
from sctp_rack.binding.source import STANDARD_INPUT, Peeked, Progress, Readable, open_source
from sctp_rack.errors import UsageError
from sctp_rack.readers import pion_scp, sctp_log
from sctp_rack.readers.packet import PacketSource
from sctp_rack.readers.pion_scp import PionScpSource
from sctp_rack.readers.sctp_log import SctpLogSource
from sctp_rack.readers.tshark import TsharkSource

#: Names of the readers.
READERS = ("auto", "native", "tshark", "log", "pion-scp")

#: Of pcap in both byte orders, with microseconds, nanoseconds, and Kuznetzov's; pcapng.
MAGICS = (
    *(bytes.fromhex(magic) for magic in ("a1b2c3d4", "a1b23c4d", "a1b2cd34")),
    *(bytes.fromhex(magic)[::-1] for magic in ("a1b2c3d4", "a1b23c4d", "a1b2cd34")),
    bytes.fromhex("0a0d0d0a"),
)

#: Where the first packet of a log must be for it to be recognised: programs log other things too.
_LOOKED_AT = 16 << 20  # bytes


def open_reader(
    path: str,
    reader: str = "auto",
    *,
    keylog: str | None = None,
    udp_ports: Sequence[int] = (),
    progress: Progress | None = None,
) -> Readable | PacketSource:
    """The input at `path` ("-": standard input) for `Session`.

    `reader` is one of `READERS`. With a `keylog` it is the native one for pcap and pcapng, unless
    the core was built without ciphers, and tshark for all else. What is not recognised is left to
    the native reader, which says what is wrong with it. `progress` is told how far a file was read;
    tshark does not say.

    Raises `UsageError` for another word, and where both contradict each other; `InputError` and
    `MissingExtraError` where a file cannot be opened.
    """
    if reader not in READERS:
        raise UsageError(f"no reader {reader!r}: there are {', '.join(READERS)}")
    decrypts = bool(lib.sr_dtls_can_decrypt())
    if keylog is not None and reader not in ("auto", "native", "tshark"):
        raise UsageError(f"the reader {reader} decrypts nothing: native and tshark do")
    if keylog is not None and reader == "native" and not decrypts:
        raise UsageError(
            "this build of sctp-rack has no ciphers, as OpenSSL was missing where it was built: "
            "a key log needs the reader tshark"
        )
    if reader == "tshark" or (keylog is not None and not decrypts):
        return TsharkSource(path, keylog=keylog, udp_ports=udp_ports)
    source = Peeked(open_source(path, progress))
    if keylog is not None and reader == "auto" and path != STANDARD_INPUT:
        if _is_capture(source):
            return source
        source.close()
        return TsharkSource(path, keylog=keylog, udp_ports=udp_ports)
    if reader == "auto":
        reader = _recognised(source)
    if reader == "log":
        return SctpLogSource(path, source)
    if reader == "pion-scp":
        return PionScpSource(path, source)
    return source


def _is_capture(source: Peeked) -> bool:
    while head := source.look():
        if len(head) >= 4:
            return head.startswith(MAGICS)
    return False


def _recognised(source: Peeked) -> str:
    looked_at = 0
    while head := source.look():
        if len(head) < 4:
            continue
        if head.startswith(MAGICS):
            return "native"
        new = head[max(looked_at - len(sctp_log.MARK), 0) :]
        if sctp_log.MARK in new:
            return "log"
        if head.startswith(b"{") and pion_scp.MARK in new:
            return "pion-scp"
        if len(head) > _LOOKED_AT:
            break
        looked_at = len(head)
    return "native"
