# SPDX-License-Identifier: BSD-2-Clause
"""Nothing that pyshark sets for the whole process stays behind a test of a reader."""

import asyncio
import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def without_its_event_loop() -> Iterator[None]:
    """pyshark sets how every event loop of the process waits for children, and leaves its handler.

    A notebook's event loop then has a pipe for signals that stays open behind it. A signal that
    another test raises waits there, and the next notebook takes it for its own and ends.
    """
    yield
    asyncio.set_event_loop_policy(None)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
