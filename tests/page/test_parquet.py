# SPDX-License-Identifier: BSD-2-Clause
"""Tables that the page saves as Parquet are those of `sctp-rack export --format parquet`."""

import base64
import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sctp_rack.binding.session import Session
from sctp_rack.columns.export import export
from sctp_rack.columns.layout import CORE_TABLES

from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE, name_of
from tests.page.dropped import analysed, in_worker
from tests.page.test_annotate import BASE64

#: Several addresses and taps, NR-SACKs, data both ways.
CAPTURES = [
    BUNDLED / "usrsctp-hosts-and-taps.receiver.pcapng",
    pytest.param(SAMPLE, marks=pytest.mark.long),
    pytest.param(BUNDLED / "usrsctp-both-ways.middle.pcap", marks=pytest.mark.long),
]


def decoded(table: Any) -> Any:
    """Words in place of their numbers: the page's dictionaries have those alone that occur."""
    types = [
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(types))


def exported(capture: Path) -> dict[str, Any]:
    outputs = {table: io.BytesIO() for table in CORE_TABLES}
    export(Session(str(capture), CORE_TABLES), "parquet", dict(outputs))
    return {table: pq.read_table(output) for table, output in outputs.items()}


def of_page(page: Page, table: str) -> Any:
    page.evaluate(
        "(() => { const before = URL.createObjectURL; window.made = null;"
        "URL.createObjectURL = (blob) => { if (blob.type !== 'text/javascript') made = blob;"
        " return before.call(URL, blob); };"
        f"document.getElementById('table').value = '{table}';"
        "document.querySelector('[data-format=parquet]').click(); })()"
    )
    page.wait("window.made || !document.getElementById('failed').hidden")
    return pq.read_table(io.BytesIO(base64.b64decode(page.evaluate(f"({BASE64})(made)"))))


@pytest.mark.parametrize("capture", CAPTURES, ids=name_of)
def test_every_table_is_that_of_the_command(page: Page, capture: Path) -> None:
    analysed(page, capture)

    for table, wanted in exported(capture).items():
        found = of_page(page, table)
        assert found.schema.equals(wanted.schema), table
        assert decoded(found).equals(decoded(wanted)), table
    assert page.errors == []


def test_rows_are_written_a_group_at_a_time(page: Page) -> None:
    analysed(page, SAMPLE)
    groups = in_worker(
        page,
        "(() => { const one = new ParquetTable('counts'), { size } = LAYOUT.tables.counts;"
        " const view = new DataView(new ArrayBuffer(size * (GROUP + 1)));"
        " one.take({ tables: { counts: view } }); one.take({ tables: { counts: view } });"
        " const parts = one.output.parts.length; one.finish();"
        " return [parts, one.writer.row_groups.length, one.columns[0].data.length]; })()",
    )
    assert groups == [2, 2, 0]
