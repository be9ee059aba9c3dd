# SPDX-License-Identifier: BSD-2-Clause
"""What counts as right of the place of the tap and of the sender's profile: rows of `paths`.

* vantage: asked of each path that carried data. The tap's name is that of the end of the main data
  flow; seen from data going the other way, it is at the other end.
* profile: asked of the directions in which at least 10 chunks were sent again. Of pion before RACK
  it is `pion` as well.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from bench.accuracy.count import Row
from bench.accuracy.tally import Tally
from bench.accuracy.truths import Run

#: Resends with which a profile can be told.
_ENOUGH = 10
_OTHER_END = {"sender": "receiver", "middle": "middle", "receiver": "sender"}


def count_place(run: Run, tap: str, rows: Iterable[Row], transmissions: Sequence[Row]) -> Tally:
    """The rows of one capture of `run`."""
    tally = Tally()
    main = "a2b" if run.document["tap_at"]["sender"] == "a" else "b2a"
    true_name = _direction_names(run, tap, transmissions)
    again: Counter[str] = Counter()
    for record in run.document["transmissions"]:
        again[record["dir"]] += bool(record["retransmission"])
    for row in rows:
        direction = true_name.get(row["dir"])
        if direction is None:
            continue
        true = tap if direction == main else _OTHER_END[tap]
        tally.shares["vantage"].count(row["vantage"] == true)
        if again[direction] >= _ENOUGH:
            stack = run.document["stack"]
            if direction != main:
                stack = run.document.get("receiver_stack", stack)
            tally.shares["profile"].count(row["profile"] == stack)
    return tally


def _direction_names(run: Run, tap: str, rows: Sequence[Row]) -> dict[str, str]:
    """By what the rows call it: where the handshake is missing, a is who is seen first."""
    true = {
        (record["frames"][tap], record["tsn"]): record["dir"]
        for record in run.document["transmissions"]
    }
    names = {row["dir"]: true.get((row["frame"], row["tsn"])) for row in rows}
    return {said: name for said, name in names.items() if name is not None}
