# SPDX-License-Identifier: BSD-2-Clause
"""The examples of the documents give what they show."""

import doctest
import re

import pytest
import sctp_rack

from tests.captures import ROOT

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize(
    "name", ["docs/python-api.md", "docs/plots.md", "docs/json.md", "README.md"]
)
def test_examples_of_a_document(name: str) -> None:
    text = re.sub(r"^```.*$", "", (ROOT / name).read_text(), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)

    assert test.examples
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_the_example_of_the_package() -> None:
    assert doctest.testmod(sctp_rack).attempted >= 3
    assert doctest.testmod(sctp_rack).failed == 0
