# SPDX-License-Identifier: BSD-2-Clause
"""A host with aiortc, told line by line what time it is and what happens to it; its answer ends
with `now NS`.

python -m sample_pcaps.generate.aiortc active=1 seed=7 …
open | run NS | in HEX | send STREAM SIZE UNORDERED RTX_LIMIT LIFETIME_MS | read 0|1 | close
quit"""

import asyncio
import sys

from .association import Association
from .clock import VirtualLoop
from .library import load


def main() -> None:
    """Serves until it is told to quit."""
    options = {name: int(value) for name, value in (word.split("=") for word in sys.argv[1:])}
    loop = VirtualLoop()  # type: ignore[abstract]
    asyncio._set_running_loop(loop)
    asyncio.set_event_loop(loop)
    told: list[str] = []
    association = Association(load(loop, options), told.append, options)
    for line in sys.stdin:
        match line.split():
            case ["open"]:
                association.open()
            case ["run", until_ns]:
                loop.run_until(int(until_ns), lambda: bool(told))
            case ["in", packet, *_]:
                association.get(bytes.fromhex(packet))
            case ["send", *numbers]:
                association.send(*map(int, numbers))
            case ["read", _]:
                pass
            case ["close"]:
                association.close()
            case ["quit"]:
                for name, value in association.counters().items():
                    print(f"counter {name} {value}")
                return
            case _:
                raise ValueError(line)
        loop.settle()
        told.append(f"now {loop.now_ns}\n")
        sys.stdout.write("\n".join(told))
        sys.stdout.flush()
        told.clear()


main()
