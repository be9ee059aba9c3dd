# SPDX-License-Identifier: BSD-2-Clause
"""The queue of captures of the vectors N1 to N7, by the core and by the walk over its rows."""

import json
from pathlib import Path
from typing import Any

import pytest
import sctp_rack
from sctp_rack.reference.variants import milliseconds
from sctp_rack.reference.vector import DEFAULT_PATH
from sctp_rack.what_if.queue import QueueWalk, Step

from tests.builder.files import START
from tests.judged.vector_capture import VectorCapture

FOLDER = Path(__file__).parents[1] / "vectors"
ZERO_NS = (START + 1000) * 10**9
CHUNK = 1000


def steps_of(name: str, folder: Path) -> tuple[dict[str, Any], list[Step]]:
    """What is expected of the queue, and what is said of it; times are those of the vector."""
    vector = json.loads((FOLDER / f"{name}.json").read_text())
    paths = vector.get("paths", {DEFAULT_PATH: {}})
    capture = sctp_rack.read(VectorCapture(vector["events"], paths, False).write(folder))
    (association,) = capture.associations
    steps = [one for one in QueueWalk(association.a2b).steps() if one.end_ns > ZERO_NS]
    return vector["runs"][0]["expected"].get("queue", {}), steps


def ppm(steps: list[Step], begin_ns: int, end_ns: int) -> int:
    """RtxQ_Util between two times in parts per million."""
    efficient = total = 0
    for step in steps:
        lasted = min(step.end_ns - ZERO_NS, end_ns) - max(step.begin_ns - ZERO_NS, begin_ns)
        if lasted > 0 and step.kept:
            efficient += step.outstanding * lasted // step.kept
            total += lasted
    return efficient * 1_000_000 // total


@pytest.mark.parametrize("name", ["N1", "N2", "N3", "N4", "N6", "N7"])
def test_the_queue_of_a_capture_is_that_of_the_vector(tmp_path: Path, name: str) -> None:
    expected, steps = steps_of(name, tmp_path)

    for asked in expected["utilisation_ppm"]:
        begin_ns, end_ns = milliseconds(asked["from"]), milliseconds(asked["to"])
        assert ppm(steps, begin_ns, end_ns) == asked["value"]
    for asked in expected["steps"]:
        at_ns = ZERO_NS + milliseconds(asked["at"])
        step = next((one for one in steps if one.begin_ns <= at_ns < one.end_ns), None)
        if step is None:  # the last feedback ends the walk
            assert asked["chunks"] == 0 or at_ns >= steps[-1].end_ns
            continue
        assert step.kept == CHUNK * asked["chunks"]
        assert step.outstanding == CHUNK * asked["necessary_chunks"]


def test_nr_sacks_in_place_of_the_sacks_of_figure_2_keep_as_much_as_those_of_figure_4(
    tmp_path: Path,
) -> None:
    """Until the sender of the one sends what that of the other cannot, 1.1 s."""
    _, with_sacks = steps_of("N6", tmp_path)
    by_time = {step.begin_ns - ZERO_NS: step for step in with_sacks}

    assert by_time[milliseconds("1700")].with_sacks == 8 * CHUNK
    assert by_time[milliseconds("1700")].with_nr_sacks_of_all == 1 * CHUNK


def test_sacks_in_place_of_the_nr_sacks_of_figure_4_free_nothing_before_the_cumulative_tsn(
    tmp_path: Path,
) -> None:
    _, steps = steps_of("N7", tmp_path)
    before = next(one for one in steps if one.end_ns - ZERO_NS == milliseconds("2300"))

    assert before.with_sacks == 13 * CHUNK  # 11 to 23
    assert before.kept == before.outstanding == 4 * CHUNK


def test_a_promise_that_is_broken_frees_what_was_promised_all_the_same(tmp_path: Path) -> None:
    """The sender has forgotten it (N5)."""
    _, steps = steps_of("N5", tmp_path)

    assert steps[-1].kept == CHUNK
