# SPDX-License-Identifier: BSD-2-Clause
"""A report keeps of the rows what it needs: with all of them it says the same."""

from typing import Any

import pytest
import sctp_rack
from sctp_rack.report.contents import TABLES, contents
from sctp_rack.report.page import report_page
from sctp_rack.report.waited import FIELDS

from tests.captures import BUNDLED

CAPTURE = BUNDLED / "pion-tail-loss.sender.pcap"


def page(**kept: Any) -> str:
    return report_page(
        [contents(sctp_rack.read(CAPTURE, tables=TABLES, **kept))], with_graphs=False
    )


@pytest.fixture(scope="module")
def whole() -> str:
    return page()


def test_it_says_the_same_with_the_fields_that_it_asks_for(whole: str) -> None:
    assert page(fields=FIELDS) == whole


def test_its_stories_tell_of_the_marks_of_every_profile(whole: str) -> None:
    assert page(fields=FIELDS, marks_of=["rfc8985"]) != whole
