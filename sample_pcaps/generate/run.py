# SPDX-License-Identifier: BSD-2-Clause
"""Runs a scenario: two hosts, the link between them, applications, and taps that see it all."""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from .aiortc.sender import AiortcSender
from .build import command
from .cause import Sender
from .dice import Dice
from .encapsulation import Addresses, Encapsulation, frame
from .host import Host, Report
from .link import MS, Carrier, Link, Passage, Path, Ways
from .linux.sender import LinuxSender
from .loss import Passenger
from .node.sender import NpmSctpSender, WeriftSender
from .scenario import SECOND, Scenario, Stack
from .tap import Tap
from .webrtc_rs.sender import WebrtcRsSender
from .wire import Data, acknowledgement_of, data_of, given_up_by
from .workload import Message

TAPS = ("sender", "middle", "receiver")
_LINGER_NS = 600 * MS  #: from the last delivery to the shutdown: what is late still comes
_CLOSING_NS = 10 * SECOND
_LONGEST_NS = 600 * SECOND
_SENDERS: dict[Stack, type[Sender]] = {
    Stack.LINUX: LinuxSender,
    Stack.AIORTC: AiortcSender,
    Stack.WEBRTC_RS: WebrtcRsSender,
    Stack.NPM_SCTP: NpmSctpSender,
    Stack.WERIFT: WeriftSender,
}
DTLS_PORTS = {"a": 40_000, "b": 40_001}


@dataclass
class Sent:
    """A DATA chunk, each time that its sender put it on the wire."""

    side: str
    packet: int  #: number of its packet, the key at the taps
    tsn: int
    copy: int
    user_bytes: int
    time_ns: int  #: at its sender's tap
    ends: Addresses
    cause: str | None
    stack_said: str | None
    passed_middle: bool = False
    arrive_ns: int | None = None  #: at the other host's tap
    lost: bool = False
    why: str = ""
    accepted: bool | None = None  #: by the receiver's SCTP; None: never got there
    accepted_again: bool | None = None  #: the same of the network's repetition of it


@dataclass
class Repeated:
    """A packet that the network repeated."""

    packet: int  #: number of the repetition, the key at the taps
    of: int  #: number of the packet


@dataclass(frozen=True)
class Carried:
    """A packet as its sender's tap saw it, and how it fared."""

    side: str
    packet: int  #: number of the packet, the key at the taps
    time_ns: int
    sctp: bytes
    passage: Passage
    others: int = 0  #: packets of other flows that its host has counted since the one before


@dataclass(frozen=True)
class _Seen:
    """Of a packet what taps see around its SCTP."""

    side: str  #: that sent it
    ends: Addresses
    ip_id: int
    record: bytes | None  #: of DTLS, in which it is


@dataclass
class _Side:
    host: Host
    link: Carrier  #: away from here
    sender: Sender = field(default_factory=Sender)
    events: list[tuple[int, int, Callable[[], None]]] = field(default_factory=list)
    first_tsn: int | None = None
    copies: dict[int, int] = field(default_factory=dict)
    received: set[int] = field(default_factory=set)  #: TSNs that its SCTP accepted
    skipped_to: int | None = None  #: by the other's FORWARD-TSN
    last_in_ns: int = 0
    last_out_ns: int = 0
    up: bool = False
    down: bool = False
    to_send: int = 0
    messages_received: int = 0

    def skips(self, tsn: int) -> bool:
        """Whether a FORWARD-TSN gave it up, or one above it."""
        return self.skipped_to is not None and (self.skipped_to - tsn) % 2**32 < 2**31


