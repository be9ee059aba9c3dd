# SPDX-License-Identifier: BSD-2-Clause
"""How a sentence of findings.toml reads with its values."""

from sctp_rack.findings.sentences import SENTENCES
from sctp_rack.wording.filled import filled


def say(key: str, **values: int | str) -> str:
    """The sentence, or part of one."""
    return filled(SENTENCES[key], **values)
