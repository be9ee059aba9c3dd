# SPDX-License-Identifier: BSD-2-Clause
"""One judge for the tests of a file."""

from collections.abc import Iterator

import pytest

from tests.hostile.commands import bench
from tests.hostile.growth import Judge


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """With a folder of its own."""
    with bench() as room:
        yield Judge(room)