class Run:
    """One run; afterwards `sent`, `repeated`, `taps` and `senders` tell what happened."""

    def __init__(
        self,
        scenario: Scenario,
        links: dict[str, Carrier] | None = None,
        then: "Run | None" = None,
    ) -> None:
        """`links`, by the host that sends, in place of those of the scenario; `then`: the run of
        which this is a twin: it has the same dice, and the application closes the association
        when it did then, in place of a while after the last delivery."""
        self.scenario = scenario
        self.sent: list[Sent] = []
        self.carried: list[Carried] = []
        self.repeated: list[Repeated] = []
        random = Random(scenario.seed)
        start_s = 1_767_225_600 + random.randrange(200 * 86_400)  # in 2026
        self.start_ns = start_s * SECOND + random.randrange(SECOND)
        self.addresses = self._choose_addresses(random)
        self._ip_id = {side: random.randrange(65_536) for side in "ab"}
        self._other_flows = Random(f"other flows {scenario.seed}")
        self.dice: Dice = Dice(Random(scenario.seed + 1), then.dice if then else None)
        self.taps: dict[str, Tap] = {
            name: Tap(
                scenario.tap,
                scenario.clock_offset_ns.get(name, 0),
                Dice(Random(f"{name} {scenario.seed}"), then.taps[name].dice if then else None),
            )
            for name in TAPS
        }
        links = links or {
            side: Ways(
                [
                    Link(path, middle, Random(scenario.seed + seed + 2 * way))
                    for way, path in enumerate(scenario.ways[side])
                ]
                + [Link(Path(scenario.ways[side][0].delay_ns), middle, Random(scenario.seed))]
            )
            for side, middle, seed in (("a", scenario.middle, 2), ("b", 1 - scenario.middle, 3))
        }
        self._sides = {
            name: _Side(
                Host(command(scenario, name, self.addresses[name], self.addresses[other])),
                links[name],
                _SENDERS.get(scenario.stack_of(name), Sender)(),
            )
            for name, other in ("ab", "ba")
        }
        self._packets = 0
        self._order = 0
        self._last_delivery_ns = 0
        self._close_ns = then.closing_ns if then else None
        self.closing_ns: int | None = None
        self.keys: list[str] = []  #: lines of a key log
        self.counters: dict[str, dict[str, int]] = {"a": {}, "b": {}}  #: what each stack counted
        for message in scenario.messages:
            self._sides[message.side].to_send += 1
        self._thinks_ns: Iterator[int] = iter(())
        if scenario.dialogue is not None:
            self._thinks_ns = iter(scenario.dialogue.thinks_ns)
            for side in self._sides.values():
                side.to_send += len(scenario.dialogue.thinks_ns)

    def run(self) -> None:
        """From the handshake to the shutdown."""
        try:
            for name in "ba":  # b listens first
                self._take(name, self._sides[name].host.ask("open"))
            paths = [path for ways in self.scenario.ways.values() for path in ways]
            step = min(path.least_delay_ns() for path in paths)
            now = 0
            while not self.is_over(now):
                now += step  # no packet that leaves from now on arrives before
                for name in "ab":
                    self._advance(name, now)
                self._close_when_done(now)
        finally:
            for name, side in self._sides.items():
                self._take(name, side.host.close())

    def begin_hosts_again(self) -> None:
        """With programs of their own, where those are that began before."""
        for side in self._sides.values():
            side.host = side.host.again()

    @property
    def senders(self) -> dict[str, Sender]:
        """The marks of each host."""
        return {name: side.sender for name, side in self._sides.items()}

    def tap_of(self, side: str) -> str:
        """The tap at a host."""
        return "sender" if side == self.scenario.main else "receiver"

    def _advance(self, name: str, to_ns: int) -> None:
        side = self._sides[name]
        while True:
            due_ns = side.events[0][0] if side.events else to_ns + 1
            if due_ns <= side.host.now_ns:
                heapq.heappop(side.events)[2]()
            elif side.host.now_ns < to_ns:
                self._take(name, side.host.ask(f"run {min(to_ns, due_ns)}"))
            else:
                return

    def _at(self, name: str, time_ns: int, action: Callable[[], None]) -> None:
        self._order += 1
        heapq.heappush(self._sides[name].events, (time_ns, self._order, action))

    def _tell(self, name: str, command: str) -> None:
        self._take(name, self._sides[name].host.ask(command))

    def _take(self, name: str, reports: list[Report]) -> None:
        side = self._sides[name]
        side.sender.begin_event()
        for report in reports:
            match report.word, *report.arguments:
                case "packet", packet, *ends:
                    self._leave(name, report.time_ns, bytes.fromhex(packet), self._ends(name, ends))
                case "record", record, *inside:
                    sctp = bytes.fromhex("".join(inside))
                    way = self._ends(name, [])
                    self._leave(name, report.time_ns, sctp, way, bytes.fromhex(record))
                case "keys", *words:
                    if " ".join(words) not in self.keys:  # both hosts tell them
                        self.keys.append(" ".join(words))
                case "mark", word, tsn:
                    side.sender.mark(report.time_ns, word, int(tsn))
                case "timeout", _:
                    side.sender.time_out(report.time_ns)
                case ("timer",):
                    side.sender.time_out_again(report.time_ns)
                case "resend", how, tsn:
                    side.sender.resend(int(tsn), how)
                case "queued", tsn:
                    side.sender.queue(report.time_ns, int(tsn))
                case "renege", tsn:
                    self._withdraw(name, int(tsn))
                case ("up",):
                    self._begin(name)
                case ("down",):
                    side.down = True
                case "message", _:
                    self._receive(name)
                case "counter", counter, value:
                    self.counters[name][counter] = int(value)

    def _begin(self, name: str) -> None:
        side = self._sides[name]
        side.up, now = True, side.host.now_ns
        for message in self.scenario.messages:
            if message.side == name:
                self._send_at(name, now + message.at_ns, message.command())
        for pause in self.scenario.pauses:
            if pause.side == name:
                self._at(name, now + pause.from_ns, lambda: self._tell(name, "read 0"))
                self._at(name, now + pause.to_ns, lambda: self._tell(name, "read 1"))
        if name == "a":
            self._think()

    def _think(self) -> None:
        """Before the next request of a dialogue, if there is one."""
        dialogue = self.scenario.dialogue
        if dialogue is not None and (thinks_ns := next(self._thinks_ns, None)) is not None:
            at_ns = self._sides["a"].host.now_ns + thinks_ns
            self._send_at("a", at_ns, Message("a", 0, dialogue.request).command())

    def _send_at(self, name: str, time_ns: int, command: str) -> None:
        def send() -> None:
            self._sides[name].to_send -= 1
            self._last_delivery_ns = max(self._last_delivery_ns, self._sides[name].host.now_ns)
            self._tell(name, command)

        self._at(name, time_ns, send)

    def _receive(self, name: str) -> None:
        side, answer = self._sides[name], self.scenario.answer
        side.messages_received += 1
        self._last_delivery_ns = max(self._last_delivery_ns, side.host.now_ns)
        if answer is not None and answer.side == name:
            for _ in range(answer.count):
                side.to_send += 1
                self._send_at(name, side.host.now_ns, f"send 0 {answer.size} 0 -1 -1")
        dialogue = self.scenario.dialogue
        if dialogue is not None and name == "b":
            at_ns = side.host.now_ns + dialogue.serves_ns
            self._send_at(name, at_ns, Message("b", 0, dialogue.response).command())
        elif dialogue is not None:
            self._think()

    def _ends(self, name: str, said: list[str]) -> Addresses:
        """From where to where a packet goes; a host with one address does not say it."""
        other = "b" if name == "a" else "a"
        source, destination = said or (self.addresses[name][0], self.addresses[other][0])
        if self.scenario.encapsulation is Encapsulation.DTLS:
            return Addresses(source, destination, (DTLS_PORTS[name], DTLS_PORTS[other]))
        return Addresses(source, destination)

    def _leave(
        self,
        name: str,
        time_ns: int,
        packet: bytes,
        ends: Addresses,
        record: bytes | None = None,
    ) -> None:
        """A stack sends: the packet passes the tap at its host and enters the link.

        A record of DTLS fares as the packet in it would in clear; DTLS's own messages arrive."""
        side = self._sides[name]
        time_ns = side.last_out_ns = max(
            side.last_out_ns, time_ns + self._host_time(name, packet or record)
        )
        key = self._next_packet()
        chunks = data_of(packet)
        copies = [self._copy(side, chunk) for chunk in chunks]
        causes = side.sender.send(side.host.now_ns, chunks, copies)
        if (up_to := given_up_by(packet)) is not None:
            side.sender.give_up(up_to)
        first = side.first_tsn or 0
        passenger = Passenger(
            tuple(((c.tsn - first) % 2**32, copy) for c, copy in zip(chunks, copies, strict=True)),
            acknowledgement_of(packet) is not None,
            self.addresses["b" if name == "a" else "a"].index(ends.destination) if packet else -1,
        )
        passage = side.link.carry(time_ns, packet, passenger)
        others = int(self._other_flows.random() * 2 * self.scenario.other_flows + 0.5)
        self.carried.append(Carried(name, key, time_ns, packet, passage, others))
        sent = [
            Sent(
                *(name, key, chunk.tsn, copy, chunk.user_bytes, time_ns, ends),
                *(cause.name, cause.stack_said),
            )
            for chunk, copy, cause in zip(chunks, copies, causes, strict=True)
        ]
        for chunk_sent in sent:
            chunk_sent.why, chunk_sent.lost = passage.why, passage.end_ns is None
            chunk_sent.passed_middle = passage.middle_ns is not None
        self.sent += sent
        ip_id = self._next_ip_id(name, others)
        seen = _Seen(name, ends, ip_id, record)
        self._see(seen, 0, key, time_ns, packet)
        if passage.middle_ns is not None:
            self._see(seen, 1, key, passage.middle_ns, passage.packet)
        if passage.end_ns is not None:
            self._arrive_at(seen, key, passage.end_ns, passage.packet, sent)
        for again in passage.again:
            repetition = self._next_packet()
            self.repeated.append(Repeated(repetition, key))
            if again.middle_ns is not None:
                self._see(seen, 1, repetition, again.middle_ns, again.packet)
            assert again.end_ns is not None
            self._arrive_at(seen, repetition, again.end_ns, again.packet, sent, again=True)

    def _arrive_at(
        self,
        seen: _Seen,
        key: int,
        time_ns: int,
        packet: bytes,
        sent: list[Sent],
        *,
        again: bool = False,
    ) -> None:
        """A packet passes the tap at the other host, whose stack gets it a little later."""
        other = "b" if seen.side == "a" else "a"
        side = self._sides[other]

        def arrive() -> None:
            if not again:
                for record in sent:
                    record.arrive_ns = time_ns
            self._see(seen, 2, key, time_ns, packet)
            takes_ns = self._host_time(other, packet or seen.record)
            side.last_in_ns = max(side.last_in_ns, time_ns + takes_ns)
            if side.last_in_ns == time_ns:
                get()
            else:
                self._at(other, side.last_in_ns, get)

        def get() -> None:
            self._get(other, packet, seen, sent, again=again)

        self._at(other, time_ns, arrive)

    def _get(self, name: str, packet: bytes, seen: _Seen, sent: list[Sent], *, again: bool) -> None:
        """A stack gets a packet: which of its chunks does it accept?"""
        side = self._sides[name]
        if (acknowledgement := acknowledgement_of(packet)) is not None:
            side.sender.hear(acknowledgement)
        way = f" {seen.ends.source} {seen.ends.destination}" if self.scenario.second else ""
        reports = side.host.ask(f"in {(seen.record or packet).hex()}{way}")
        there = [record.tsn for record in sent] + [chunk.tsn for chunk in data_of(packet)]
        accepted = self._accepted(name, there, reports)
        side.received |= accepted
        if (up_to := given_up_by(packet)) is not None and not side.skips(up_to):
            side.skipped_to = up_to
        for record in sent:
            if again:
                record.accepted_again = record.tsn in accepted
            else:
                record.accepted = record.tsn in accepted
        self._take(name, reports)

    def _accepted(self, name: str, tsns: list[int], reports: list[Report]) -> set[int]:
        """A stack says what it handles; of usrsctp these are the new chunks alone, and what it has
        it knows again. The others also handle what they throw away because a FORWARD-TSN skipped
        it: to them it is a duplicate."""
        side, handled, thrown_away = self._sides[name], set(), set()
        if self.scenario.stack_of(name) is Stack.USRSCTP:
            handled |= side.received & set(tsns)
        else:
            thrown_away = {tsn for tsn in tsns if side.skips(tsn)} - side.received
        for report in reports:
            match report.word, *report.arguments:
                case "handle", tsn:
                    handled.add(int(tsn))
                case "discard", "packet":
                    thrown_away |= set(tsns)
                case "discard", "tsn", tsn:
                    thrown_away.add(int(tsn))
        return handled - thrown_away

    def _withdraw(self, name: str, tsn: int) -> None:
        """A stack throws away what it had accepted and reported, to make room."""
        self._sides[name].received.discard(tsn)
        for record in self.sent:
            if record.side != name and record.tsn == tsn:
                record.accepted = record.accepted and False
                record.accepted_again = record.accepted_again and False

    def _see(self, seen: _Seen, hop: int, key: int, time_ns: int, packet: bytes) -> None:
        taps = TAPS if seen.side == self.scenario.main else TAPS[::-1]
        hops = self.scenario.hops if seen.side == "a" else self.scenario.hops[::-1]
        hop_limit = self.scenario.hop_limits["ab".index(seen.side)] - sum(hops[:hop])
        encapsulation = self.scenario.encapsulation
        inside = seen.record or packet
        framed = frame(encapsulation, seen.ends, inside, seen.ip_id, hop_limit, leaves=hop == 0)
        self.taps[taps[hop]].see(key, time_ns, framed, packet)

    def _close_when_done(self, now: int) -> None:
        if self.closing_ns is None and self._is_done(now):
            self.closing_ns = now
            self._at("a", now, lambda: self._tell("a", "close"))

    def _is_done(self, now: int) -> bool:
        if self._close_ns is not None:
            return now >= self._close_ns
        if any(side.to_send or not side.up for side in self._sides.values()):
            return False
        awaited = {"a": 0, "b": 0}
        for message in self.scenario.messages:
            awaited["b" if message.side == "a" else "a"] += 1
        if self.scenario.answer is not None:
            asked = "b" if self.scenario.answer.side == "a" else "a"
            awaited[asked] += self.scenario.answer.count * awaited[self.scenario.answer.side]
        if self.scenario.dialogue is not None:
            awaited = dict.fromkeys(awaited, len(self.scenario.dialogue.thinks_ns))
        complete = all(
            self._sides[name].messages_received >= count for name, count in awaited.items()
        )
        quiet_ns = _LINGER_NS if complete else self.scenario.patience_ns
        return now >= self._last_delivery_ns + quiet_ns

    def is_over(self, now: int) -> bool:
        """Whether nothing more happens."""
        if all(side.down for side in self._sides.values()):
            return True
        if self.scenario.cut_off_ns and now >= self.scenario.cut_off_ns:
            return True
        if self.closing_ns is not None:
            return now > self.closing_ns + _CLOSING_NS
        if now > _LONGEST_NS - SECOND:
            raise RuntimeError(f"{self.scenario.name} does not end")
        return False

    def _copy(self, side: _Side, chunk: Data) -> int:
        if side.first_tsn is None:
            side.first_tsn = chunk.tsn
        side.copies[chunk.tsn] = side.copies.get(chunk.tsn, 0) + 1
        return side.copies[chunk.tsn]

    def _next_packet(self) -> int:
        self._packets += 1
        return self._packets

    def _next_ip_id(self, name: str, others: int) -> int:
        self._ip_id[name] = (self._ip_id[name] + 1 + others) % 65_536
        if self.scenario.ip_id_random:
            return self._other_flows.randrange(65_536)
        return 0 if self.scenario.ip_id_zero else self._ip_id[name]

    def _host_time(self, name: str, packet: bytes | None) -> int:
        """How long a host takes to get a packet, or to send it."""
        jitter_ns = self.scenario.host_jitter_ns
        return int(self.dice.throw(name, packet or b"", 1)[0] * jitter_ns) if jitter_ns else 0

    def _choose_addresses(self, random: Random) -> dict[str, tuple[str, ...]]:
        """Of the networks for documentation (RFC 5737, RFC 3849)."""
        numbers = random.randrange(1, 255), random.randrange(1, 255)
        a, b = f"192.0.2.{numbers[0]}", f"198.51.100.{numbers[1]}"
        if self.scenario.encapsulation is Encapsulation.IP6:
            a, b = f"2001:db8:a::{numbers[0]:x}", f"2001:db8:b::{numbers[1]:x}"
        if self.scenario.second:
            return {"a": (a, f"203.0.113.{numbers[0]}"), "b": (b, f"203.0.113.{numbers[1]}")}
        return {"a": (a,), "b": (b,)}
