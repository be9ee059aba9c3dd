# SPDX-License-Identifier: BSD-2-Clause
"""Where all is near, drop-in and engine place the tap alike: by hop limits, if they tell."""

from functools import partial
from pathlib import Path

import pytest
import sctp_rack

from tests.builder import layers, sctp
from tests.builder.talk import A, B, End, Talk
from tests.lua.drop_in import judged


def _routed(of_a: int, of_b: int, packet: bytes, source: End, to: End, ident: int) -> bytes:
    hops = of_a if source is A else of_b
    src, dst = source.address, to.address
    return layers.ipv4(layers.SCTP, packet, ident=ident, hops=hops, src=src, dst=dst)


@pytest.mark.parametrize(
    ("of_a", "of_b", "vantage"),
    [(64, 63, "sender"), (63, 64, "receiver"), (64, 64, "receiver")],
    ids=["at a", "at b", "nothing"],
)
def test_hop_limits_say_at_which_end_the_tap_is(
    of_a: int, of_b: int, vantage: str, tmp_path: Path
) -> None:
    talk = Talk(partial(_routed, of_a, of_b))
    talk.handshake_at_sender(300, host_us=400)
    for tsn in range(1, 9):
        talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.sack(tsn), later_us=300)
    path = talk.write(tmp_path)

    (association,) = judged(path)
    drop_in = {one["vantage"] for one in association["directions"] if one["transmissions"]}
    (engine,) = sctp_rack.read(path).table("paths").where(dir="a2b")

    assert drop_in == {engine["vantage"]} == {vantage}
    assert engine["vantage_class"] == 4
