# SPDX-License-Identifier: BSD-2-Clause
"""What all associations of a capture come to together, where they are too many to be told."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from sctp_rack.names import Cause, Ended, Kind, Started
from sctp_rack.summary.crowd import Crowd
from sctp_rack.summary.direction_lines import VERDICT
from sctp_rack.summary.summary import Association
from sctp_rack.wording.causes import NOUN
from sctp_rack.wording.counted import many
from sctp_rack.wording.ends import ended_text, started_text


def sums(associations: Iterable[Association]) -> Iterator[tuple[str, str]]:
    """Label and text of each line."""
    total = Sums(Crowd())
    for one in associations:
        total.add(one)
    return total.lines()


class Sums:
    """Of a crowd, and of all other associations, which are added."""

    def __init__(self, crowd: Crowd) -> None:
        started = {word.value: crowd.started.get(word, 0) for word in Started}
        ended = {word.value: crowd.ended.get(word, 0) for word in Ended}
        self._started, self._ended = Counter[str](started), Counter[str](ended)
        #: Chunks, bytes, different TSNs, and those that were acknowledged, sent again and lost.
        self._chunks, self._bytes = crowd.chunks, crowd.bytes
        self._tsns, self._acked = crowd.tsns, crowd.acked
        self._again = self._lost = 0
        self._causes, self._verdicts = Counter[str](), Counter[str]()
        self._recovered = False

    def add(self, association: Association) -> None:
        """One more."""
        self._started[association.how_started] += 1
        self._ended[association.how_ended] += 1
        for side in (association.a, association.b):
            if data := side.data:
                self._chunks += data.chunks
                self._bytes += data.bytes
                self._tsns += data.tsns
                self._acked += data.acked
                self._again += data.kinds.get(Kind.RETRANSMISSION, 0)
            if recovery := side.recovery:
                self._recovered = True
                self._lost += recovery.lost
                self._causes.update(recovery.causes)
                for verdict, classes in recovery.verdicts.items():
                    self._verdicts[verdict] += sum(classes.values())

    def lines(self) -> Iterator[tuple[str, str]]:
        """Label and text of each."""
        started = {started_text(word): count for word, count in self._started.items()}
        ended = {ended_text(word): count for word, count in self._ended.items()}
        yield "", f"{_counted(started)}; {_counted(ended)}"
        yield "sent", f"{many(self._chunks, 'chunk')}, {many(self._bytes, 'byte')}"
        yield "", f"{many(self._tsns, 'different TSN')}, {self._acked:,} acknowledged"
        if self._lost:
            share = 100 * self._lost / self._chunks
            yield "lost", f"{self._lost:,} of {many(self._chunks, 'transmission')} ({share:.1f} %)"
        if self._again and self._recovered:
            causes = self._causes.most_common()
            named = {NOUN[Cause(cause)]: count for cause, count in causes}
            yield "sent again", f"{self._again:,}: {_counted(named)}"
            verdicts = {word: self._verdicts[verdict] for verdict, word in VERDICT.items()}
            yield "", _counted(verdicts)


def _counted(counts: Mapping[str, int]) -> str:
    """Most first."""
    most_first = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{count:,} {what}" for what, count in most_first if count)
