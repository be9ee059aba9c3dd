# SPDX-License-Identifier: BSD-2-Clause
"""What a word of the output means: `sctp-rack glossary`, and errors that name the right words."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from sctp_rack.errors import UsageError
from sctp_rack.names import ABOUT, MEANINGS, TERMS

#: Where meanings begin, and how narrow their column may be.
_COLUMN, _NARROWEST = 24, 40


class Entry(NamedTuple):
    """A word, the enum of docs/tables.md that it belongs to ("" of none), and what it means."""

    word: str
    enum: str
    meaning: str


def entries() -> Iterator[Entry]:
    """All of them: terms of the text first, then each enum."""
    for term, meaning in TERMS.items():
        yield Entry(term, "", meaning)
    for enum, meanings in MEANINGS.items():
        for word, meaning in meanings.items():
            yield Entry(word, enum, meaning)


def look_up(word: str) -> list[Entry]:
    """What a word means, each enum that has it by itself; of an enum all its words.

    Raises `UsageError` for a word that is none, with those that look like it.
    """
    wanted = word.casefold()
    found = [entry for entry in entries() if wanted in _spellings(entry.word)]
    found += (entry for entry in entries() if entry.enum == wanted)
    if not found:
        raise UsageError(f"no word {word!r} in the output; {_like(word)}")
    return found


def check_word(column: str, enum: str, word: object) -> None:
    """Raises `ValueError` where an enum has no such word, with those that it has.

    None is no word, and nothing equals it.
    """
    if word is not None and word not in MEANINGS[enum]:
        raise ValueError(never(column, word, list(MEANINGS[enum])))


def never(column: str, word: object, words: Sequence[str]) -> str:
    """What is wrong with a word that is none of those that a column has."""
    return f"{column} is never {word!r}: it is {_listed(words)}"


def lines_of(found: Iterable[Entry], width: int) -> Iterator[str]:
    """One entry a line or more, the words in a column; the name of an enum before its words."""
    width, enum = max(width, _COLUMN + _NARROWEST), ""
    for entry in found:
        if entry.enum != enum:
            enum = entry.enum
            yield from textwrap.wrap(f"{enum}: {ABOUT[enum]}", width) if enum else [""]
        word = f"{'  ' if enum else ''}{entry.word}".ljust(_COLUMN - 2) + "  "
        yield from textwrap.wrap(
            entry.meaning,
            width,
            initial_indent=word,
            subsequent_indent=" " * _COLUMN,
        )


def _spellings(word: str) -> set[str]:
    return {word.casefold(), *(part.casefold() for part in word.split(", "))}


def _like(word: str) -> str:
    known = {entry.word.casefold(): entry.word for entry in entries()}
    close = get_close_matches(word.casefold(), known, n=4, cutoff=0.6)
    if not close:
        return "sctp-rack glossary lists all"
    return f"is it {_listed([known[one] for one in close])}?"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
