# SPDX-License-Identifier: BSD-2-Clause
"""How a sentence of findings.toml reads with its values; `dissector/say.c` does the same."""

import re

from sctp_rack.findings.sentences import SENTENCES
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration

_MS = 1_000_000
_VALUE = re.compile(r"\{(\w+)(?::([^}]*))?\}")


def say(key: str, **values: int | str) -> str:
    """The sentence, or part of one."""
    return _VALUE.sub(lambda found: _said(values[found[1]], found[2]), SENTENCES[key])


def _said(value: int | str, how: str | None) -> str:
    if isinstance(value, str) or how is None:
        return str(value)
    match how.split(" ", 1) if how.startswith("many ") else [how]:
        case ["n"]:
            return f"{value:,}"
        case ["many", noun]:
            return many(value, noun)
        case ["duration"]:
            return duration(value)
        case ["span"]:
            return _span(value)
        case ["times"]:
            return "once" if value == 1 else f"{value:,} times"
    one, several = how.split("/")
    return one if value == 1 else several


def _span(time_ns: int) -> str:
    return f"{time_ns / 1e9:.1f} s" if time_ns >= 1000 * _MS else f"{time_ns / 1e6:.0f} ms"
