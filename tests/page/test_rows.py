# SPDX-License-Identifier: BSD-2-Clause
"""Tables that the page saves are those of `sctp-rack export`, byte for byte."""

import io
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.columns.export import export
from sctp_rack.columns.layout import CORE_TABLES

from tests.browser import Page
from tests.captures import any_capture, name_of
from tests.page.dropped import analysed, saved

#: Every second of those that every test of captures takes, and of one tap of each run.
CAPTURES = [one for one in any_capture() if not one.marks or ".sender." in one.values[0].name][::2]


def exported(capture: Path, file_format: str, keylog: str | None = None) -> dict[str, str]:
    outputs = {table: io.BytesIO() for table in CORE_TABLES}
    export(Session(str(capture), CORE_TABLES, keylog=keylog), file_format, dict(outputs))
    return {table: output.getvalue().decode() for table, output in outputs.items()}


@pytest.mark.parametrize("capture", CAPTURES, ids=name_of)
def test_every_table_is_that_of_the_command(page: Page, capture: Path) -> None:
    analysed(page, capture)

    for file_format in ("ndjson", "csv"):
        wanted = exported(capture, file_format)
        found = {table: saved(page, table, file_format) for table in CORE_TABLES}

        assert [table for table in CORE_TABLES if found[table] != wanted[table]] == []
    assert page.errors == []
