# SPDX-License-Identifier: BSD-2-Clause
"""What all associations of a capture come to together, where they are too many to be told."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sctp_rack.causes import NOUN
from sctp_rack.counted import many
from sctp_rack.ends import ended_text, started_text
from sctp_rack.names import Cause, Kind
from sctp_rack.recovery_lines import VERDICT
from sctp_rack.summary import Association


def sums(associations: Sequence[Association]) -> Iterator[tuple[str, str]]:
    """Label and text of each line."""
    sides = [side for one in associations for side in (one.a, one.b)]
    datas = [side.data for side in sides if side.data]
    recoveries = [side.recovery for side in sides if side.recovery]
    started = Counter(map(started_text, associations))
    ended = Counter(map(ended_text, associations))
    yield "", f"{_counted(started)}; {_counted(ended)}"
    chunks = sum(one.chunks for one in datas)
    tsns, acked = sum(one.tsns for one in datas), sum(one.acked for one in datas)
    yield "sent", f"{many(chunks, 'chunk')}, {many(sum(one.bytes for one in datas), 'byte')}"
    yield "", f"{many(tsns, 'different TSN')}, {acked:,} acknowledged"
    if lost := sum(one.lost for one in recoveries):
        yield "lost", f"{lost:,} of {many(chunks, 'transmission')} ({100 * lost / chunks:.1f} %)"
    again = sum(one.kinds.get(Kind.RETRANSMISSION, 0) for one in datas)
    if again and recoveries:
        causes = _added(one.causes for one in recoveries)
        named = {NOUN[Cause(cause)]: count for cause, count in causes.most_common()}
        yield "sent again", f"{again:,}: {_counted(named)}"
        verdicts = _added(
            {verdict: sum(classes.values()) for verdict, classes in one.verdicts.items()}
            for one in recoveries
        )
        yield "", _counted({word: verdicts[verdict.value] for verdict, word in VERDICT.items()})


def _added(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total = Counter[str]()
    for one in counts:
        total.update(one)
    return total


def _counted(counts: Mapping[str, int]) -> str:
    """Most first."""
    most_first = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{count:,} {what}" for what, count in most_first if count)
