# SPDX-License-Identifier: BSD-2-Clause
"""What Wireshark says of a field stands alone: it is shown far from the other fields."""

import pytest

from tests.plugin.wireshark import Wireshark

#: Words that begin what is said of something before.
POINTING = {"of", "its", "their", "them", "that", "to", "from"}


@pytest.fixture(scope="module")
def blurbs(wireshark: Wireshark) -> dict[str, tuple[str, str]]:
    """Label and description by field; those of expert infos are the same for all."""
    listed = wireshark.run("tshark", "-G", "fields").splitlines()
    rows = [line.split("\t") for line in listed if line.startswith("F\t")]
    ours = [row for row in rows if row[4] == "sctp_rack"]
    return {row[2]: (row[1], row[7]) for row in ours if row[3] != "FT_NONE" or row[7]}


def test_each_field_has_a_description_that_is_no_label(blurbs: dict[str, tuple[str, str]]) -> None:
    assert len(blurbs) > 80
    for name, (label, about) in blurbs.items():
        assert about[:1].isupper(), name
        assert about.lower() != label.lower(), name
        assert len(about.split()) >= 4, name


def test_no_description_needs_the_field_before(blurbs: dict[str, tuple[str, str]]) -> None:
    needs = {name for name, (_, about) in blurbs.items() if about.split()[0].lower() in POINTING}
    assert needs == set()
