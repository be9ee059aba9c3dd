# SPDX-License-Identifier: BSD-2-Clause
"""What a comment says of one transmission, and which transmissions get one."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_WORD, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.story.evidence import of_cause, of_verdict

#: What all comments begin with: by this they are found again.
MARK = "sctp-rack: "

#: Longest comment, bytes: with it an option still has the 16-bit length that pcapng gives it.
LONGEST = 60000

#: By the classes of docs/tables.md.
SURE = {5: "certain", 4: "very likely", 3: "likely", 2: "perhaps", 1: "a guess"}

#: What comments are made of; the page takes them from here, too (page/layout.py).
REMARKS = {
    "begin": "TSN {tsn} copy {copy} {kind}",
    "repeats": " of frame {frame}",
    "probe": "tail loss probe{new}{sure}",
    "probe.new": " with new data",
    "cause": "cause {word}{sure}{trigger}",
    "trigger": " at frame {frame}",
    "word": "{word}{sure}",
    "unseen": "original not in this capture",
    "original": "original in frame {frame}",
    "before": "original in frame {frame}, previous copy in frame {before}",
    "resent": "sent again in frame {frame}",
    "never": "not sent again",
    "acked": "{word}{sure} by frame {frame}",
    "sure": " ({word} {level}/5{codes})",
    "codes": ": {codes}",
    "more": "and {count} more",
}

#: Each row has it.
_BEGIN = REMARKS["begin"].format

#: Fates of a copy that are told of any transmission.
TOLD_FATES = ("lost", "abandoned")


def is_told(rows: Rows) -> npt.NDArray[np.bool_]:
    """Whether each of these transmissions is out of the ordinary.

    It is sent again, late or repeated, a tail loss probe, lost or given up.
    """
    fates = [words_of("outcome").index(word) for word in TOLD_FATES]
    told: npt.NDArray[np.bool_] = (
        ((rows["kind"] != words_of("kind").index("original")) & (rows["kind"] != NO_WORD))
        | (rows["probe"] != NO_WORD)
        | np.isin(rows["outcome"], fates)
    )
    return told


def remark(row: Mapping[str, Any], resent: int | None) -> str:
    """A row of `transmissions` in one line; `resent` is the frame of the next copy, if any."""
    said = [_BEGIN(tsn=row["tsn"], copy=row["copy"], kind=row["kind"])]
    if row["kind"] == "retransmission":
        said += _retransmission(row)
    elif row["kind"] in ("network_duplicate", "capture_duplicate"):
        said[0] += _say("repeats", frame=row["prev_frame"])
    if row["probe"] is not None:
        new = _say("probe.new") if row["probe"] == "new_data" else ""
        said.append(_say("probe", new=new, sure=_sure(row["probe_class"])))
    said += _fate(row, resent)
    return ", ".join(said)


def _say(part: str, **values: Any) -> str:
    return REMARKS[part].format(**values)


def _retransmission(row: Mapping[str, Any]) -> list[str]:
    said = []
    if row["cause"] is not None:
        trigger = _say("trigger", frame=row["trigger_frame"]) if row["trigger_frame"] else ""
        sure = _sure(row["cause_class"], of_cause(row["evidence"]))
        said.append(_say("cause", word=row["cause"], sure=sure, trigger=trigger))
    if row["verdict"] is not None:
        sure = _sure(row["verdict_class"], of_verdict(row["evidence"]))
        said.append(_say("word", word=row["verdict"], sure=sure))
    first, previous = row["first_frame"], row["prev_frame"]
    if previous is None:
        said.append(_say("unseen"))
    else:
        said.append(
            _say("original" if first == previous else "before", frame=first, before=previous)
        )
    return said


def _fate(row: Mapping[str, Any], resent: int | None) -> list[str]:
    outcome = row["outcome"]
    if outcome is None:
        return []
    fate = {"word": outcome, "sure": _sure(row["outcome_class"])}
    if outcome == "lost":
        again = _say("resent", frame=resent) if resent else _say("never")
        return [_say("word", **fate), again]
    if outcome == "acked" and row["kind"] == "original" and row["acked_frame"]:
        return [_say("acked", **fate, frame=row["acked_frame"])]
    return [_say("word", **fate)] if outcome == "abandoned" else []


def _sure(level: int | None, evidence: Sequence[str] = ()) -> str:
    return "" if level is None else _surely(level, " ".join(evidence))


@functools.cache
def _surely(level: int, evidence: str) -> str:
    """Of few classes and few pieces of evidence; a row has up to four of them."""
    codes = _say("codes", codes=evidence) if evidence else ""
    return _say("sure", word=SURE[level], level=level, codes=codes)


def joined(texts: list[str]) -> str:
    """The remarks of a frame as one comment, as far as there is room."""
    length = 0
    for count, text in enumerate(texts):
        length += len(text) + 2
        if length > LONGEST:
            return "; ".join([*texts[:count], _say("more", count=len(texts) - count)])
    return "; ".join(texts)
