# SPDX-License-Identifier: BSD-2-Clause
"""What the rows of all directions add up to while they come, in little room for those with few.

Sums stand in arrays by the number of the direction; only what is sent again, or stands still, has
objects of its own. A `Tally` is made of them when it is asked for.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_ASSOCIATION, NO_TIME, NO_WORD, PATH, Batch, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.columns.table import Row
from sctp_rack.names import Answer, CountWhat, Kind, Outcome, Resolution
from sctp_rack.recovery.by_number import Few, joined
from sctp_rack.recovery.delivery import Served
from sctp_rack.recovery.direction import Tally
from sctp_rack.recovery.first_losses import DUPLICATES
from sctp_rack.recovery.retransmissions import Resends
from sctp_rack.recovery.round_trips import RoundTrips
from sctp_rack.recovery.stalls import Stall, Stalls
from sctp_rack.recovery.stalls_of import StallsOf
from sctp_rack.recovery.times import Times

_KINDS, _OUTCOMES, _STATES = (words_of(enum) for enum in ("kind", "outcome", "message_state"))
_TAGS = words_of("rtt_tag")
_AGAIN = _KINDS.index(Kind.RETRANSMISSION)

#: Of each direction; no table has more rows than 32 bits count.
_SUMS = np.dtype(
    [
        ("kinds", "u4", len(_KINDS)),
        ("outcomes", "u4", len(_OUTCOMES)),
        ("lost_tsns", "u4"),
        ("marks", "u4"),
        ("false_marks", "u4"),
        ("messages", "u4", len(_STATES)),
    ]
)

_NOTHING = np.zeros((), _SUMS)

#: Directions of which tallies are made together.
_TOGETHER = 256

#: Of a direction in which nothing was sent again.
_NEVER_AGAIN = Resends(0, 0)

Places = npt.NDArray[np.int64]


def followed(rows: Rows) -> Rows:
    """Those of an association within the limit."""
    there = rows["assoc"] != NO_ASSOCIATION
    return rows if there.all() else rows[there]


def places_of(rows: Rows) -> Places:
    """The number of each row's direction: twice that of its association, 1 more for b to a."""
    places: Places = rows["assoc"].astype(np.int64) << 1 | rows["from"]
    return places


