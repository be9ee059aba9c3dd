# SPDX-License-Identifier: BSD-2-Clause
"""The source as it is here, also where it is in no commit yet."""

import pytest

from release.source import ROOT, Source


@pytest.fixture
def source() -> Source:
    """With a time of its own."""
    return Source(ROOT, "0.1.0", "0" * 40, 1_700_000_000)
