# SPDX-License-Identifier: BSD-2-Clause
"""The page tells stories with the sentences of the command, so it gives all that they ask for.

Whether it gives the same is asked in a browser, by tests/page/test_story_rules.py; that takes long.
"""

import re
from pathlib import Path
from string import Formatter

import pytest
from sctp_rack.story.sentences import SENTENCES

_WORKER = Path(__file__).parents[2] / "page" / "worker"
_SOURCE = "\n".join(path.read_text() for path in sorted(_WORKER.glob("*.js")))

_ASKED = sorted(
    {name for text in SENTENCES.values() for _, name, _, _ in Formatter().parse(text) if name}
)


@pytest.mark.parametrize("name", _ASKED)
def test_the_page_gives_each_value_of_a_sentence(name: str) -> None:
    assert re.search(rf"[{{,]\s*{name}\s*[:,}}]", _SOURCE)