class Tallies:
    """By the number of the direction."""

    def __init__(self, *, all_told: bool = True) -> None:
        self._sums = Few(_SUMS)
        #: By direction and tag: all, and those that are told of.
        self._rtts = Times()
        self._told_rtts = self._rtts if all_told else Times()
        self._latencies = Times()
        self._paths = np.zeros(0, LAYOUTS["paths"].dtype)
        self._more_paths: list[Rows] = []
        self._path_names = np.zeros(0, PATH)
        self._resends: dict[int, Resends] = {}
        self._stalls = StallsOf()

    def add_paths(self, batch: Batch) -> None:
        """Rows of `paths`."""
        if len(rows := followed(batch.tables["paths"])):
            self._more_paths.append(rows)
        self._path_names = batch.paths

    def count(self, rows: Rows) -> None:
        """Rows of `counts`."""
        rows = followed(rows)
        places, sums = self._room(rows)
        what, word = rows["what"], rows["word"]
        for name, count in (("kinds", CountWhat.KIND), ("outcomes", CountWhat.OUTCOME)):
            of = what == words_of("count_what").index(count)
            sums[name][places[of], word[of]] = rows["transmissions"][of]
        lost = of & (word == _OUTCOMES.index(Outcome.LOST))
        sums["lost_tsns"][places[lost]] = rows["tsns"][lost]

    def count_each(self, rows: Rows, first_lost: npt.NDArray[np.bool_]) -> None:
        """Rows of `transmissions`; of each whether it is the first of its TSN that was lost.

        As the core makes `counts` of all: what nobody sent has a kind alone.
        """
        places, sums = self._room(rows)
        np.add.at(sums["kinds"], (places, rows["kind"]), 1)
        fated = ~np.isin(rows["kind"], DUPLICATES) & (rows["outcome"] != NO_WORD)
        np.add.at(sums["outcomes"], (places[fated], rows["outcome"][fated]), 1)
        np.add.at(sums["lost_tsns"], places[first_lost], 1)

    def sample(self, rows: Rows, told: npt.NDArray[np.bool_]) -> None:
        """Rows of `rtt_samples`, and which of them are told of."""
        self._sample(self._rtts, rows)
        if self._told_rtts is not self._rtts:
            self._sample(self._told_rtts, rows[told])

    @staticmethod
    def _sample(times: Times, rows: Rows) -> None:
        rows = followed(rows)
        times.add(places_of(rows) * len(_TAGS) + rows["tag"], rows["rtt_ns"])

    def mark(self, rows: Rows) -> None:
        """Rows of `rack_marks` of RACK-TLP."""
        rows = followed(rows)
        places, sums = self._room(rows)
        false = rows["resolution"] == words_of("resolution").index(Resolution.FALSE_MARK)
        np.add.at(sums["marks"], places, 1)
        np.add.at(sums["false_marks"], places[false], 1)

    def deliver(self, rows: Rows) -> None:
        """Rows of `messages`."""
        rows = followed(rows)
        places, sums = self._room(rows)
        np.add.at(sums["messages"], (places, rows["state"]), 1)
        known = rows["latency_ns"] != NO_TIME
        self._latencies.add(places_of(rows)[known], rows["latency_ns"][known])

    def begin(self, stalls: Sequence[tuple[int, Stall]]) -> None:
        """What stood still, by direction: a stall where that is long for its round trip."""
        ended = [one for one in stalls if one[1].end_ns is not None]
        long_: set[int] = set()
        for at in range(0, len(ended), _TOGETHER):
            some = ended[at : at + _TOGETHER]
            tallies = self.of({place for place, _ in some})
            long_ |= {
                id(stall) for place, stall in some if stall.length_ns > tallies[place].stall_ns
            }
        self._stalls.begin([one for one in stalls if one[1].end_ns is None or id(one[1]) in long_])

    def stalls(self, place: int) -> Stalls | None:
        """Those of a direction, to add to; None without."""
        return self._stalls.to_change(place)

    def resends(self, places: Iterable[int]) -> dict[int, Resends]:
        """Those of some directions, to add rows to; all other tables are added before."""
        places = list(places)
        new = self.of([place for place in places if place not in self._resends])
        self._resends.update((place, tally.resends) for place, tally in new.items())
        return {place: self._resends[place] for place in places}

    def end(self) -> None:
        """No more rows come."""
        for resends in self._resends.values():
            resends.end()

    def with_data(self, first: int = 0, beyond: int | None = None) -> list[int]:
        """Directions, of these numbers, of which the fates of transmissions are known."""
        known = self._sums.known(first, beyond)
        there = self._sums.records["outcomes"][self._sums.to_change(known)].any(axis=1)
        places: list[int] = known[there].tolist()
        return places

    def sent_again(self) -> set[int]:
        """Directions in which something was."""
        known = self._sums.known(0, None)
        again = self._sums.records["kinds"][self._sums.to_change(known), _AGAIN] > 0
        return {*known[again].tolist(), *self._resends}

    def stood_still(self) -> set[int]:
        """Directions that may have a stall."""
        return self._stalls.places()

    def with_findings(self) -> list[int]:
        """Directions with data of which a finding may tell: on what was sent again, or that the
        receiver reports no duplicates."""
        self._sort_paths()
        no = self._paths["dup_capable"] == words_of("answer").index(Answer.NO)
        some = self._resends.keys() | set(places_of(self._paths[no]).tolist())
        return [place for place in self.with_data() if place in some]

    def ended(self, places: Iterable[int], *, forget: bool = False) -> dict[int, Tally]:
        """Of some directions, when all rows were added.

        To `forget` them is to keep no retransmissions of theirs: they are asked for no more.
        """
        tallies = self.of(places)
        take = self._resends.pop if forget else self._resends.get
        for place, tally in tallies.items():
            tally.resends = take(place, _NEVER_AGAIN)
        return tallies

    def of(self, places: Iterable[int]) -> dict[int, Tally]:
        """Of some directions, without what was sent again; many at once cost less."""
        paths = self._paths_of(sorted(places))
        return {place: self._tally(place, rows) for place, rows in paths.items()}

    def _tally(self, place: int, paths: list[Row]) -> Tally:
        sums = self._sums.of(place)
        sums = _NOTHING if sums is None else sums
        tags, first = len(_TAGS), place * len(_TAGS)
        known, told = (
            {_TAGS[key % tags]: some for key, some in of.between(first, first + tags).items()}
            for of in (self._rtts, self._told_rtts)
        )
        served = Served(
            _by_word(_STATES, sums["messages"]),
            self._latencies.between(place, place + 1).get(place) or RoundTrips(),
            self._stalls.of(place),
        )
        return Tally(
            paths=paths,
            kinds=_by_word(_KINDS, sums["kinds"]),
            outcomes=_by_word(_OUTCOMES, sums["outcomes"]),
            lost_tsns=int(sums["lost_tsns"]),
            rtts=known,
            told_rtts=told,
            marks=int(sums["marks"]),
            false_marks=int(sums["false_marks"]),
            served=served,
        )

    def _paths_of(self, places: Sequence[int]) -> dict[int, list[Row]]:
        """The rows of `paths` of each of some directions, which are sorted."""
        self._sort_paths()
        found: dict[int, list[Row]] = {place: [] for place in places}
        if len(self._paths) and places:
            every = places_of(self._paths)
            first, last = np.searchsorted(every, [places[0], places[-1] + 1]).tolist()
            wanted = np.isin(every[first:last], places)
            rows, of = self._paths[first:last][wanted], every[first:last][wanted].tolist()
            batch = Batch({"paths": rows}, np.zeros(0, np.uint32), b"", self._path_names)
            columns = columns_of("paths", batch)
            for place, *values in zip(of, *columns.values(), strict=True):
                found[place].append(dict(zip(columns, values, strict=True)))
        return found

    def _sort_paths(self) -> None:
        if self._more_paths:
            self._more_paths.insert(0, self._paths)
            self._paths = rows = joined(self._more_paths)
            places = places_of(rows)
            in_order = (places[1:] >= places[:-1]).all()
            self._paths = rows if in_order else rows[np.argsort(places, kind="stable")]

    def _room(self, rows: Rows) -> tuple[Places, Any]:
        """Where to add to for each row, and in what."""
        places = self._sums.to_change(places_of(rows))
        return places, self._sums.records


def _by_word(words: Sequence[str], counts: npt.NDArray[np.uint32]) -> dict[str, int]:
    return {word: count for word, count in zip(words, counts.tolist(), strict=True) if count}
