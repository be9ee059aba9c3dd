# SPDX-License-Identifier: BSD-2-Clause
"""README.md shows what the commands print."""

import runpy

import pytest

from tests.captures import ROOT

OUTPUTS = runpy.run_path(str(ROOT / "docs/outputs.py"))
TEXT = OUTPUTS["DOCUMENT"].read_text()


def test_the_document_shows_its_commands() -> None:
    shown = " ".join(OUTPUTS["commands"](TEXT))

    assert all(word in shown for word in ("sctp-rack analyze", "sctp-rack explain", ".demo"))


@pytest.mark.parametrize("command", OUTPUTS["commands"](TEXT))
def test_a_command_prints_what_the_document_shows(command: str) -> None:
    assert f"```\n$ {command}\n{OUTPUTS['output'](command)}```" in TEXT


def test_outputs_are_put_in_their_blocks() -> None:
    text = "a\n\n```\n$ echo x; echo 'y  '\nold\n```\n\nb\n\n```\n$ true\n```\n"

    assert OUTPUTS["with_outputs"](text) == text.replace("old\n", "x\ny\n")
