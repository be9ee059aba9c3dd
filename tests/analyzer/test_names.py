# SPDX-License-Identifier: BSD-2-Clause
"""names.toml is the one source of words and columns."""

import subprocess
import sys
from collections import defaultdict

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


#: Words of more than one enum; each means the same in all of them.
SHARED = {
    "abandoned": {"outcome", "message_state"},
    "abort": {"ended", "finding"},
    "cut": {"checksum", "unopened"},
    "dtls": {"skip", "encapsulation", "finding"},
    "encrypted": {"skip", "finding"},
    "fragment_overlap": {"skip", "finding"},
    "handshake": {"cause", "rtt_tag", "started"},
    "loss": {"waited_for", "stall_cause"},
    "middle": {"started", "vantage"},
    "nr_sack": {"sack_kind", "feature"},
    "packet_drop": {"cause", "feature"},
    "retransmission": {"kind", "probe"},
    "shutdown": {"sack_kind", "ended"},
    "snapped": {"sack_anomaly", "chunk_anomaly", "skip"},
    "spurious": {"verdict", "probe_outcome"},
    "udp": {"feature", "encapsulation"},
    "timeout": {"waited_for", "limit"},
    "unknown": {"cause", "resolution", "vantage", "answer", "limit"},
    "unknown_link": {"skip", "finding"},
    "unresolved": {"outcome", "probe_outcome"},
    "zero": {"crc", "checksum"},
    "zero_checksum": {"feature", "finding"},
}

#: Enums of no column, and what has their words instead.
OF_NO_COLUMN = {
    "data_field": "the bits of the core's `present`",
    "finding": "`code` of a finding",
    "severity": "`severity` of a finding, `--fail-on`",
    "skip": "`skipped` of the summary",
    "stall_cause": "stalls of the summary",
    "unopened": "`dtls` of the summary",
}


def test_a_word_of_several_enums_is_known_to_mean_one_thing() -> None:
    enums = defaultdict(set)
    for enum, members in ENUMS.items():
        for member in members:
            enums[member.value].add(enum)

    assert {word: of for word, of in enums.items() if len(of) > 1} == SHARED


def test_every_enum_has_its_use() -> None:
    columns = [column.type for table in TABLES.values() for column in table]
    used = {enum for _, _, enum in (one.partition(":") for one in columns)} & set(ENUMS)

    assert set(ENUMS) - used == set(OF_NO_COLUMN)


#: Columns whose words depend on their table.
WORDS_OF_TABLE = {"kind", "malformed", "outcome"}


def test_a_column_of_one_name_has_the_same_type_in_every_table() -> None:
    """A sum may be long where the column of a row is int."""
    types = defaultdict(set)
    for columns in TABLES.values():
        for column in columns:
            types[column.name].add(column.type.replace("long", "int"))

    assert {name for name, of in types.items() if len(of) > 1} == WORDS_OF_TABLE
