# SPDX-License-Identifier: BSD-2-Clause
"""How objects draw themselves in a notebook: plain tables that read on a dark and a light page.

Colours are those of the page, only dimmed. A colour of its own means a verdict: how severe a
finding is, its word and its weight tell.
"""

from collections.abc import Iterable, Sequence
from html import escape

_BLOCK = "font-size:0.9em;line-height:1.4"
_TABLE = "border-collapse:collapse;margin:0.4em 0;font-size:inherit;color:inherit"
_CELL = "padding:0.1em 0.7em 0.1em 0;text-align:left;vertical-align:top"
_DIM = "opacity:0.65"

#: Of the severity of a finding.
_WEIGHTS = {"error": "font-weight:bold;text-decoration:underline", "warning": "font-weight:bold"}


def block(*parts: str) -> str:
    """Parts of HTML, one below the other."""
    return f'<div style="{_BLOCK}">{"".join(parts)}</div>'


def title(text: str, note: str = "") -> str:
    """A line in bold, and what is dimmed behind it."""
    return f'<div><b>{escape(text)}</b> <span style="{_DIM}">{escape(note)}</span></div>'


def line(text: str) -> str:
    """A line of text."""
    return f"<div>{escape(text)}</div>"


def preformatted(text: str) -> str:
    """Lines of text, each as it is."""
    return f'<pre style="overflow-x:auto">{escape(text)}</pre>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are text."""
    names = "".join(f'<th style="{_CELL};{_DIM}">{escape(name)}</th>' for name in head)
    lines = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return (
        f'<div style="overflow-x:auto"><table style="{_TABLE}">'
        f"<thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def marked(kind: str, text: str) -> str:
    """A line behind the word of its severity."""
    weight = _WEIGHTS.get(kind, _DIM)
    return f'<div><span style="{weight}">{escape(kind)}</span> {escape(text)}</div>'


def _cells(row: Sequence[str]) -> str:
    return "".join(f'<td style="{_CELL}">{escape(cell)}</td>' for cell in row)
