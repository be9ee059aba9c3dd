# SPDX-License-Identifier: BSD-2-Clause
"""What the run with SACKs says of NR-SACKs is what the run with NR-SACKs shows."""

from pathlib import Path

import pytest

from bench.whatif.measured import Measured, measured
from bench.whatif.pairs import KINDS, Kind, pair
from tests.samples.stacks import need

#: Of the average queue, and of RtxQ_Util: 5 %.
NEAR = 0.05


ROOM_FOR_ALL = [kind for kind in KINDS if not kind.sndbuf and kind.message == 500]
LIMITED = [kind for kind in KINDS if kind.sndbuf]
FRAGMENTS = [kind for kind in KINDS if kind.message > 500]


def pair_of(kind: Kind, seed: int, folder: Path) -> Measured:
    """Run, where the stack can be."""
    one = pair(kind, seed)
    need(one.with_sacks)
    return measured(one, folder)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        (ROOM_FOR_ALL[-1], 1),
        *(pytest.param(kind, 2, marks=pytest.mark.long) for kind in ROOM_FOR_ALL),
    ],
    ids=str,
)
def test_with_room_for_all_the_queue_is_as_it_was_said(
    kind: Kind, seed: int, tmp_path: Path
) -> None:
    found = pair_of(kind, seed, tmp_path)

    assert found.with_nr_sacks.nr_sacks > 0 and found.with_sacks.nr_sacks == 0
    assert found.captured.average_bytes > found.said.average_bytes
    assert found.said.rtxq_util == pytest.approx(found.was.rtxq_util, rel=NEAR)
    assert found.said.average_bytes == pytest.approx(found.was.average_bytes, rel=NEAR)
    was, said = found.with_nr_sacks.with_sacks.whole, found.captured
    assert said.average_bytes == pytest.approx(was.average_bytes, rel=NEAR)
    assert found.with_sacks.full_buffer is None


@pytest.mark.long
@pytest.mark.parametrize("kind", LIMITED, ids=str)
def test_with_a_limited_send_buffer_what_is_said_is_the_least_and_the_buffer_the_most(
    kind: Kind, tmp_path: Path
) -> None:
    found = pair_of(kind, 2, tmp_path)

    assert found.with_sacks.full_buffer is not None
    assert found.said.average_bytes <= found.was.average_bytes <= kind.sndbuf
    assert found.within and found.within_for_the_same_losses
    assert (found.captured.rtxq_util or 0) < (found.was.rtxq_util or 0)
    assert found.was.time_ns <= found.captured.time_ns


def test_a_send_buffer_of_eight_chunks_looks_full(tmp_path: Path) -> None:
    found = pair_of(LIMITED[1], 1, tmp_path)

    assert found.with_sacks.full_buffer is not None
    assert found.with_sacks.full_buffer.bytes == 4_000
    assert found.with_nr_sacks.full_buffer is None
    assert found.said.average_bytes < found.was.average_bytes < 4_000
    assert found.within and found.within_for_the_same_losses
    assert found.was.time_ns < found.captured.time_ns


@pytest.mark.long
@pytest.mark.parametrize("kind", FRAGMENTS, ids=str)
def test_a_receiver_that_promises_parts_of_messages_lies_between_the_bounds(
    kind: Kind, tmp_path: Path
) -> None:
    found = pair_of(kind, 2, tmp_path)

    least = found.with_sacks.with_nr_sacks_of_all.whole.average_bytes
    assert least <= found.was.average_bytes <= found.said.average_bytes
    assert found.said.average_bytes < found.captured.average_bytes
