# SPDX-License-Identifier: BSD-2-Clause
"""The documents show what the commands print."""

import runpy

import pytest

from tests.captures import ROOT

OUTPUTS = runpy.run_path(str(ROOT / "docs/outputs.py"))
TEXT = "".join(document.read_text() for document in OUTPUTS["DOCUMENTS"])


def test_the_documents_show_the_commands() -> None:
    shown = " ".join(OUTPUTS["commands"](TEXT))

    for word in ("analyze", "explain", "compare"):
        assert f"sctp-rack {word}" in shown
    assert ".demo" in " ".join(OUTPUTS["commands"](OUTPUTS["DOCUMENTS"][0].read_text()))


@pytest.mark.parametrize("command", OUTPUTS["commands"](TEXT))
def test_a_command_prints_what_a_document_shows(command: str) -> None:
    assert f"```\n$ {command}\n{OUTPUTS['output'](command)}```" in TEXT


def test_outputs_are_put_in_their_blocks() -> None:
    text = "a\n\n```\n$ echo x; echo 'y  '\nold\n```\n\nb\n\n```\n$ true\n```\n"

    assert OUTPUTS["with_outputs"](text) == text.replace("old\n", "x\ny\n")
