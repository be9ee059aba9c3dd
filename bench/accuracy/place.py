# SPDX-License-Identifier: BSD-2-Clause
"""What counts as right of the place of the tap and of the sender's profile: rows of `paths`.

* vantage: asked of each path that carried data. The tap's name is that of the end of the main data
  flow; seen from data going the other way, it is at the other end.
* profile: asked of the directions in which at least 10 chunks were sent again. Of pion before RACK
  it is `pion` as well.
"""

from collections import Counter
from collections.abc import Iterable

from bench.accuracy.count import Row
from bench.accuracy.tally import Tally
from bench.accuracy.truths import Run

#: Resends with which a profile can be told.
_ENOUGH = 10
_OTHER_END = {"sender": "receiver", "middle": "middle", "receiver": "sender"}


def count_place(run: Run, tap: str, rows: Iterable[Row]) -> Tally:
    """The rows of one capture of `run`."""
    tally = Tally()
    main = "a2b" if run.document["tap_at"]["sender"] == "a" else "b2a"
    again: Counter[str] = Counter()
    for record in run.document["transmissions"]:
        again[record["dir"]] += bool(record["retransmission"])
    for row in rows:
        if row["dir"] not in again:
            continue
        true = tap if row["dir"] == main else _OTHER_END[tap]
        tally.shares["vantage"].count(row["vantage"] == true)
        if again[row["dir"]] >= _ENOUGH:
            stack = run.document["stack"]
            if row["dir"] != main:
                stack = run.document.get("receiver_stack", stack)
            tally.shares["profile"].count(row["profile"] == stack)
    return tally
