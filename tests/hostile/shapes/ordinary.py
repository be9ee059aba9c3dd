# SPDX-License-Identifier: BSD-2-Clause
"""What the shapes are compared with: nobody's attack."""

from collections.abc import Iterator

from tests.hostile import chunks
from tests.hostile.shape import frames
from tests.hostile.talk import Attack

WINDOW = 50


def _transfer(attack: Attack, payload: bytes) -> Iterator[None]:
    flow = attack.opened()
    missing = list[int]()
    for count in attack.until():
        tsn = attack.new(flow, payload)
        if attack.random.random() < 0.01:
            missing.append(tsn)
        cum = missing[0] - 1 if missing else tsn
        if count % 2:
            gaps = chunks.blocks((2, tsn - cum)) if missing and tsn - cum >= 2 else b""
            attack.send(flow, 1, chunks.sack(cum, gaps))
        if missing and tsn - missing[0] >= WINDOW:
            attack.data(flow, missing.pop(0), payload)
        yield


@frames
def bulk(attack: Attack) -> Iterator[None]:
    """No attack: a transfer with 1,200 bytes in a packet, 1 % lost and sent again."""
    return _transfer(attack, bytes(1200))


@frames
def small(attack: Attack) -> Iterator[None]:
    """No attack: a transfer with 20 bytes in a packet, 1 % lost and sent again."""
    return _transfer(attack, bytes(20))
