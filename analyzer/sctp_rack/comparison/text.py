# SPDX-License-Identifier: BSD-2-Clause
"""How a comparison is written to a terminal, and as JSON."""

import json
from dataclasses import asdict
from typing import Any, TextIO

from sctp_rack.comparison.comparison import Comparison, comparison_lines
from sctp_rack.comparison.measures import Measures
from sctp_rack.summary.show import SCHEMAS
from sctp_rack.wording.terminal_width import columns

#: Derived figures, which programs want as well.
DERIVED = ("goodput_bps", "lost_share", "recovery_share", "spurious_share", "bytes_per_useful")


def write_comparison_json(comparison: Comparison, output: TextIO) -> None:
    """One line: the figures of each capture, and what is said of them."""
    captures = [
        {"capture": name, **fields(one)}
        for name, one in zip(comparison.names, comparison.measures, strict=True)
    ]
    said = {"verdicts": comparison.verdicts, "cautions": comparison.cautions}
    told = {"schema": SCHEMAS["compare"], "captures": captures, **said}
    output.write(json.dumps(told, ensure_ascii=False) + "\n")


def fields(measures: Measures) -> dict[str, Any]:
    """The figures by name, with those that follow from others."""
    told = {**asdict(measures), **{name: getattr(measures, name) for name in DERIVED}}
    return {name: value for name, value in told.items() if (name, value) != ("of_time", None)}


def write_comparison(comparison: Comparison, output: TextIO) -> None:
    """Who is who, a sentence for each, the table, what to beware of."""
    for line in comparison_lines(comparison, columns(output)):
        output.write(f"{line}\n")
