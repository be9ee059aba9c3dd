# SPDX-License-Identifier: BSD-2-Clause
"""How the two ends of an association read, and its beginning and end where words are too short."""

from sctp_rack.names import Ended, Started
from sctp_rack.summary.summary import Association, Side

_STARTED = {Started.HANDSHAKE_CUT: "handshake cut", Started.MIDDLE: "no handshake"}
_ENDED = {Ended.OPEN: "not ended", Ended.SHUTTING_DOWN: "shutdown not completed"}


def ends_text(association: Association) -> str:
    """`number: address:port - address:port`, a first."""
    a, b = association.a, association.b
    return f"{association.assoc}: {end_text(a, 'a')}{_more(a)} - {end_text(b, 'b')}{_more(b)}"


def end_text(side: Side, unknown: str = "?") -> str:
    """`address:port`, of its first address; `unknown` in place of it where there is none."""
    return f"{side.addresses[0] if side.addresses else unknown}:{side.port}"


def _more(side: Side) -> str:
    """How many addresses it has beside the first."""
    return f" (+{len(side.addresses) - 1})" if len(side.addresses) > 1 else ""


def started_text(started: str) -> str:
    """How an association begins in the capture, by the word of the enum."""
    return _STARTED.get(Started(started), started)


def ended_text(ended: str) -> str:
    """How it ends there."""
    return _ENDED.get(Ended(ended), ended)
