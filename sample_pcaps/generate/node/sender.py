# SPDX-License-Identifier: BSD-2-Clause
"""Why a stack for Node.js sent a chunk again."""

from ..aiortc.sender import AiortcSender
from ..cause import Mark, Sender
from ..wire import Acknowledgement


class NpmSctpSender(Sender):
    """It sends out of a queue that it empties a millisecond later: what was acknowledged meanwhile
    leaves as well. A timeout sends again whatever the peer has room for."""

    def _window_is_closed(self, tsn: int) -> bool:
        return False


class WeriftSender(AiortcSender):
    """werift's SCTP is made after aiortc's. It waits for its socket after each packet: what a mark
    sends is under way until the next feedback comes."""

    _heard: int = 0  #: the event of the last feedback

    def hear(self, acknowledgement: Acknowledgement) -> None:
        super().hear(acknowledgement)
        self._heard = self._event + 1

    def _is_at_once(self, mark: Mark, time_ns: int) -> bool:
        return mark.event >= self._heard
