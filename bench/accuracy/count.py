# SPDX-License-Identifier: BSD-2-Clause
"""What counts as right: the rows of `transmissions` of a capture against the truth of its tap.

* A row and a transmission are the same when frame and TSN are. What was dropped before the tap is
  not asked for. A row that is missing is wrong in every respect; a row that truth does not know
  makes its claims wrong ones.
* spurious, needed: asked of retransmissions whose truth is known; a claim on anything else is
  wrong. Where nobody at this tap can know (`knowable`, `knowable_outcome` false), `undetermined` is
  right, a right claim counts nowhere, and a wrong one is wrong. Null counts as knowable; but where
  a run tried a share of them (`knowable_share`), what is found is asked of those alone: of the
  others nobody knows whether there was something to find.
* probe: a probe against the cause `tlp`. None of these stacks probes with new data; a claim of that
  with class 1 or 2 is none.
* cause: asked of retransmissions whose true cause is known. A family is what the sender reacted to.
* loss: outcome `lost` against what did not arrive or was thrown away; not asked of what was in
  flight at the end, nor where the row says `abandoned`.
  Where nobody can know that it was sent before (`knowable_kind` false), it may be called new: then
  its kind, cause and probe are not asked for.
* kind: `reordered` counts as `original`. An original that is said to be sent again is invented.
* classes: every verdict, cause and probe is a claim, also on what was sent once or is repeated by
  the network or the capture, where it is wrong; an outcome is one of what was sent.
"""

from collections.abc import Iterable
from typing import Any

from .late import late_originals
from .tally import Mistake, Tally
from .truths import Record, Run, is_lost

Row = dict[str, Any]

_FAMILIES = {
    **dict.fromkeys(("t3", "t3_gbn"), "timeout"),
    **dict.fromkeys(
        ("fast", "fast_deferred", "rack", "rack_rtx", "rack_timer", "early_retransmit"), "ack"
    ),
    "tlp": "probe",
    "zero_window_probe": "window",
}
_MISSING: Row = {
    **dict.fromkeys(("kind", "verdict", "cause", "outcome"), "missing"),
    "probe": None,
    "evidence": [],
}
#: Words of `cause` that are no answer.
_NO_CAUSE = ("unknown", "missing")
#: Kinds of what was not sent before.
_NEW = ("original", "reordered")


def count(run: Run, tap: str, rows: Iterable[Row], direction: str | None = None) -> Tally:
    """The rows of one capture of `run`, or those of its data that go one way (flow.py)."""
    return _Count(run, tap, rows, direction).tally


