# SPDX-License-Identifier: BSD-2-Clause
"""Whether a tap has no way to tell a retransmission from a chunk that is sent for the first time.

What was lost before the tap and comes in order may as well have been written only then: a pause is
all there is, and applications pause. A sender that counts its packets leaves a gap in its IP-IDs
where one is lost, but a count is often of all that a host sends, and then another flow may have
taken the number. It is known to be the association's own where gaps are seen to be its losses: a
TSN was missing, too. Where one chunk is under way at a time no TSN ever is, and nobody at that tap
can know.
"""

from .encapsulation import Encapsulation
from .run import TAPS, Run, Sent


class FirstTimes:
    """Answers for one run, which must be over and whose taps missed nothing."""

    def __init__(self, run: Run) -> None:
        scenario = run.scenario
        counted = not (scenario.ip_id_zero or scenario.ip_id_random)
        counted &= scenario.encapsulation is not Encapsulation.IP6
        self._look_first: dict[str, set[tuple[int, int]]] = {}
        for tap in TAPS:
            found = _look_first(run, tap)
            own = _losses_shown(run, tap, found) if counted else set()
            self._look_first[tap] = {
                (sent.packet, sent.tsn)
                for sent in run.sent
                if (sent.packet, sent.tsn) in found and sent.side not in own
            }

    def looks_first(self, sent: Sent, tap: str) -> bool:
        """Whether nothing that passed the tap says that a copy of it was sent before."""
        return (sent.packet, sent.tsn) in self._look_first[tap]


def _look_first(run: Run, tap: str) -> set[tuple[int, int]]:
    """Packet and TSN of what is the highest of its direction so far."""
    packet_of = {repeated.packet: repeated.of for repeated in run.repeated}
    chunks: dict[int, list[Sent]] = {}
    for sent in run.sent:
        chunks.setdefault(sent.packet, []).append(sent)
    highest: dict[str, int] = {}
    found = set()
    for seen in run.taps[tap].in_order():
        for sent in chunks.get(packet_of.get(seen.key, seen.key), []):
            last = highest.get(sent.side)
            if last is None or 0 < (sent.tsn - last) % (1 << 32) < 1 << 31:
                highest[sent.side] = sent.tsn
                found.add((sent.packet, sent.tsn))
    return found


def _losses_shown(run: Run, tap: str, look_first: set[tuple[int, int]]) -> set[str]:
    """Sides of which a packet was lost before the tap whose TSN comes below a higher one."""
    passed = {seen.key for seen in run.taps[tap].in_order()}
    lost: set[tuple[str, int]] = set()
    shown = set()
    for sent in run.sent:
        if sent.packet not in passed:
            lost.add((sent.side, sent.tsn))
        elif (sent.side, sent.tsn) in lost and (sent.packet, sent.tsn) not in look_first:
            shown.add(sent.side)
    return shown
