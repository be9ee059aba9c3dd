# SPDX-License-Identifier: BSD-2-Clause
"""What the run with SACKs says that NR-SACKs would have changed, and what they changed."""

from dataclasses import dataclass
from pathlib import Path

import sctp_rack
from sctp_rack.what_if.full_buffer_bounds import Bounds
from sctp_rack.what_if.nr_sack import Kept, OtherAcknowledgements
from sctp_rack.what_if.what_if import TABLES

from bench.whatif.pairs import Pair
from sample_pcaps.generate.capture_file import write_pcap
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario

#: Of sums of floating point.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Measured:
    """Both runs of a pair, at the sender's tap."""

    pair: Pair
    with_sacks: OtherAcknowledgements
    with_nr_sacks: OtherAcknowledgements

    @property
    def captured(self) -> Kept:
        """What it was with SACKs."""
        return self.with_sacks.captured.whole

    @property
    def said(self) -> Kept:
        """What the run with SACKs says of the queue with NR-SACKs."""
        alone = self.pair.kind.delivered_alone
        found = self.with_sacks
        return (found.with_nr_sacks_of_delivered if alone else found.with_nr_sacks_of_all).whole

    @property
    def bounds(self) -> Bounds:
        """Of that, where the send buffer was full."""
        alone = self.pair.kind.delivered_alone
        found = self.with_sacks
        bounds = found.bounds_of_delivered if alone else found.bounds_of_all
        assert bounds is not None
        return bounds

    @property
    def within(self) -> bool:
        """Average and RtxQ_Util lie between the bounds."""
        one, was, util = self.bounds, self.was, self.was.rtxq_util
        assert util is not None and None not in (one.least_rtxq_util, one.most_rtxq_util)
        return (
            one.least_average_bytes <= was.average_bytes <= one.most_average_bytes
            and (one.least_rtxq_util or 0) - ROUNDING
            <= util
            <= (one.most_rtxq_util or 0) + ROUNDING
        )

    @property
    def within_for_the_same_losses(self) -> bool:
        """The average does so without what chance may do."""
        least = self.said.average_bytes
        return least <= self.was.average_bytes <= least + self.bounds.filled_bytes

    @property
    def was(self) -> Kept:
        """What it was with NR-SACKs."""
        return self.with_nr_sacks.captured.whole


def measured(pair: Pair, folder: Path) -> Measured:
    """Runs both."""
    return Measured(pair, *(_queue(one, folder) for one in (pair.with_sacks, pair.with_nr_sacks)))


def _queue(scenario: Scenario, folder: Path) -> OtherAcknowledgements:
    run = Run(scenario)
    run.run()
    path = folder / f"{scenario.name}.pcap"
    frames = run.taps["sender"].frames(run.start_ns)
    write_pcap(path, scenario.encapsulation.link_type, frames, scenario.tap.snaplen)
    found = sctp_rack.read(path, tables=TABLES).what_if(rack=False, direction="a2b")
    assert found.nr_sack is not None
    return found.nr_sack[0]
