# SPDX-License-Identifier: BSD-2-Clause
"""How a sentence reads with its values, in the ways that findings.toml lists.

`core/findings/say.c` and `page/worker/say.js` do the same.
"""

import re

from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration

_MS = 1_000_000
_VALUE = re.compile(r"\{(\w+)(?::([^}]*))?\}")


def filled(text: str, **values: int | str | None) -> str:
    """The sentence; a value that it does not name is left out."""
    return _VALUE.sub(lambda found: _said(values[found[1]], found[2]), text)


def _said(value: int | str | None, how: str | None) -> str:
    if value is None or isinstance(value, str) or how is None:
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
