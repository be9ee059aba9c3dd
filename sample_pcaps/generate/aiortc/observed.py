# SPDX-License-Identifier: BSD-2-Clause
"""What aiortc decides, told as it decides it: it has no log of this, so it is watched in place."""

from collections.abc import Callable
from typing import Any

Tell = Callable[[str], None]


def observed(sctp: Any, tell: Tell) -> Any:
    """aiortc's transport, which tells its decisions and counts what it does."""
    _tell_marks(sctp, tell)

    class Observed(sctp.RTCSctpTransport):  # type: ignore[misc]
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.counters = dict.fromkeys(
                ("sent", "sent_again", "received", "received_again", "timeouts"), 0
            )
            self.is_up = False

        def _t3_expired(self) -> None:
            self.counters["timeouts"] += bool(self._sent_queue)
            marks = _Marks.during_t3
            _Marks.during_t3 = True
            super()._t3_expired()
            _Marks.during_t3 = marks

        def _mark_received(self, tsn: int) -> bool:
            tell(f"handle {tsn}")
            again: bool = super()._mark_received(tsn)
            self.counters["received_again" if again else "received"] += 1
            return again

        async def _send_chunk(self, chunk: Any) -> None:
            if isinstance(chunk, sctp.DataChunk):
                self.counters["sent_again" if chunk._sent_count > 1 else "sent"] += 1
            await super()._send_chunk(chunk)

        def _set_state(self, state: Any) -> None:
            super()._set_state(state)
            if state is self.State.ESTABLISHED and not self.is_up:
                self.is_up = True
                tell("up")
            elif state is self.State.CLOSED:
                tell("down")

    return Observed


class _Marks:
    during_t3 = False


def _tell_marks(sctp: Any, tell: Tell) -> None:
    """A chunk that is to be sent again has `_retransmit`: the third missing report sets it, and T3
    sets it on all that the cumulative TSN does not cover, also where a gap block did.

    Of what waits already only T3 is told again: what more reports would mark is marked."""

    def get(chunk: Any) -> bool:
        return bool(chunk.__dict__.get("_retransmit", False))

    def put(chunk: Any, value: bool) -> None:
        if value and _Marks.during_t3:
            tell(f"mark t3 {chunk.tsn}")
        elif value and not get(chunk):
            tell(f"mark fast {chunk.tsn}")
        chunk.__dict__["_retransmit"] = value

    sctp.DataChunk._retransmit = property(get, put)
