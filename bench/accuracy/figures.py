# SPDX-License-Identifier: BSD-2-Clause
"""How figures read: percent, never rounded up to 100, and marked where few cases are behind it."""

from bench.accuracy.tally import Question, Share

#: With fewer cases a figure says little, and says so.
FEW = 100
MARK = "†"
FOOTNOTE = f"{MARK} fewer than {FEW} cases: a few more could change it."


def percent(part: int, of: int) -> str:
    """Of so many."""
    if not of:
        return "–"
    tenths = part * 1000 // of
    figure = "100" if tenths == 1000 else f"{tenths // 10}.{tenths % 10}"
    return figure + (MARK if of < FEW else "")


def share(of: Share | None) -> str:
    """Of a share."""
    return percent(of.part, of.of) if of else "–"


def with_cases(of: Share | None) -> str:
    """And of how many."""
    return f"{share(of)} of {of.of:,}" if of and of.of else "–"


def right(question: Question) -> str:
    """Of the claims: precision."""
    return percent(question.right, question.right + question.wrong)


def found(question: Question) -> str:
    """Of the cases that can be known: recall."""
    return percent(question.found, question.cases)


def right_and_found(question: Question) -> str:
    """Both."""
    return (
        "–" if right(question) == found(question) == "–" else f"{right(question)}/{found(question)}"
    )


def per_million(of: Share) -> str:
    """Of a share that is small; where there were too few cases for one in ten thousand, it is said
    of how many."""
    if not of.of:
        return "–"
    figure = f"{of.part * 1e6 / of.of:,.0f}"
    return figure + (MARK if of.of < FEW else "")
