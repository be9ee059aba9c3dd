# SPDX-License-Identifier: BSD-2-Clause
"""What counts as right of the place of the tap and of the sender's profile: rows of `paths`.

* vantage: asked of each path that carried data, as seen from its sender (flow.py).
* profile: asked of the directions in which at least 10 chunks were sent again. Of pion before RACK
  it is `pion` as well.
"""

from collections.abc import Iterable, Sequence

from bench.accuracy.count import Row
from bench.accuracy.flow import Flow, directions_said
from bench.accuracy.tally import Tally

#: Resends with which a profile can be told.
_ENOUGH = 10


def count_place(flow: Flow, rows: Iterable[Row], transmissions: Sequence[Row]) -> Tally:
    """The rows of one capture that are of one host's data."""
    tally, document = Tally(), flow.run.document
    said = directions_said(flow.run, flow.captured_at, transmissions)
    again = sum(
        one["dir"] == flow.direction and bool(one["retransmission"])
        for one in document["transmissions"]
    )
    for row in rows:
        if said.get(row["dir"]) != flow.direction:
            continue
        tally.shares["vantage"].count(row["vantage"] == flow.tap)
        if again >= _ENOUGH:
            tally.shares["profile"].count(row["profile"] == document["stack"])
    return tally
