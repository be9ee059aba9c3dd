# SPDX-License-Identifier: BSD-2-Clause
"""Why webrtc-sctp sent a chunk again: a fast retransmission does not undo the mark of a timeout."""

from ..cause import Cause, Sender


class WebrtcRsSender(Sender):
    """What a timeout marked and found no room is also sent as a fast retransmission, where it had
    three missing reports, and later once more because of the timeout: only
    get_data_packets_to_retransmit() takes that mark away."""

    def _cause(self, time_ns: int, tsn: int) -> Cause:
        is_fast = self._said.get(tsn) == "fast"
        of_timeouts = [mark for mark in self._pending.get(tsn, ()) if mark.trigger == "rto"]
        cause = super()._cause(time_ns, tsn)
        if is_fast and of_timeouts:
            self._pending[tsn] = of_timeouts
        return cause
