# SPDX-License-Identifier: BSD-2-Clause
"""How much of the time of a run the table `limits` is right, at each tap."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import sctp_rack
from sctp_rack.names import Limit

from bench.limits.observed import ObservedRun
from bench.limits.truth import Stretch, truth_of
from sample_pcaps.generate.capture_file import write_pcap
from sample_pcaps.generate.run import TAPS
from sample_pcaps.generate.scenario import Scenario


@dataclass(frozen=True)
class Score:
    """Nanoseconds of a run at one tap by (what is true, what is said)."""

    tap: str
    times: Counter[tuple[Limit, Limit]]

    @property
    def right(self) -> float:
        """Share of the time."""
        all_ns = sum(self.times.values())
        return sum(ns for (true, said), ns in self.times.items() if true is said) / all_ns

    @property
    def unknown(self) -> float:
        """Share of the time of which nothing is said."""
        all_ns = sum(self.times.values())
        return sum(ns for (_, said), ns in self.times.items() if said is Limit.UNKNOWN) / all_ns

    @property
    def wrong(self) -> float:
        """Share of the time of which something else is said."""
        return 1 - self.right - self.unknown


def scores_of(scenario: Scenario, folder: Path) -> tuple[list[Stretch], list[Score]]:
    """What is true of a run, and the score at each tap."""
    run = ObservedRun(scenario)
    run.run()
    truth = truth_of(run)
    return truth, [_score(run, truth, tap, folder) for tap in TAPS]


def _score(run: ObservedRun, truth: list[Stretch], tap: str, folder: Path) -> Score:
    path = folder / f"{run.scenario.name}.{tap}.pcap"
    frames = run.taps[tap].frames(run.start_ns)
    write_pcap(path, run.scenario.encapsulation.link_type, frames, run.scenario.tap.snaplen)
    capture = sctp_rack.read(path, tables=["limits"])
    name = "a2b" if run.scenario.main == "a" else "b2a"
    said = [
        Stretch(row["begin_ns"], row["end_ns"], Limit(row["limit"]))
        for row in capture.table("limits")
        if row["dir"] == name
    ]
    # On the tap's clock what the sender does is as much later as its first packet.
    later_ns = said[0].begin_ns - truth[0].begin_ns if said else 0
    return Score(tap, _overlaps(truth, said, later_ns))


def _overlaps(
    truth: list[Stretch], said: list[Stretch], later_ns: int
) -> Counter[tuple[Limit, Limit]]:
    times: Counter[tuple[Limit, Limit]] = Counter()
    at = 0
    for true in truth:
        told_ns = 0
        while at < len(said) and said[at].end_ns - later_ns <= true.begin_ns:
            at += 1
        for one in said[at:]:
            if one.begin_ns - later_ns >= true.end_ns:
                break
            begin_ns = max(true.begin_ns, one.begin_ns - later_ns)
            within_ns = min(true.end_ns, one.end_ns - later_ns) - begin_ns
            times[true.limit, one.limit] += within_ns
            told_ns += within_ns
        if told_ns < true.end_ns - true.begin_ns:
            times[true.limit, Limit.UNKNOWN] += true.end_ns - true.begin_ns - told_ns
    return times
