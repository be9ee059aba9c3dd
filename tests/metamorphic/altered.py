# SPDX-License-Identifier: BSD-2-Clause
"""Packets whose fields are others: TSNs, tags, ports, addresses, payload, checksums, IP-IDs."""

import struct
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from tests.builder.rewritten import chunks_of, resealed, with_moved_tsns
from tests.metamorphic.frames import Make, Packets, plain, written
from tests.metamorphic.packets import Packet
from tests.metamorphic.rows import Changed, Place


def higher_tsns(by: int) -> Make:
    """All TSNs are higher, in feedback too."""

    def make(packets: Packets, folder: Path) -> Changed:
        frames = plain([replace(one, data=with_moved_tsns(one.data, by)) for one in packets])
        return written(folder, frames, higher_tsns=by)

    return make


_TAG = 0x5A5A0F0F


def with_other_tags_and_ports(one: Packet) -> Packet:
    """A checksum that was right is right again."""
    sport, dport, tag = struct.unpack(">HHI", one.data[:8])
    body = bytearray(one.data[12:])
    if body[0] in (1, 2):  # INIT, INIT ACK: the tag that packets to its sender carry
        (initiate,) = struct.unpack_from(">I", body, 4)
        struct.pack_into(">I", body, 4, initiate ^ _TAG)
    head = struct.pack(">HHI", sport ^ 1024, dport ^ 1024, tag and tag ^ _TAG)
    return replace(one, data=resealed(one.data, head + one.data[8:12] + bytes(body)))


def _with_initiate_tag(value: Any) -> Any:
    return value | {"init_tag": value["init_tag"] ^ _TAG} if "init_tag" in value else value


def tags_and_ports(packets: Packets, folder: Path) -> Changed:
    """Of both sides, also where INIT tells the tag."""
    back: dict[Place, Callable[[Any], Any]] = {
        **{("chunks", name): lambda port: port ^ 1024 for name in ("sport", "dport")},
        **{("associations", name): lambda tag: tag ^ _TAG for name in ("vtag_a", "vtag_b")},
        ("chunks", "vtag"): lambda tag: tag and tag ^ _TAG,
        ("chunks", "value"): _with_initiate_tag,
    }
    ports = struct.unpack(">HH", packets[0].data[:4])
    strings = {f":{port ^ 1024}": f":{port}" for port in ports}
    frames = plain([with_other_tags_and_ports(one) for one in packets])
    return written(folder, frames, back=back, strings=strings)


def addresses(packets: Packets, folder: Path) -> Changed:
    """Each is another one, also where an INIT lists it."""
    old = sorted({address for one in packets for address in ends(one)})
    length = len(old[0])
    new = {one: one[: length - 2] + bytes([77, n + 1]) for n, one in enumerate(old)}
    strings = {_spelled(new[one]): _spelled(one) for one in old}
    changed = []
    for one in packets:
        source, to = (new[end] for end in ends(one))
        data = one.data
        if data[12] in (1, 2):
            for before, after in new.items():
                data = data.replace(before, after)
        at = 8 if one.is_ipv6 else 12
        data = resealed(one.data, data)
        changed.append(replace(one, data=data).with_ip(at, source + to))
    return written(folder, plain(changed), strings=strings)


def ends(one: Packet) -> tuple[bytes, bytes]:
    """Source and destination."""
    at, length = (8, 16) if one.is_ipv6 else (12, 4)
    return one.ip[at : at + length], one.ip[at + length : at + 2 * length]


def _spelled(address: bytes) -> str:
    return str(ip_address(address))


def other_payload(one: Packet) -> Packet:
    """User data is another; what was the same still is."""
    chunks = []
    for chunk in chunks_of(one.data):
        header = {0: 16, 64: 20}.get(chunk[0] if chunk else -1, len(chunk))
        chunks.append(chunk[:header] + bytes(byte ^ 0x55 for byte in chunk[header:]))
    return replace(one, data=resealed(one.data, one.data[:12] + b"".join(chunks)))


def checksum(mask: int | None) -> Callable[[Packet], Packet]:
    """XORed with a mask, or zero."""

    def change(one: Packet) -> Packet:
        (right,) = struct.unpack(">I", one.data[8:12])
        field = struct.pack(">I", 0 if mask is None else right ^ mask)
        return replace(one, data=one.data[:8] + field + one.data[12:])

    return change


def ip_id(change: Callable[[int], int]) -> Callable[[Packet], Packet]:
    """Of IPv4."""

    def changed(one: Packet) -> Packet:
        if one.is_ipv6:
            return one
        (ident,) = struct.unpack(">H", one.ip[4:6])
        return one.with_ip(4, struct.pack(">H", change(ident) % 65_536))

    return changed
