# SPDX-License-Identifier: BSD-2-Clause
"""Whether a tap has a way to tell that the sender sent a chunk again.

What was not in the file before and comes in order may as well have been written only then: a pause
is all there is, and applications pause. It comes in order where nothing higher was sent before it,
as far as the file has it: neither a chunk nor an acknowledgement of one. So it is with what was
lost before the tap, what the tap missed, and what was sent before the file begins.

A sender that counts its packets leaves a gap in its IP-IDs where one is lost, but a count is often
of all that a host sends, and then another flow may have taken the number. It is known to be the
association's own where gaps are seen to be its losses: a TSN was missing, too, and most gaps are
no other flow's. Where one chunk is under way at a time no TSN ever is, and nobody at that tap can
know. Records of DTLS are numbered for the association alone. A gap does not say what was lost:
where the side had an acknowledgement to send it may have been that.

Where a retransmission overtakes a copy before it, only such numbers tell which of the two is which.

The reverse needs no answer: of a chunk that is sent for the first time `original` is right even
where it looks like one that comes again. And what comes below a higher TSN is no late original: the
sender would have sent that chunk again all the same, and the tap would have both.
"""

from itertools import pairwise

from .encapsulation import Encapsulation
from .run import TAPS, Run, Sent
from .wire import acknowledgement_of

Chunk = tuple[int, int]  #: packet and TSN
_HALF = 1 << 31


class FirstTimes:
    """Answers for one run, which must be over."""

    def __init__(self, run: Run) -> None:
        numbered = run.scenario.encapsulation is Encapsulation.DTLS
        counted = numbered or run.scenario.ip_ids_count
        self._hidden: dict[str, set[Chunk]] = {}
        for tap in TAPS:
            seen = _Seen(run, tap)
            first = seen.look_first()
            if numbered:
                own = set("ab")
            elif counted:
                own = {side for side in seen.losses_shown(first) if seen.are_gaps_losses(side)}
            else:
                own = set()
            told = {chunk for chunk in first if seen.side_of[chunk] in own and seen.has_gap(chunk)}
            self._hidden[tap] = (first - told) | (set() if counted else seen.overtaking())

    def is_known_again(self, sent: Sent, tap: str) -> bool:
        """Whether the file says of a retransmission in it that it is one."""
        return (sent.packet, sent.tsn) not in self._hidden[tap]


class _Seen:
    """What a file has, in its order."""

    def __init__(self, run: Run, tap: str) -> None:
        of = {repeated.packet: repeated.of for repeated in run.repeated}
        self._chunks: dict[int, list[Sent]] = {}
        self._copies: dict[tuple[str, int], list[Sent]] = {}
        for sent in run.sent:
            self._chunks.setdefault(sent.packet, []).append(sent)
            self._copies.setdefault((sent.side, sent.tsn), []).append(sent)
        self.side_of = {(sent.packet, sent.tsn): sent.side for sent in run.sent}
        carried = {one.packet: one for one in run.carried}
        self._carried = run.carried
        self._order = [
            carried[of.get(seen.key, seen.key)]
            for seen in run.taps[tap].in_order()
            if seen.copy == 1
        ]
        self._first_place: dict[int, int] = {}
        self._last_place: dict[int, int] = {}
        for place, one in enumerate(self._order):
            self._first_place.setdefault(one.packet, place)
            self._last_place[one.packet] = place

    def look_first(self) -> set[Chunk]:
        """What nothing higher came before."""
        highest: dict[str, int] = {}
        found = set()
        for one in self._order:
            for sent in self._chunks.get(one.packet, []):
                if _is_higher(sent.tsn, highest.get(one.side)):
                    highest[one.side] = sent.tsn
                    found.add((one.packet, sent.tsn))
            if (acknowledgement := acknowledgement_of(one.sctp)) is not None:
                other = "b" if one.side == "a" else "a"
                if _is_higher(acknowledgement.highest, highest.get(other)):
                    highest[other] = acknowledgement.highest
        return found

    def losses_shown(self, look_first: set[Chunk]) -> set[str]:
        """Sides of which a packet is not there whose TSN comes below a higher one."""
        missing: set[tuple[str, int]] = set()
        shown = set()
        for (side, tsn), copies in self._copies.items():
            for sent in copies:
                if sent.packet not in self._first_place:
                    missing.add((side, tsn))
                elif (side, tsn) in missing and (sent.packet, tsn) not in look_first:
                    shown.add(side)
        return shown

    def are_gaps_losses(self, side: str) -> bool:
        """Whether most gaps in its numbers, between its packets that are there, are its losses."""
        own = [one for one in self._carried if one.side == side]
        there = [place for place, one in enumerate(own) if one.packet in self._first_place]
        losses = others = 0
        for before, place in pairwise(there):
            is_loss = place > before + 1
            losses += is_loss
            others += not is_loss and own[place].others > 0
        return losses > others

    def has_gap(self, chunk: Chunk) -> bool:
        """Whether a copy before it is missing between packets of its side that are there, and was
        not an acknowledgement as far as the tap can know."""
        packet, tsn = chunk
        side = self.side_of[chunk]
        earlier = [sent.packet for sent in self._copies[side, tsn] if sent.packet < packet]
        return any(
            missing not in self._first_place and not self._may_acknowledge(side, missing, packet)
            for missing in earlier
        )

    def _may_acknowledge(self, side: str, missing: int, packet: int) -> bool:
        """Whether data that came before the gap ends was not acknowledged before it begins."""
        own = sorted(one.packet for one in self._order if one.side == side)
        before = [one for one in own if one < missing]
        if not before:
            return True  # the file begins behind it
        ends = self._first_place[min(one for one in own if missing < one <= packet)]
        acknowledged = [
            acknowledgement
            for one in self._order[: self._first_place[before[-1]] + 1]
            if one.side == side and (acknowledgement := acknowledgement_of(one.sctp)) is not None
        ]
        return any(
            not acknowledged or not acknowledged[-1].covers(sent.tsn)
            for one in self._order[:ends]
            if one.side != side
            for sent in self._chunks.get(one.packet, [])
        )

    def overtaking(self) -> set[Chunk]:
        """Retransmissions that pass before a copy that was sent before them on the same path."""
        return {
            (later.packet, tsn)
            for (_, tsn), copies in self._copies.items()
            for later in copies
            if later.packet in self._first_place
            and any(
                self._first_place[later.packet] < self._last_place.get(sent.packet, -1)
                for sent in copies[: later.copy - 1]
                if sent.ends == later.ends
            )
        }


def _is_higher(tsn: int, highest: int | None) -> bool:
    return highest is None or 0 < (tsn - highest) % (1 << 32) < _HALF
