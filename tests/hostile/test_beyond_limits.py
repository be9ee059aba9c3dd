# SPDX-License-Identifier: BSD-2-Clause
"""What is beyond a limit is said where it is asked for, and does not go on for ever."""

from pathlib import Path
from random import Random

import pytest
from sctp_rack.capture import Capture, read
from sctp_rack.errors import UsageError
from sctp_rack.story.which_tsn import which_tsn

from tests.hostile import chunks
from tests.hostile.shapes import SHAPES
from tests.hostile.talk import Attack, Wire
from tests.lua import drop_in

(SINGLE,) = [shape for shape in SHAPES if shape.name == "one_chunk_associations"]


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Capture:
    """132,353 associations of one packet, of which 131,072 are followed."""
    made = SINGLE.make(tmp_path_factory.mktemp("beyond"), 9_000_000)
    return read(str(made.path))


@pytest.mark.long
@pytest.mark.parametrize("given", ["frame", "tsn"])
def test_data_of_an_association_that_is_not_followed_is_told_so(
    capture: Capture, given: str
) -> None:
    """Setup: the last packet is of an association beyond the limit. `explain` failed on it with a
    trace of calls."""
    rows = capture.transmissions
    last = next(iter(rows.where(frame=len(rows))))
    assert last["assoc"] is None
    with pytest.raises(UsageError, match=r"beyond the 131,072 that are followed; `export` has"):
        which_tsn(capture, **{given: last[given]})


def test_the_drop_in_ends_where_years_pass_with_data_in_flight(tmp_path: Path) -> None:
    """Setup: 29 years between two packets. A timer that expired every minute of them took all
    memory that there was; the core stops it after a thousand times."""
    with Wire(tmp_path / "years.pcap") as wire:
        attack = Attack(wire, 0, Random(1))
        flow = attack.flow()
        first = attack.new(flow)
        attack.new(flow)
        attack.send(flow, 1, chunks.sack(first - 1, chunks.blocks((2, 2))))
        wire.now += 927_143_128 * 1_000_000_000
        attack.new(flow)
    assert len(drop_in.judged(tmp_path / "years.pcap")) == 1
