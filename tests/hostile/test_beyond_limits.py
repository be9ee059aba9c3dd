# SPDX-License-Identifier: BSD-2-Clause
"""What is beyond a limit is said where it is asked for."""

import pytest
from sctp_rack.capture import Capture, read
from sctp_rack.errors import UsageError
from sctp_rack.which_tsn import which_tsn

from tests.hostile.shapes import SHAPES

(SINGLE,) = [shape for shape in SHAPES if shape.name == "one_chunk_associations"]


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Capture:
    """17,647 associations of one packet, of which 16,384 are followed."""
    made = SINGLE.make(tmp_path_factory.mktemp("beyond"), 1_200_000)
    return read(str(made.path))


@pytest.mark.parametrize("given", ["frame", "tsn"])
def test_data_of_an_association_that_is_not_followed_is_told_so(
    capture: Capture, given: str
) -> None:
    """Setup: the last packet is of an association beyond the limit. `explain` failed on it with a
    trace of calls."""
    rows = capture.transmissions
    last = next(iter(rows.where(frame=len(rows))))
    assert last["assoc"] is None
    with pytest.raises(UsageError, match=r"beyond the 16,384 that are followed; `export` has"):
        which_tsn(capture, **{given: last[given]})
