# SPDX-License-Identifier: BSD-2-Clause
"""One build of the plugin for all tests."""

from collections.abc import Iterator

import pytest

from tests.plugin.wireshark import Wireshark, build


@pytest.fixture(scope="session")
def wireshark() -> Iterator[Wireshark]:
    """The installed Wireshark with the plugin."""
    installed = Wireshark(build())
    yield installed
    installed.close()
