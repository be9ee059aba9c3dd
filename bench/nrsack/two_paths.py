# SPDX-License-Identifier: BSD-2-Clause
"""What our engine says of a capture with two paths in use at once, against what the stack and the
link know: what is under way on each path, why chunks were sent again, DAC counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sctp_rack.association import Direction

from bench.nrsack.flight import FlightRun, apart, changes_of, copies
from bench.nrsack.measured import captured
from bench.nrsack.paper import Case
from sample_pcaps.generate.run import Carried, Sent
from sample_pcaps.generate.scenario import SECOND
from sample_pcaps.generate.wire import acknowledgement_of, data_of

_DAC_SHIFT = 6  #: of the flags of a SACK: how many packets it answers
_FLAGS_AT = 13  #: in a packet, of the first chunk


@dataclass(frozen=True)
class TwoPaths:
    """Of one run, from its first data on."""

    load: str
    acks: str
    seed: int
    #: The part of the time in which our tables have as many chunks under way on a path as usrsctp,
    #: and how many it has.
    same_first: float
    same_second: float
    chunks_first: float
    chunks_second: float
    #: Retransmissions, and verdicts on them that are right, and wrong; others are `undetermined`.
    resent: int
    verdicts_right: int
    verdicts_wrong: int
    #: The same of causes; others are `unknown`.
    causes_right: int
    causes_wrong: int
    #: Packets with data that the receiver got until the last SACK that the sender has, and how many
    #: of them DAC counts tell: those of our table, and of SACKs that were lost.
    came: int
    counted: int
    #: SACKs that came behind a later one because they took the longer path, or on their own.
    stale: int
    reordered: int


def two_paths(case: Case, seed: int, *, nr_sack: bool) -> TwoPaths:
    """Runs it."""
    run = FlightRun(case.scenario(seed, nr_sack=nr_sack), case.greedy)
    run.run()
    capture = captured(run)
    direction = capture.associations[0].a2b
    changes = changes_of(copies(direction, run.start_ns))
    told = apart(changes, run.changes, case.end * SECOND)
    ways = zip(run.addresses["a"], run.addresses["b"], strict=True)
    first, second = (told[f"{source}>{destination}"] for source, destination in ways)
    verdicts, causes = judged(run.sent, direction)
    came, missed = packets_to_count(
        run.carried, max(direction.sacks["time_ns"].tolist()) - run.start_ns
    )
    flow = capture.summary.associations[0].a.flow
    assert flow is not None
    return TwoPaths(
        load=case.load.name,
        acks="NR-SACK" if nr_sack else "SACK",
        seed=seed,
        same_first=first[0],
        same_second=second[0],
        chunks_first=first[1],
        chunks_second=second[1],
        resent=len(verdicts),
        verdicts_right=sum(said == true for said, true in verdicts),
        verdicts_wrong=sum(said not in (true, "undetermined") for said, true in verdicts),
        causes_right=sum(said == true for said, true in causes),
        causes_wrong=sum(said not in (true, "unknown") for said, true in causes),
        came=came,
        counted=missed + sum(flags >> _DAC_SHIFT for flags in direction.sacks["flags"].tolist()),
        stale=sum(direction.sacks["stale"].tolist()),
        reordered=flow.stale_sacks,
    )


def judged(
    sent: Iterable[Sent], direction: Direction
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Of each retransmission what is said of it and what is true: verdicts, causes."""
    names = ("tsn", "copy", "verdict", "cause")
    rows = zip(*(direction.transmissions[name].tolist() for name in names), strict=True)
    said = {(tsn, copy): (str(verdict), str(cause)) for tsn, copy, verdict, cause in rows}
    arrived: set[int] = set()
    verdicts, causes = [], []
    for one in sent:
        if one.side != "a":
            continue
        if one.copy > 1:
            verdict, cause = said[one.tsn, one.copy]
            verdicts.append((verdict, "spurious" if one.tsn in arrived else "needed"))
            causes.append((cause, str(one.cause)))
        if one.arrive_ns is not None:
            arrived.add(one.tsn)
    return verdicts, causes


def packets_to_count(carried: Sequence[Carried], until_ns: int) -> tuple[int, int]:
    """Packets with data that came until the last SACK left that is back `until_ns`, and how many of
    them the SACKs count that are not."""
    sacks = [one for one in carried if one.side == "b" and acknowledgement_of(one.sctp) is not None]
    is_back = [one.passage.end_ns is not None and one.passage.end_ns <= until_ns for one in sacks]
    last_ns = max(one.time_ns for one, back in zip(sacks, is_back, strict=True) if back)
    came = sum(
        one.side == "a"
        and one.passage.end_ns is not None
        and one.passage.end_ns <= last_ns
        and bool(data_of(one.sctp))
        for one in carried
    )
    missed = sum(
        one.sctp[_FLAGS_AT] >> _DAC_SHIFT
        for one, back in zip(sacks, is_back, strict=True)
        if not back and one.time_ns <= last_ns
    )
    return came, missed
