# SPDX-License-Identifier: BSD-2-Clause
"""What a comment says of one transmission, and which transmissions get one."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_WORD, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.story.evidence import of_cause, of_verdict

#: What all comments begin with: by this they are found again.
MARK = "sctp-rack: "

#: By the classes of docs/tables.md.
_SURE = {5: "certain", 4: "very likely", 3: "likely", 2: "perhaps", 1: "a guess"}

#: Fates of a copy that are told of any transmission.
_TOLD_FATES = ("lost", "abandoned")


def is_told(rows: Rows) -> npt.NDArray[np.bool_]:
    """Whether each of these transmissions is out of the ordinary.

    It is sent again, late or repeated, a tail loss probe, lost or given up.
    """
    fates = [words_of("outcome").index(word) for word in _TOLD_FATES]
    told: npt.NDArray[np.bool_] = (
        ((rows["kind"] != words_of("kind").index("original")) & (rows["kind"] != NO_WORD))
        | (rows["probe"] != NO_WORD)
        | np.isin(rows["outcome"], fates)
    )
    return told


def remark(row: Mapping[str, Any], resent: int | None) -> str:
    """A row of `transmissions` in one line; `resent` is the frame of the next copy, if any."""
    said = [f"TSN {row['tsn']} copy {row['copy']} {row['kind']}"]
    if row["kind"] == "retransmission":
        said += _retransmission(row)
    elif row["kind"] in ("network_duplicate", "capture_duplicate"):
        said[0] += f" of frame {row['prev_frame']}"
    if row["probe"] is not None:
        new = " with new data" if row["probe"] == "new_data" else ""
        said.append(f"tail loss probe{new}{_sure(row['probe_class'])}")
    said += _fate(row, resent)
    return ", ".join(said)


def _retransmission(row: Mapping[str, Any]) -> list[str]:
    said = []
    if row["cause"] is not None:
        trigger = f" at frame {row['trigger_frame']}" if row["trigger_frame"] else ""
        sure = _sure(row["cause_class"], of_cause(row["evidence"]))
        said.append(f"cause {row['cause']}{sure}{trigger}")
    if row["verdict"] is not None:
        sure = _sure(row["verdict_class"], of_verdict(row["evidence"]))
        said.append(f"{row['verdict']}{sure}")
    first, previous = row["first_frame"], row["prev_frame"]
    if previous is None:
        said.append("original not in this capture")
    elif first == previous:
        said.append(f"original in frame {first}")
    else:
        said.append(f"original in frame {first}, previous copy in frame {previous}")
    return said


def _fate(row: Mapping[str, Any], resent: int | None) -> list[str]:
    outcome = row["outcome"]
    if outcome is None:
        return []
    said = f"{outcome}{_sure(row['outcome_class'])}"
    if outcome == "lost":
        return [said, f"sent again in frame {resent}" if resent else "not sent again"]
    if outcome == "acked" and row["kind"] == "original" and row["acked_frame"]:
        return [f"{said} by frame {row['acked_frame']}"]
    return [said] if outcome == "abandoned" else []


def _sure(level: int | None, evidence: Sequence[str] = ()) -> str:
    if level is None:
        return ""
    codes = f": {' '.join(evidence)}" if evidence else ""
    return f" ({_SURE[level]} {level}/5{codes})"
