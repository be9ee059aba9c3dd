# SPDX-License-Identifier: BSD-2-Clause
"""How much something takes, the same in every run: lines of Python, and values of columns made."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from sctp_rack.columns import table
from sctp_rack.columns.of_rows import column_of


def work(doing: Callable[[], object]) -> tuple[int, int]:
    """Lines that are run, each round of a loop or comprehension too; and values of columns."""
    steps = 0
    values = 0

    def step(_frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal steps
        steps += 1
        return step

    def counted(name: str, column: Any, batch: Any) -> Any:
        nonlocal values
        values += len(batch.tables[name])
        return column_of(name, column, batch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "column_of", counted)
        before = sys.gettrace()
        sys.settrace(step)
        try:
            doing()
        finally:
            sys.settrace(before)
    return steps, values
