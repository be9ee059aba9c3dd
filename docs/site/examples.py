# SPDX-License-Identifier: BSD-2-Clause
"""Examples in docstrings stand between fences, as Markdown wants: `>>>` would be a quotation."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)


class Fenced(griffe.Extension):
    """What mkdocstrings is given to read docstrings with."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Of each object once it is read."""
        if obj.docstring:
            text = obj.docstring.value
            obj.docstring.value = _EXAMPLE.sub(
                lambda one: f"```pycon\n{one[0].rstrip()}\n```\n", text
            )
