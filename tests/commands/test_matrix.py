# SPDX-License-Identifier: BSD-2-Clause
"""Whatever is done to a call, it ends with the documented status, says one line, leaves nothing."""

from collections.abc import Sequence

import pytest

from tests.commands.matrix import COMMANDS, FEW, Tried, tried, tried_with


def check(done: Sequence[Tried], commands: Sequence[str]) -> None:
    assert {one.command for one in done} == set(commands)
    assert [one for one in done if one.wrong] == []
    assert len({one.condition for one in done}) > 20


def test_some_commands_under_every_condition() -> None:
    check(tried(), FEW)


@pytest.mark.long
def test_every_command_under_every_condition() -> None:
    check(tried(whole=True), list(COMMANDS))


def test_arrow_is_not_asked_where_it_has_no_room() -> None:
    """It crashed where about 8 MiB were left, and aborted with some more."""
    done = tried_with("export --format parquet", [eighths / 8 for eighths in range(56, 80)])
    assert [one for one in done if one.wrong] == []
    assert {one.line for one in done} <= {"", "sctp-rack: out of memory"}
