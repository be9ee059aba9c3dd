# SPDX-License-Identifier: BSD-2-Clause
"""Of random talks the drop-in says what the engine says, but for what docs/lua.md lists."""

from pathlib import Path
from random import Random

import pytest

from tests.builder.random_talk import say_random
from tests.builder.talk import Talk
from tests.lua.test_equal_engine import agree

#: Talks of one capture.
TALKS = 12


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.long if seed > 2 else ()) for seed in range(30)]
)
def test_engine_and_drop_in_agree(seed: int, tmp_path: Path) -> None:
    talk, random = Talk(), Random(seed)
    for number in range(TALKS):
        say_random(talk, random, 5000 + number)

    agree(talk.write(tmp_path), measured_alone=True)
