# SPDX-License-Identifier: BSD-2-Clause
"""Which of two copies was sent first, identifications tell only where they count packets."""

from pathlib import Path
from random import Random

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows

MS = 1000
AWAY, HOST = 20 * MS, 100


def _class_of_second_copy(folder: Path, before: list[int], pair: tuple[int, int]) -> int:
    """At the receiver's tap: a TSN comes for the first time when it may have been sent again, and
    then once more; its packets have the identifications of `pair`."""
    talk, idents = Talk(), iter(before)
    talk.handshake_at_receiver(away_us=AWAY, host_us=HOST)
    for tsn in range(1000, 1040):
        talk.say(A, B, sctp.data(tsn=tsn), later_us=AWAY, ident=next(idents))
        talk.say(B, A, sctp.sack(cum=tsn), later_us=HOST)
    for tsn in range(1041, 1045):
        talk.say(A, B, sctp.data(tsn=tsn), later_us=MS, ident=next(idents))
        talk.say(B, A, sctp.sack(cum=1039, gaps=[(2, tsn - 1039)]), later_us=HOST)
    talk.say(A, B, sctp.data(tsn=1040), later_us=AWAY + MS, ident=pair[0])
    talk.say(B, A, sctp.sack(cum=1044), later_us=HOST)
    talk.say(A, B, sctp.data(tsn=1040), later_us=5 * MS, ident=pair[1])
    talk.say(B, A, sctp.sack(cum=1044, dups=[1040]), later_us=HOST)
    again = [row for row in rows(talk.write(folder), "transmissions") if row["tsn"] == 1040]
    assert [row["kind"] for row in again] == ["retransmission"] * 2
    assert again[1]["verdict"] == "spurious"
    return int(again[1]["verdict_class"])


@pytest.mark.parametrize("step", [1, 7])
def test_a_count_tells_the_order_also_of_all_that_a_host_sends(step: int, tmp_path: Path) -> None:
    idents = list(range(500, 500 + 44 * step, step))
    end = idents[-1]
    assert _class_of_second_copy(tmp_path, idents, (end + step, end + 2 * step)) == 5


@pytest.mark.parametrize("seed", range(3))
def test_random_identifications_do_not_whichever_is_higher(seed: int, tmp_path: Path) -> None:
    idents = Random(seed).sample(range(1, 2**16), 44)
    for pair in ((3000, 3001), (3001, 3000)):
        assert _class_of_second_copy(tmp_path, idents, pair) == 4
