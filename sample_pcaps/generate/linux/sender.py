# SPDX-License-Identifier: BSD-2-Clause
"""Why Linux sent a chunk again: what it said when it marked the chunk and when it sent it."""

from ..cause import Cause, Mark, Sender

#: What sctp_retransmit_mark() calls its reason, and what it is called in truth. Of others, as
#: after a change of the path's MTU, nothing is said.
_MARKS = {"fast": ("fast", "miss3"), "t3": ("t3", "rto")}


class LinuxSender(Sender):
    """The kernel says `mark fast|t3|… TSN`, then `resend timeout|fast|marked TSN`: in the packet
    that the timer forced out, in the one of a fast retransmission, or later as the window opened
    (__sctp_outq_flush_rtx)."""

    def mark(self, time_ns: int, word: str, tsn: int) -> None:
        """Moved to the queue of what is to be sent again."""
        what, trigger = _MARKS.get(word, (word, None))
        if what == "t3" and self._window_is_closed(tsn):
            what = "t3_window_probe"
        mark = Mark(time_ns, tsn, what, trigger)
        if word in _MARKS:
            self.marks.append(mark)
        self._pending[tsn] = [mark]  # it left the queue since the mark before

    def _cause(self, time_ns: int, tsn: int) -> Cause:
        how = self._said.pop(tsn, None)
        marked = [mark.what for mark in self._pending.pop(tsn, [])]
        match how, *marked:
            case "timeout", "t3" | "fast":  # what waited since its third miss goes with the timer
                in_first_packet = self._timeout_sent_ns != time_ns
                return Cause("t3" if in_first_packet else "t3_gbn", "t3")
            case "timeout", "t3_window_probe":
                return Cause("zero_window_probe", "t3")
            case "marked", "t3" | "t3_window_probe":
                return Cause("t3_gbn", "t3")
            case "fast", "fast":
                return Cause("fast", "fast")
            case "marked", "fast":
                return Cause("fast_deferred", "fast")
        return Cause()
