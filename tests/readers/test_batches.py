# SPDX-License-Identifier: BSD-2-Clause
"""Rows of packets come in batches, so that memory is bounded however frames are numbered."""

from collections.abc import Generator

from sctp_rack.binding.session import Session
from sctp_rack.names import Encapsulation
from sctp_rack.readers.packet import NO_ADDRESS, Frame, Packet

from tests.builder import sctp

FRAMES = 20_000


class OddFrames:
    """As a display filter may leave them."""

    format = "odd"

    def frames(self) -> Generator[Frame, None, None]:
        data = sctp.packet(sctp.data(5))
        packet = Packet(NO_ADDRESS, NO_ADDRESS, data, len(data), Encapsulation.LOG)
        for index in range(FRAMES):
            yield Frame(2 * index + 1, index, [packet])


def test_rows_of_packets_are_handed_out_in_batches() -> None:
    session = Session("odd", ["chunks"], source=OddFrames())
    sizes = [len(batch.tables["chunks"]) for batch in session.batches()]

    assert sum(sizes) == FRAMES
    assert max(sizes) <= 5000
    assert (session.frames, session.format) == (2 * FRAMES - 1, "odd")
