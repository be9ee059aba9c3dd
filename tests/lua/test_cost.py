# SPDX-License-Identifier: BSD-2-Clause
"""What a capture costs the drop-in follows from its size, whatever is said in it."""

import json
import re
import subprocess
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tests.captures import one_in
from tests.lua.lua_model import DROP_IN, INTERPRETERS, interpreter

COSTS = Path(__file__).parent / "costs.lua"
NAMES = re.findall(r"^function CAPTURES\.(\w+)", COSTS.read_text(encoding="utf-8"), re.MULTILINE)
SIZE = 500
#: Two loads of one machine differ by as much; a quadratic cost of four times the size is 16.
GROWTH = 9
#: Of an ordinary capture of as many packets.
MEMORY = 3
#: Few packets are long, or an association each: memory follows from bytes, and from associations.
OF_BYTES = {"blocks", "blocks_falling", "dups", "drops"}
OF_ASSOCIATIONS = {"associations", "tags", "tags_answered", "stray_tags", "halves"}
KB_OF_ASSOCIATION = 32
#: Of hosts that send again and take back half of all: as many marks.
KB_BEYOND = 4096


def _measure(lua: str, name: str, size: int) -> dict[str, Any]:
    words = [interpreter(lua), str(COSTS), str(DROP_IN), name, str(size)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


_cost = cache(_measure)


@pytest.mark.parametrize("name", one_in(2, NAMES))
def test_time_follows_from_size(name: str) -> None:
    lua = INTERPRETERS[len(name) % 2]
    small, large = _cost(lua, name, SIZE), _cost(lua, name, 4 * SIZE)

    assert large["seconds"] < 0.1 + GROWTH * small["seconds"]


def _smallest(lua: str, name: str, size: int, most: float) -> float:
    """KB, of up to twelve runs until one needs no more than `most`. When the collector comes hangs
    on the seed of Lua 5.2's hashes: of 60 runs with `stray_tags` 26 had 74 to 82 MB at their peak,
    with half as much garbage again, the others 54 to 58; with 68 allowed."""
    least = inf
    for _ in range(12):
        least = min(least, float(_measure(lua, name, size)["kilobytes"]))
        if least <= most:
            break
    return least


@pytest.mark.parametrize("name", one_in(2, NAMES))
def test_memory_follows_from_size(name: str) -> None:
    lua = INTERPRETERS[len(name) % 2]
    found, usual = _cost(lua, name, 4 * SIZE), _cost(lua, "ordinary", 4 * SIZE)
    unit = "bytes" if name in OF_BYTES else "packets"
    most = KB_BEYOND + (
        KB_OF_ASSOCIATION * found["packets"]
        if name in OF_ASSOCIATIONS
        else MEMORY * usual["kilobytes"] * found[unit] / usual[unit]
    )

    assert _smallest(lua, name, 4 * SIZE, most) <= most
