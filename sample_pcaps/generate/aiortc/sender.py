# SPDX-License-Identifier: BSD-2-Clause
"""Why aiortc sent a chunk again: by the mark that made it, whatever a gap block says meanwhile."""

from ..cause import Sender
from ..wire import Acknowledgement


class AiortcSender(Sender):
    """A mark stays with its chunk, and no gap block takes it back (_receive_sack_chunk); what the
    peer has room for is nothing to it, so a timeout never asks for the window."""

    def hear(self, acknowledgement: Acknowledgement) -> None:
        marked = dict(self._pending)
        super().hear(acknowledgement)
        for tsn, marks in marked.items():
            if (acknowledgement.cum_tsn - tsn) % 2**32 >= 2**31:
                self._pending[tsn] = marks

    def _window_is_closed(self, tsn: int) -> bool:
        return False
