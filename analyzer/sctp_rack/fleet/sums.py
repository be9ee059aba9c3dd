# SPDX-License-Identifier: BSD-2-Clause
"""What a capture comes to in a row of `captures`: what is asked most often takes no longer where
more was sent, as no row of another table is read for it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_WORD, Batch
from sctp_rack.binding.words import words_of
from sctp_rack.fleet.recoveries import Recovery
from sctp_rack.names import CountWhat, Kind, Outcome, ProbeOutcome, Verdict

#: Tables that it takes.
TABLES = ("counts", "probes")

#: What the capture or the network repeats was not sent.
_REPEATED = (Kind.CAPTURE_DUPLICATE, Kind.NETWORK_DUPLICATE)


class Sums:
    """Takes batches of `TABLES`, then gives the figures, which have the names of their columns."""

    def __init__(self) -> None:
        #: By the word of an enum, and of probes by their outcome.
        self._sent = Counter[tuple[str, str]]()
        self._probes = Counter[str | None]()

    def add(self, batch: Batch) -> None:
        sent, probes = batch.tables["counts"], batch.tables["probes"]
        for code, count in _each(
            sent["what"].astype(np.int64) * 256 + sent["word"], sent["transmissions"]
        ):
            what = words_of("count_what")[code // 256]
            self._sent[what, words_of(what)[code % 256]] += count
        for code, count in _each(probes["outcome"], np.ones(len(probes))):
            word = None if code == NO_WORD else words_of("probe_outcome")[code]
            self._probes[word] += count

    def figures(self, recoveries: Sequence[Recovery]) -> dict[str, Any]:
        """When all were added."""
        lengths = (
            one.end_ns - one.begin_ns
            for one in recoveries
            if one.begin_ns is not None and one.end_ns is not None
        )
        unjudged = self._probes[None] + self._probes[ProbeOutcome.UNRESOLVED]
        return {
            "chunks": sum(
                count
                for (what, word), count in self._sent.items()
                if what == CountWhat.KIND and word not in _REPEATED
            ),
            "retransmissions": self._sent[CountWhat.KIND, Kind.RETRANSMISSION],
            **{word.value: self._sent[CountWhat.VERDICT, word] for word in Verdict},
            "lost": self._sent[CountWhat.OUTCOME, Outcome.LOST],
            "recoveries": len(recoveries),
            "by_timeout": sum(one.by_timeout for one in recoveries),
            "recovery_s": sum(lengths) / 1e9,
            "probes": self._probes.total(),
            "spurious_probes": self._probes[ProbeOutcome.SPURIOUS],
            "probes_judged": self._probes.total() - unjudged,
        }


def _each(codes: npt.NDArray[Any], counts: npt.NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Codes, and the sum of their counts."""
    sums = np.bincount(codes, counts)
    return ((int(code), int(sums[code])) for code in np.flatnonzero(sums))
