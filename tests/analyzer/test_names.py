# SPDX-License-Identifier: BSD-2-Clause
"""names.toml is the one source of words and columns."""

import subprocess
import sys

from sctp_rack._core import ffi, lib
from sctp_rack.names import ENUMS, SHORT
from sctp_rack.tables import TABLES

from tests.captures import ROOT


def test_generated_files_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "generate_names.py"), "--check"]
    result = subprocess.run(command, capture_output=True, check=False)

    assert (result.returncode, result.stderr) == (0, b"")


def test_c_and_python_spell_every_word_alike_and_in_the_same_order() -> None:
    for enum, members in ENUMS.items():
        names = getattr(lib, f"sr_{enum}_names")
        spelled = [ffi.string(names[index]).decode() for index in range(len(members))]

        assert [member.value for member in members] == spelled


def test_every_column_that_names_an_enum_names_one_that_exists() -> None:
    for columns in TABLES.values():
        for column in columns:
            kind, _, enum = column.type.partition(":")
            assert kind not in ("enum", "flags") or enum in ENUMS


def test_short_names_lead_to_words() -> None:
    for enum, words in SHORT.items():
        assert set(words.values()) <= {member.value for member in ENUMS[enum]}
