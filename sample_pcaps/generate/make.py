# SPDX-License-Identifier: BSD-2-Clause
"""Makes the files of a scenario: a capture for each tap, and the truth."""

import json
from pathlib import Path

from . import truth
from .capture_file import LONGEST, write_pcap, write_pcapng
from .run import TAPS, Run
from .scenario import Scenario
from .twins import Twins


def make(
    scenario: Scenario, folder: Path, *, knowable: float = 0.0, counters: bool = False
) -> dict[str, object]:
    """Runs the scenario and writes NAME.TAP.pcap, NAME.truth.ndjson and, with DTLS,
    NAME.keys.log; returns the truth.

    `knowable`: of this share of what is sent again twin runs find out what can be known.
    `counters`: writes what the stacks counted, too, as NAME.counters.json."""
    run = Run(scenario)
    run.run()
    suffix, write = ("pcapng", write_pcapng) if scenario.pcapng else ("pcap", write_pcap)
    captures = {tap: f"{scenario.name}.{tap}.{suffix}" for tap in TAPS}
    for tap, name in captures.items():
        frames = run.taps[tap].frames(run.start_ns)
        write(folder / name, scenario.encapsulation.link_type, frames, scenario.tap.snaplen)
    if run.keys:
        (folder / f"{scenario.name}.keys.log").write_text("\n".join(run.keys) + "\n")
    if counters:
        (folder / f"{scenario.name}.counters.json").write_text(json.dumps(run.counters) + "\n")
    whole = not scenario.tap.begins_ns and scenario.tap.snaplen == LONGEST
    twins = Twins(run, knowable) if knowable and whole else None
    document = truth.Truth(run, captures, twins).document()
    truth.write(document, folder / f"{scenario.name}.truth.ndjson")
    return document
