# SPDX-License-Identifier: BSD-2-Clause
"""How the two ends of an association read."""

from sctp_rack.summary import Association, Side


def ends_text(association: Association) -> str:
    """`number: address:port - address:port`, a first."""
    a, b = association.a, association.b
    return f"{association.assoc}: {_end(a, 'a')} - {_end(b, 'b')}"


def _end(side: Side, name: str) -> str:
    more = f" (+{len(side.addresses) - 1})" if len(side.addresses) > 1 else ""
    return f"{side.addresses[0] if side.addresses else name}:{side.port}{more}"
