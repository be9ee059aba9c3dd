# SPDX-License-Identifier: BSD-2-Clause
"""How the core's addresses and paths read."""

import functools
import ipaddress


@functools.lru_cache(maxsize=256)
def address_text(address: bytes) -> str | None:
    """Of 16 bytes and a family; None where no IP header lies below."""
    if address[16] == 4:
        return ".".join(map(str, address[:4]))
    if address[16] == 6:
        return f"[{ipaddress.IPv6Address(address[:16])}]"
    return None


@functools.lru_cache(maxsize=1024)
def path_text(path: bytes) -> str | None:
    """`src>dst`, IPv6 in brackets; None where no IP header lies below."""
    source, destination = address_text(path[:17]), address_text(path[17:])
    return None if source is None or destination is None else f"{source}>{destination}"