class _Count:
    def __init__(self, run: Run, tap: str, rows: Iterable[Row], direction: str | None) -> None:
        self.tally = Tally()
        self._run, self._tap, self._direction = run, tap, direction
        said: dict[tuple[int, int], Row] = {}
        for row in rows:
            said.setdefault((row["frame"], row["tsn"]), row)
        self._earlier: dict[tuple[str, int], list[Record]] = {}
        self._late = late_originals(run.document["transmissions"], tap)
        self._transmissions(said)
        for row in said.values():
            self._extra(row)

    def _transmissions(self, said: dict[tuple[int, int], Row]) -> None:
        asked: list[tuple[Record, str | None]] = [
            *((record, None) for record in self._run.document["transmissions"]),
            *self._run.repeated,
        ]
        known = set()
        for record, repeated in asked:
            if self._direction not in (None, record["dir"]):
                continue
            frame = record["frames"].get(self._tap)
            if frame:
                self.tally.rows += 1
                known.add((frame, record["tsn"]))
                self._one(frame, record, repeated, said.get((frame, record["tsn"])))
            if repeated is None:
                self._earlier.setdefault((record["dir"], record["tsn"]), []).append(record)
        for key in known:
            said.pop(key, None)

    def _extra(self, row: Row) -> None:
        self.tally.extra += 1
        questions = self.tally.questions
        questions["retransmission"].wrong += row["kind"] == "retransmission"
        questions["probe"].wrong += _probe(row) is not None
        self._unfounded(row)
        if _probe(row) is not None:
            self._calibrate("probe", row, False)
        self._mistake("row", row["frame"], row["tsn"], "nothing", row["kind"], "no truth", row)

    def _one(self, frame: int, record: Record, repeated: str | None, row: Row | None) -> None:
        self.tally.missing += row is None
        row = row or _MISSING
        again = repeated is None and bool(record["retransmission"])
        kind = repeated or ("retransmission" if again else "original")
        looks_new = row["kind"] in _NEW and self._knowable(record, "knowable_kind") is False
        self._confuse(frame, record, kind, row)
        if not looks_new:
            self._kind(frame, record, kind, row)
            self._probe(frame, record, again and record["cause"] == "tlp", row)
        if not again:
            self._unfounded(row)
        else:
            if record["spurious"] is not None:
                self._verdict(frame, record, row)
            if record["cause"] and not looks_new:
                self._cause(frame, record, row)
        if repeated is None:
            self._outcome(frame, record, row)

    def _kind(self, frame: int, record: Record, true: str, row: Row) -> None:
        said = "original" if row["kind"] in _NEW else str(row["kind"])
        self.tally.shares["kind"].count(said == true)
        again = "retransmission"
        self._ask("retransmission", said == again, true == again, True)
        if true == "original":
            self.tally.shares["invented"].count(said == again)
        if said != true:
            self._mistake("kind", frame, record["tsn"], true, said, self._copies(record), row)

    def _confuse(self, frame: int, record: Record, kind: str, row: Row) -> None:
        if kind == "retransmission":
            true = {True: "spurious", False: "needed", None: "not certain"}[record["spurious"]]
            if self._knowable(record, "knowable") is False:
                true += ", unknowable"
        else:
            is_late = (frame, record["tsn"]) in self._late
            true = "late original" if is_late and kind == "original" else kind
        self.tally.verdicts[true, row["verdict"] or "none"] += 1

    def _unfounded(self, row: Row) -> None:
        """What was not sent again has neither a verdict nor a cause."""
        if row["verdict"] in ("spurious", "needed"):
            self.tally.questions[row["verdict"]].wrong += 1
            self._calibrate("verdict", row, False)
        if row["cause"] not in (None, *_NO_CAUSE):
            self._calibrate("cause", row, False)

    def _verdict(self, frame: int, record: Record, row: Row) -> None:
        said, shares = row["verdict"], self.tally.shares
        claimed = said in ("spurious", "needed")
        true = "spurious" if record["spurious"] else "needed"
        knowable = self._knowable(record, "knowable")
        for word in ("spurious", "needed"):
            self._ask(word, said == word, true == word, knowable)
        shares["tried"].count((record.get("knowable") or {}).get(self._tap) is not None)
        left_open = not claimed and said != "missing"
        if knowable is not None:
            shares["undetermined" if knowable else "left_open"].count(left_open)
        if claimed:
            self._calibrate("verdict", row, said == true)
        if said != true and (claimed or knowable is not False):
            self._mistake(
                "verdict",
                frame,
                record["tsn"],
                true,
                _with_class(row, "verdict"),
                self._copies(record),
                row,
            )

    def _probe(self, frame: int, record: Record, true: bool, row: Row) -> None:
        said = _probe(row)
        right = true and said == "retransmission"
        question = self.tally.questions["probe"]
        question.right += right
        question.found += right
        question.missed += true and not right
        question.wrong += said is not None and not right
        if said is not None:
            self._calibrate("probe", row, right)
        if true != right or (said is not None and not right):
            self._mistake(
                "probe",
                frame,
                record["tsn"],
                "tlp" if true else "none",
                _with_class(row, "probe") if said else "none",
                f"the stack: {record.get('cause') or 'not certain'}",
                row,
            )

    def _cause(self, frame: int, record: Record, row: Row) -> None:
        true, said = str(record["cause"]), str(row["cause"] or "unknown")
        answered, shares = said not in _NO_CAUSE, self.tally.shares
        shares["cause"].count(said == true)
        shares["cause_answered"].count(answered)
        shares["cause_family"].count(_FAMILIES.get(said) == _FAMILIES.get(true))
        self.tally.causes[true, said] += 1
        if answered:
            self._calibrate("cause", row, said == true)
        if said != true:
            reason = "" if row["kind"] == "retransmission" else "not called a retransmission"
            said = _with_class(row, "cause")
            self._mistake("cause", frame, record["tsn"], true, said, reason, row)

    def _outcome(self, frame: int, record: Record, row: Row) -> None:
        said = row["outcome"]
        if record["fate"] == "in_flight" or said == "abandoned":
            return
        true, knowable = is_lost(record), self._knowable(record, "knowable_outcome")
        self._ask("loss", said == "lost", true, knowable)
        if said in ("lost", "acked"):
            self._calibrate("outcome", row, (said == "lost") == true)
        if (said == "lost") != true and (said == "lost" or knowable is not False):
            self._mistake(
                "outcome",
                frame,
                record["tsn"],
                str(record["fate"]),
                _with_class(row, "outcome"),
                str(record["why"]),
                row,
            )

    def _ask(self, name: str, said: bool, true: bool, knowable: bool | None) -> None:
        question = self.tally.questions[name]
        question.right += said and true and knowable is not False
        question.wrong += said and not true
        question.found += said and true and knowable is True
        question.missed += not said and true and knowable is True

    def _knowable(self, record: Record, column: str) -> bool | None:
        """None where it was not tried of a run that tried a share; of others that is true."""
        known: bool | None = (record.get(column) or {}).get(self._tap)
        return True if known is None and "knowable_share" not in self._run.document else known

    def _calibrate(self, column: str, row: Row, right: bool) -> None:
        self.tally.calibration[column, row[f"{column}_class"]].count(right)

    def _mistake(
        self, what: str, frame: int, tsn: int, true: str, said: str, reason: str, row: Row
    ) -> None:
        capture, evidence = self._run.capture(self._tap).name, tuple(row["evidence"] or ())
        self.tally.mistakes.append(Mistake(capture, what, frame, tsn, true, said, reason, evidence))

    def _copies(self, record: Record) -> str:
        """What became of the copies before, and which of them this tap saw."""
        told = []
        for one in self._earlier.get((record["dir"], record["tsn"]), []):
            if one is not record:
                unseen = "" if one["frames"].get(self._tap) else ", not seen here"
                told.append(f"copy {one['copy']} {one['fate']}{unseen}")
        return "; ".join(told)


def _probe(row: Row) -> str | None:
    if row["probe"] == "new_data" and row["probe_class"] in (1, 2):
        return None
    return row["probe"] or None


def _with_class(row: Row, column: str) -> str:
    level = row.get(f"{column}_class")
    return (row[column] or "nothing") + (f" ({level}/5)" if level else "")
